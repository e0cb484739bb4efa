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

// liteError is an error as returned by SQLite's driver.
type liteError int

func (liteError) Error() string { return "an error of SQLite" }

func (e liteError) Code() int { return int(e) }

// If SQLite rolls back the transaction after a failed statement, the other
// writes of the commit fail too. A failed sync also stops all further writes.
func TestCommitAfterAFailedStatement(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err    error
		undone bool
		halts  bool
	}{
		"a refusal":                     {err: fault.New(fault.InvalidValue, "no")},
		"a full disk":                   {err: liteError(sqlite3.SQLITE_FULL), undone: true},
		"a failed sync":                 {err: liteError(sqlite3.SQLITE_IOERR_FSYNC), undone: true, halts: true},
		"a failed sync of a folder":     {err: liteError(sqlite3.SQLITE_IOERR_DIR_FSYNC), undone: true, halts: true},
		"a refusal in an undone commit": {err: fault.New(fault.InvalidValue, "no"), undone: true},
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
				if test.undone { // as SQLite does after such an error
					if err := tx.control(`ROLLBACK`); err != nil {
						t.Error(err)
					}
				}
				return test.err
			}}
			other := &pending{ctx: ctx, done: make(chan error, 1), do: func(*Tx) error { return nil }}
			g := db.group
			// The two writes wait together, so that they share one commit.
			begun, release := make(chan struct{}), make(chan struct{})
			first := &pending{ctx: ctx, done: make(chan error, 1), do: func(*Tx) error { close(begun); <-release; return nil }}
			g.enqueue(first)
			<-begun
			g.enqueue(fails)
			g.enqueue(other)
			close(release)
			if err := <-fails.done; !errors.Is(err, test.err) {
				t.Errorf("error of the failing write = %v, want %v", err, test.err)
			}
			err = <-other.done
			if (err != nil) != test.undone || errors.Is(err, errUndone) != test.undone || fault.KindOf(err) == fault.Invalid {
				t.Errorf("error of the other write = %v, want a rollback error: %t", err, test.undone)
			}
			if (halted == 1) != test.halts || errors.Is(g.halted, ErrHalted) != test.halts {
				t.Errorf("Halted was called %d times, group halted with %v, want halted: %t", halted, g.halted, test.halts)
			}
		})
	}
}

// A write that shares its commit with no other has no savepoint. Its failure is
// rolled back and reported in the same way.
func TestFailedStatementOfASingleWrite(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err    error
		undone bool
		halts  bool
	}{
		"a refusal":     {err: fault.New(fault.InvalidValue, "no")},
		"a full disk":   {err: liteError(sqlite3.SQLITE_FULL), undone: true},
		"a failed sync": {err: liteError(sqlite3.SQLITE_IOERR_FSYNC), undone: true, halts: true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, halted, reported := context.Background(), 0, 0
			db, err := Open(ctx, Config{
				Dir: t.TempDir(), Now: time.Now, Log: slog.New(slog.DiscardHandler),
				Halted: func(error) { halted++ }, Committed: func(err error) {
					if err != nil {
						reported++
					}
				},
			}, Serve)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			write := func(fails error) error {
				return db.group.run(ctx, func(tx *Tx) error {
					if err := tx.Exec(`CREATE TABLE written (n INTEGER)`); err != nil {
						return err
					}
					if fails != nil && test.undone { // as SQLite does after such an error
						if err := tx.control(`ROLLBACK`); err != nil {
							t.Error(err)
						}
					}
					return fails
				})
			}
			if err := write(test.err); !errors.Is(err, test.err) || errors.Is(err, errUndone) != test.undone {
				t.Errorf("error = %v, want %v, undone: %t", err, test.err, test.undone)
			}
			if (halted == 1) != test.halts || (reported == 1) != test.undone {
				t.Errorf("Halted was called %d times, Committed %d times with an error", halted, reported)
			}
			// The table exists already unless the failed write was rolled back.
			if err := write(nil); (err != nil) != test.halts {
				t.Errorf("the next write: %v", err)
			}
		})
	}
}
