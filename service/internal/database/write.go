package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Tx is an open transaction. Its statements ignore the cancellation of the
// caller's context, because other callers' writes may share the transaction.
type Tx struct {
	ctx   context.Context
	wrote bool // a row was changed

	// Of SQLite.
	sql    *sql.Tx
	writer *writer

	// Of PostgreSQL, whose driver caches statements itself.
	conn     *sql.Conn
	on       *connection
	batch    *batch // open batch, or nil
	begun    bool   // BEGIN was sent, or could not be sent
	beginErr error  // error of BEGIN
}

// Write runs do in a transaction and commits it unless do returns an error. It
// may run do more than once. On SQLite several writes share a commit.
func (db *DB) Write(ctx context.Context, do func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if db.group != nil {
		return Outage(db.group.run(ctx, do))
	}
	var err error
	for range 3 {
		if err = db.transaction(ctx, do); !isRetryable(err) {
			break
		}
	}
	if err != nil && isOutage(err) && !isRetryable(err) {
		db.outcome(err)
	}
	return Outage(db.refused(err))
}

// ExecContext runs one statement outside a transaction, without calling
// Config.Committed. It is only for PostgreSQL: on SQLite all writes go through
// Write.
func (db *DB) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	result, err := db.writers.ExecContext(ctx, query, args...)
	return result, db.refused(err)
}

// transaction runs do in one PostgreSQL transaction. It ignores the
// cancellation of ctx but has a timeout of its own.
func (db *DB) transaction(ctx context.Context, do func(*Tx) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	defer cancel()
	conn, err := db.writers.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close() }()
	on, err := stateOf(conn)
	if err != nil {
		return fmt.Errorf("begin a transaction: %w", err)
	}
	t := &Tx{conn: conn, on: on, ctx: ctx}
	defer t.rollback() // no effect after a commit
	err = protected(t, do)
	if t.beginErr != nil {
		return fmt.Errorf("begin a transaction: %w", t.beginErr)
	}
	if err != nil {
		return err
	}
	err = db.commitOn(t)
	if err == nil && t.wrote {
		db.outcome(nil)
	}
	return err
}

// commit commits a transaction with a function.
func (db *DB) commit(finish func() error) error {
	if err := db.Point("commit"); err != nil {
		return err
	}
	err := finish()
	if err == nil {
		err = db.Point("committed")
	}
	if err != nil {
		return &commitError{err}
	}
	return nil
}

// commitError is the error of a commit. See OutcomeUnknown.
type commitError struct{ cause error }

func (e *commitError) Error() string { return "commit: " + e.cause.Error() }

func (e *commitError) Unwrap() error { return e.cause }

// OutcomeUnknown reports whether a failed transaction may have been committed. It was
// not if PostgreSQL reported an error and kept the connection, or if COMMIT was not
// sent. The errors of a pooler have no SeverityUnlocalized.
func OutcomeUnknown(err error) bool {
	var commit *commitError
	var pg *pgconn.PgError
	var unsent pgx.ErrPreprocessingBatch
	switch {
	case !errors.As(err, &commit), errors.As(err, &unsent), errors.Is(err, pgx.ErrTxCommitRollback):
		return false
	}
	return !errors.As(err, &pg) || pg.SeverityUnlocalized != "ERROR"
}

// refused drops all connections if err means that the server accepts no writes,
// because it has become a standby. It returns err.
func (db *DB) refused(err error) error {
	if isReadOnly(err) {
		db.server.drop()
	}
	return err
}

// Reconnections returns the value of DB.Reconnections when the connection of the
// transaction was made.
func (t *Tx) Reconnections() int64 {
	if t.on == nil {
		return 0
	}
	return t.on.changes
}

// Exec runs a statement, or adds it to the open batch.
func (t *Tx) Exec(query string, args ...any) error {
	if t.batch != nil {
		return t.addToBatch(query, args, nil)
	}
	_, err := t.Change(query, args...)
	return err
}

// ExecOne runs a statement, or adds it to the open batch. It returns missing
// unless the statement changes exactly one row.
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

// Change runs a statement at once, even if a batch is open, and returns its
// result.
func (t *Tx) Change(query string, args ...any) (sql.Result, error) {
	result, err := t.run(query, args...)
	if err == nil && !t.wrote {
		n, _ := result.RowsAffected() // both drivers support it
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
	if t.conn != nil {
		return t.conn.ExecContext(t.begin(t.ctx), query, args...)
	}
	if kept := t.writer.statement(t.ctx, query); kept != nil {
		return kept.ExecContext(t.ctx, args...)
	}
	return t.sql.ExecContext(t.ctx, query, args...)
}

// QueryRow reads one row in the transaction.
func (t *Tx) QueryRow(query string, args ...any) *sql.Row {
	if t.conn != nil {
		return t.conn.QueryRowContext(t.begin(t.ctx), query, args...)
	}
	if kept := t.writer.statement(t.ctx, query); kept != nil {
		return kept.QueryRowContext(t.ctx, args...)
	}
	return t.sql.QueryRowContext(t.ctx, query, args...)
}

// Query reads rows in the transaction.
func (t *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	return t.QueryContext(t.ctx, query, args...)
}

// Context returns the context of the transaction, which the caller cannot
// cancel.
func (t *Tx) Context() context.Context { return t.ctx }

// QueryContext reads rows in the transaction.
func (t *Tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if t.conn != nil {
		return t.conn.QueryContext(t.begin(ctx), query, args...)
	}
	if kept := t.writer.statement(ctx, query); kept != nil {
		return kept.QueryContext(ctx, args...)
	}
	return t.sql.QueryContext(ctx, query, args...)
}
