package database

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Statements that begin and end transactions of PostgreSQL. They are sent together
// with other statements where possible, to save round trips.
const (
	beginText    = `BEGIN`
	commitText   = `COMMIT`
	rollbackText = `ROLLBACK`
)

// begin begins a transaction of PostgreSQL, unless that has been done, and returns
// the context for its next statement. If that fails, the context is cancelled, so that the
// statement is not run outside a transaction.
func (t *Tx) begin(ctx context.Context) context.Context {
	if !t.begun {
		t.begun = true
		_, t.beginErr = t.conn.ExecContext(t.ctx, beginText)
	}
	if t.beginErr != nil {
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		return cancelled
	}
	return ctx
}

// commitOn commits a transaction of PostgreSQL. The outcome is not certain if there is
// a warning, because PostgreSQL commits on the primary alone if the wait for a
// synchronous standby is cancelled, or if the server was replaced meanwhile.
func (db *DB) commitOn(t *Tx) error {
	replaced := func() error {
		if t.on.changes != db.server.changes.Load() {
			return errReplaced
		}
		return nil
	}
	if err := replaced(); err != nil {
		return err
	}
	return db.commit(func() error {
		if err := t.sendCommit(); err != nil {
			return err
		}
		return replaced()
	})
}

// sendCommit sends the open batch and COMMIT in one round trip. If one of the
// statements fails, PostgreSQL skips those after it and COMMIT.
func (t *Tx) sendCommit() error {
	last := t.batch
	t.batch = nil
	if last == nil {
		last = &batch{}
	}
	if !t.begun && last.statements.Len() == 0 {
		return nil // no statement was run
	}
	t.wrote = t.wrote || last.statements.Len() > 0
	last.statements.Queue(commitText)
	committed := false
	err := t.send(&last.statements, func(results pgx.BatchResults) error {
		if err := last.check(results); err != nil {
			return fmt.Errorf("write the batch: %w", err)
		}
		t.on.warning = nil
		tag, err := results.Exec()
		if err != nil {
			return err
		}
		if tag.String() == rollbackText { // the answer if an error of a statement was ignored
			return pgx.ErrTxCommitRollback
		}
		committed = true
		return nil
	})
	if !committed {
		return err
	}
	// A later error does not undo the commit, for example that of a cancellation
	// that arrived during the commit.
	if w := t.on.warning; w != nil {
		return fmt.Errorf("%w: %s (SQLSTATE %s)", errWarned, w.Message, w.Code)
	}
	return nil
}

// rollback rolls back a transaction of PostgreSQL that is still open. Its context may
// have ended. If the server does not answer, the driver closes the connection.
func (t *Tx) rollback() {
	if !t.begun {
		return
	}
	_ = raw(t.conn, func(driven *pgx.Conn) error {
		if driven.IsClosed() || driven.PgConn().TxStatus() == 'I' {
			return nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), readTime)
		defer cancel()
		_, err := driven.Exec(ctx, rollbackText)
		return err
	})
}
