package database

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// writer is the only writing connection to SQLite, with its prepared
// statements: parsing their texts again would take longer than running them.
// Only the committing goroutine uses it.
type writer struct {
	db   *sql.DB
	conn *sql.Conn
	kept map[string]*sql.Stmt
}

// keptStatements limits the number of prepared statements, because some texts
// depend on the number of values.
const keptStatements = 1024

// begin begins a transaction. Prepared statements run in it, because they
// belong to the same connection.
func (w *writer) begin(ctx context.Context) (*sql.Tx, error) {
	if w.conn == nil {
		conn, err := w.db.Conn(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := conn.ExecContext(ctx, ownCheckpoints+shortWaits+memoryJournal); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		w.conn, w.kept = conn, map[string]*sql.Stmt{}
	}
	return w.whenFree(ctx)
}

// shortWaits limits how long SQLite waits for the lock of another writer. SQLite asks
// for the lock less and less often the longer it waits, so that writers that have just
// begun to wait get it first. whenFree begins the wait again.
const shortWaits = `; PRAGMA busy_timeout = 20`

// memoryJournal keeps the pages that a savepoint or a statement may have to restore
// in memory. By default SQLite writes them to a temporary file. The log, which
// makes a commit durable, is not affected.
const memoryJournal = `; PRAGMA temp_store = MEMORY`

// whenFree begins a transaction as soon as no other process writes.
func (w *writer) whenFree(ctx context.Context) (*sql.Tx, error) {
	late := time.NewTimer(useWait)
	defer late.Stop()
	for {
		begun, err := w.conn.BeginTx(ctx, nil)
		if !isBusy(err) {
			return begun, err
		}
		select {
		case <-late.C:
			return nil, err
		default:
		}
	}
}

// statement returns a prepared statement, or nil if the text cannot be prepared
// or the limit is reached. The caller then runs the text directly and gets the
// error.
func (w *writer) statement(ctx context.Context, query string) *sql.Stmt {
	if w == nil {
		return nil
	}
	if kept := w.kept[query]; kept != nil || len(w.kept) >= keptStatements {
		return kept
	}
	made, err := w.conn.PrepareContext(ctx, positional(query))
	if err != nil {
		return nil
	}
	w.kept[query] = made
	return made
}

func (w *writer) close() {
	for _, statement := range w.kept {
		_ = statement.Close()
	}
	if w.conn != nil {
		_ = w.conn.Close()
	}
}
