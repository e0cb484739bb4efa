package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// tx is a transaction under way. Its statements do not end with the caller: a
// caller who leaves must not take others' writes along.
type tx struct {
	store  *Store
	sql    *sql.Tx
	ctx    context.Context
	writer *writer // SQLite's; nil on PostgreSQL, whose driver keeps statements by itself
	parcel *parcel // what is gathered to be sent at once; nil if it is not
	wrote  bool    // a row was changed
}

// write runs do in a transaction. If do returns an error nothing of it stays.
func (s *Store) write(ctx context.Context, do func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.group != nil {
		return s.outage(s.group.run(ctx, do))
	}
	var err error
	for range 3 {
		if err = s.transaction(ctx, do); !againWorks(err) {
			break
		}
	}
	if err != nil && isOutage(err) && !againWorks(err) {
		s.outcome(err)
	}
	return s.outage(err)
}

// transaction is one try on PostgreSQL. It does not end with the caller, but it
// does end.
func (s *Store) transaction(ctx context.Context, do func(*tx) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	defer cancel()
	begun, err := s.writers.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = begun.Rollback() }() // after a commit this does nothing
	t := &tx{store: s, sql: begun, ctx: ctx}
	if err := do(t); err != nil {
		return err
	}
	err = s.commit(begun)
	if err == nil && t.wrote {
		s.outcome(nil)
	}
	return err
}

// commit ends a transaction.
func (s *Store) commit(begun *sql.Tx) error {
	if err := s.at("commit"); err != nil {
		return err
	}
	err := begun.Commit()
	if err == nil {
		err = s.at("committed")
	}
	if err != nil {
		return &commitError{err}
	}
	return nil
}

// at tells a test which step has been reached.
func (s *Store) at(step string) error {
	if s.point == nil {
		return nil
	}
	return s.point(step)
}

// commitError is what a commit came back with. Unless the database says itself
// that it did not commit, it may have.
type commitError struct{ cause error }

func (e *commitError) Error() string { return "commit: " + e.cause.Error() }

func (e *commitError) Unwrap() error { return e.cause }

// unknown says whether a transaction may have been committed although it
// failed.
func unknown(err error) bool {
	var commit *commitError
	var told *pgconn.PgError
	return errors.As(err, &commit) && !errors.As(err, &told)
}

func (t *tx) exec(query string, args ...any) error {
	if t.parcel != nil {
		return t.gathered(query, args, nil)
	}
	_, err := t.change(query, args...)
	return err
}

// execOne runs a statement that must change exactly one row; otherwise it
// returns missing.
func (t *tx) execOne(missing error, query string, args ...any) error {
	if t.parcel != nil {
		return t.gathered(query, args, missing)
	}
	result, err := t.change(query, args...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, missing)
	}
	return nil
}

func (t *tx) change(query string, args ...any) (sql.Result, error) {
	result, err := t.run(query, args...)
	if err == nil && !t.wrote {
		n, _ := result.RowsAffected() // both drivers know it
		t.wrote = n > 0
	}
	return result, err
}

// control runs a statement that changes no row.
func (t *tx) control(query string) error {
	_, err := t.run(query)
	return err
}

func (t *tx) run(query string, args ...any) (sql.Result, error) {
	if kept := t.writer.statement(t.ctx, query); kept != nil {
		return kept.ExecContext(t.ctx, args...)
	}
	return t.sql.ExecContext(t.ctx, query, args...)
}

func (t *tx) row(query string, args ...any) *sql.Row {
	if kept := t.writer.statement(t.ctx, query); kept != nil {
		return kept.QueryRowContext(t.ctx, args...)
	}
	return t.sql.QueryRowContext(t.ctx, query, args...)
}

func (t *tx) query(query string, args ...any) (*sql.Rows, error) {
	return t.QueryContext(t.ctx, query, args...)
}

// QueryContext reads rows within the transaction.
func (t *tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if kept := t.writer.statement(ctx, query); kept != nil {
		return kept.QueryContext(ctx, args...)
	}
	return t.sql.QueryContext(ctx, query, args...)
}
