package database

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"khatm/service/internal/fault"
)

// liteError is an error as SQLite's driver returns it.
type liteError int

func (liteError) Error() string { return "an error of SQLite" }

func (e liteError) Code() int { return int(e) }

// A sync that fails inside a statement undoes the transaction, and stops every
// further write as one does that fails in the commit.
func TestCommitAfterAFailedStatement(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err    error
		undone bool
		halts  bool
	}{
		"a refusal":                     {err: fault.New(fault.Invalid, "no")},
		"a full disk":                   {err: liteError(sqlite3.SQLITE_FULL), undone: true},
		"a failed sync":                 {err: liteError(sqlite3.SQLITE_IOERR_FSYNC), undone: true, halts: true},
		"a failed sync of a folder":     {err: liteError(sqlite3.SQLITE_IOERR_DIR_FSYNC), undone: true, halts: true},
		"a refusal in an undone commit": {err: fault.New(fault.Invalid, "no"), undone: true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, halted := context.Background(), 0
			db, err := Open(ctx, Config{
				Dir: t.TempDir(), Now: time.Now, Log: slog.New(slog.DiscardHandler), Halted: func(error) { halted++ },
			}, Serve)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			fails := &pending{ctx: ctx, done: make(chan error, 1), do: func(tx *Tx) error {
				if test.undone { // as SQLite does by itself
					if err := tx.control(`ROLLBACK`); err != nil {
						t.Error(err)
					}
				}
				return test.err
			}}
			other := &pending{ctx: ctx, done: make(chan error, 1), do: func(*Tx) error { return nil }}
			g := db.group
			// The two wait for the writer together, so that they are one commit.
			begun, release := make(chan struct{}), make(chan struct{})
			first := &pending{ctx: ctx, done: make(chan error, 1), do: func(*Tx) error { close(begun); <-release; return nil }}
			g.handIn(first)
			<-begun
			g.handIn(fails)
			g.handIn(other)
			close(release)
			if err := <-fails.done; !errors.Is(err, test.err) {
				t.Errorf("the write that failed is told %v", err)
			}
			err = <-other.done
			if (err != nil) != test.undone || errors.Is(err, errUndone) != test.undone || fault.KindOf(err) == fault.Invalid {
				t.Errorf("the other write is told %v", err)
			}
			if (halted == 1) != test.halts || errors.Is(g.halted, ErrHalted) != test.halts {
				t.Errorf("halted %d times: %v", halted, g.halted)
			}
		})
	}
}
