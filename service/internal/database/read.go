package database

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"
)

// statements keeps prepared the few queries that every request asks. Both
// drivers would otherwise read the SQL text anew each time.
type statements struct {
	prepared sync.Map // query → *sql.Stmt
}

func (db *DB) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if kept, ok := db.reads.prepared.Load(query); ok {
		statement, _ := kept.(*sql.Stmt) // nothing else is kept
		return statement, nil
	}
	made, err := db.readers.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	kept, there := db.reads.prepared.LoadOrStore(query, made)
	if there {
		_ = made.Close()
	}
	statement, _ := kept.(*sql.Stmt)
	return statement, nil
}

func (p *statements) close() {
	p.prepared.Range(func(_, kept any) bool {
		if statement, is := kept.(*sql.Stmt); is {
			_ = statement.Close()
		}
		return true
	})
}

// readTime is how long a read may take, and writeTime a transaction: a database
// that hangs must not hang us.
const (
	readTime  = 5 * time.Second
	writeTime = 30 * time.Second
)

// Reading returns the context of a read. SQLite's driver watches a context that
// can end with a goroutine of its own, which costs more than a prepared read
// takes; PostgreSQL is across a network and may be waited for in vain.
func (db *DB) Reading(ctx context.Context) (context.Context, context.CancelFunc) {
	if db.engine.Embedded {
		return context.WithoutCancel(ctx), func() {}
	}
	return context.WithTimeout(ctx, readTime)
}

// One reads one row; without a row it returns missing. The query is kept
// prepared.
func (db *DB) One(ctx context.Context, missing error, query string, args []any, into ...any) error {
	ctx, cancel := db.Reading(ctx)
	defer cancel()
	prepared, err := db.statement(ctx, query)
	if err != nil {
		return Outage(err)
	}
	err = prepared.QueryRowContext(ctx, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return missing
	}
	return Outage(err)
}

// Prepared returns how many queries are kept prepared.
func (db *DB) Prepared() int {
	n := 0
	db.reads.prepared.Range(func(_, _ any) bool { n++; return true })
	return n
}

// QueryContext reads rows. Its errors are those of the driver.
func (db *DB) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return db.readers.QueryContext(ctx, query, args...)
}

// QueryRowContext reads one row. Its errors are those of the driver.
func (db *DB) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return db.readers.QueryRowContext(ctx, query, args...)
}

// Scanner is a row that can be read: *sql.Row or *sql.Rows.
type Scanner interface{ Scan(into ...any) error }

// All reads every row of a query that is asked again and again. The query is
// kept prepared.
func All[T any](ctx context.Context, db *DB, query string, args []any, scan func(Scanner) (T, error)) ([]T, error) {
	ctx, cancel := db.Reading(ctx)
	defer cancel()
	prepared, err := db.statement(ctx, query)
	if err != nil {
		return nil, Outage(err)
	}
	rows, err := prepared.QueryContext(ctx, args...)
	return Collect(rows, err, scan)
}

// AllOnce reads every row of a query whose text was made for this once: to keep
// it prepared would be to keep one for every text that a caller can think of.
func AllOnce[T any](ctx context.Context, db *DB, query string, args []any, scan func(Scanner) (T, error)) ([]T, error) {
	ctx, cancel := db.Reading(ctx)
	defer cancel()
	rows, err := db.readers.QueryContext(ctx, query, args...)
	return Collect(rows, err, scan)
}

// Collect reads every row and closes rows. It takes the two results of a query.
func Collect[T any](rows *sql.Rows, err error, scan func(Scanner) (T, error)) ([]T, error) {
	if err != nil {
		return nil, Outage(err)
	}
	defer func() { _ = rows.Close() }()
	found := []T{}
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, Outage(err)
		}
		found = append(found, one)
	}
	return found, Outage(rows.Err())
}
