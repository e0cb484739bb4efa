package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// Tx is a transaction under way. Its statements do not end with the caller: a
// caller who leaves must not take others' writes along.
type Tx struct {
	sql    *sql.Tx
	ctx    context.Context
	writer *writer // SQLite's; nil on PostgreSQL, whose driver keeps statements by itself
	batch  *batch  // statements that are sent together; nil without
	wrote  bool    // a row was changed
}

// Write runs do in a transaction and commits it, unless do returns an error. It
// may run do again; on SQLite several writes share a commit.
func (db *DB) Write(ctx context.Context, do func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if db.group != nil {
		return Outage(db.group.run(ctx, do))
	}
	var err error
	for range 3 {
		if err = db.transaction(ctx, do); !againWorks(err) {
			break
		}
	}
	if err != nil && isOutage(err) && !againWorks(err) {
		db.outcome(err)
	}
	return Outage(err)
}

// ExecContext runs one statement outside of Write, which is not told to
// Config.Committed. It is for PostgreSQL: SQLite has one writer.
func (db *DB) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return db.writers.ExecContext(ctx, query, args...)
}

// transaction is one try on PostgreSQL. It does not end with the caller, but it
// does end.
func (db *DB) transaction(ctx context.Context, do func(*Tx) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	defer cancel()
	begun, err := db.writers.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = begun.Rollback() }() // after a commit this does nothing
	t := &Tx{sql: begun, ctx: ctx}
	if err := do(t); err != nil {
		return err
	}
	err = db.commit(begun)
	if err == nil && t.wrote {
		db.outcome(nil)
	}
	return err
}

// commit ends a transaction.
func (db *DB) commit(begun *sql.Tx) error {
	if err := db.Point("commit"); err != nil {
		return err
	}
	err := begun.Commit()
	if err == nil {
		err = db.Point("committed")
	}
	if err != nil {
		return &commitError{err}
	}
	return nil
}

// commitError is what a commit came back with. Unless the database says itself
// that it did not commit, it may have.
type commitError struct{ cause error }

func (e *commitError) Error() string { return "commit: " + e.cause.Error() }

func (e *commitError) Unwrap() error { return e.cause }

// OutcomeUnknown reports whether a transaction may have been committed although
// it failed.
func OutcomeUnknown(err error) bool {
	var commit *commitError
	var told *pgconn.PgError
	return errors.As(err, &commit) && !errors.As(err, &told)
}

// Exec runs a statement, or adds it to the batch that was begun.
func (t *Tx) Exec(query string, args ...any) error {
	if t.batch != nil {
		return t.addToBatch(query, args, nil)
	}
	_, err := t.Change(query, args...)
	return err
}

// ExecOne runs a statement that must change exactly one row; otherwise it
// returns missing.
func (t *Tx) ExecOne(missing error, query string, args ...any) error {
	if t.batch != nil {
		return t.addToBatch(query, args, missing)
	}
	result, err := t.Change(query, args...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, missing)
	}
	return nil
}

// Change runs a statement at once, even if a batch was begun, and returns its
// result.
func (t *Tx) Change(query string, args ...any) (sql.Result, error) {
	result, err := t.run(query, args...)
	if err == nil && !t.wrote {
		n, _ := result.RowsAffected() // both drivers know it
		t.wrote = n > 0
	}
	return result, err
}

// control runs a statement that changes no row.
func (t *Tx) control(query string) error {
	_, err := t.run(query)
	return err
}

func (t *Tx) run(query string, args ...any) (sql.Result, error) {
	if kept := t.writer.statement(t.ctx, query); kept != nil {
		return kept.ExecContext(t.ctx, args...)
	}
	return t.sql.ExecContext(t.ctx, query, args...)
}

// QueryRow reads one row within the transaction.
func (t *Tx) QueryRow(query string, args ...any) *sql.Row {
	if kept := t.writer.statement(t.ctx, query); kept != nil {
		return kept.QueryRowContext(t.ctx, args...)
	}
	return t.sql.QueryRowContext(t.ctx, query, args...)
}

// Query reads rows within the transaction.
func (t *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	return t.QueryContext(t.ctx, query, args...)
}

// Context returns the context of the transaction, which outlives the caller's.
func (t *Tx) Context() context.Context { return t.ctx }

// QueryContext reads rows within the transaction.
func (t *Tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if kept := t.writer.statement(ctx, query); kept != nil {
		return kept.QueryContext(ctx, args...)
	}
	return t.sql.QueryContext(ctx, query, args...)
}
