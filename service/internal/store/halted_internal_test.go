package store

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	sqlite3 "modernc.org/sqlite/lib"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
)

// failedSync is an error as returned by SQLite's driver.
type failedSync struct{}

func (failedSync) Error() string { return "disk I/O error" }

func (failedSync) Code() int { return sqlite3.SQLITE_IOERR_FSYNC }

// Writes after a failed sync return issue.ErrHalted.
func TestWritesAfterAFailedSync(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c := Config{Dir: t.TempDir(), Now: time.Now, NewID: uuid.New, Log: slog.New(slog.DiscardHandler)}
	s, err := Serve(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.write(ctx, func(tx *tx) error {
		return errors.Join(tx.Exec(`ROLLBACK`), failedSync{}) // as SQLite does after such an error
	})
	if err == nil || errors.Is(err, issue.ErrHalted) {
		t.Errorf("error of the write that failed = %v, want an error other than %v", err, issue.ErrHalted)
	}
	err = s.TryWrite(ctx)
	if !errors.Is(err, issue.ErrHalted) || fault.KindOf(err) != fault.Unavailable {
		t.Errorf("error of the next write = %v, want %v", err, issue.ErrHalted)
	}
}
