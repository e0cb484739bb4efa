package store

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

func (s *Store) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if kept, ok := s.reads.prepared.Load(query); ok {
		statement, _ := kept.(*sql.Stmt) // nothing else is kept
		return statement, nil
	}
	made, err := s.readers.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	kept, there := s.reads.prepared.LoadOrStore(query, made)
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

// reading is the context of a read. SQLite's driver watches a context that can
// end with a goroutine of its own, which costs more than a prepared read takes;
// PostgreSQL is across a network and may be waited for in vain.
func (s *Store) reading(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.engine.embedded {
		return context.WithoutCancel(ctx), func() {}
	}
	return context.WithTimeout(ctx, readTime)
}

// one reads one row; without a row it returns missing.
func (s *Store) one(ctx context.Context, missing error, query string, args []any, into ...any) error {
	ctx, cancel := s.reading(ctx)
	defer cancel()
	prepared, err := s.statement(ctx, query)
	if err != nil {
		return s.outage(err)
	}
	err = prepared.QueryRowContext(ctx, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return missing
	}
	return s.outage(err)
}

// scanner is a row that can be read: *sql.Row or *sql.Rows.
type scanner interface{ Scan(into ...any) error }

// all reads every row of a query that is asked again and again.
func all[T any](ctx context.Context, s *Store, query string, args []any, scan func(scanner) (T, error)) ([]T, error) {
	ctx, cancel := s.reading(ctx)
	defer cancel()
	prepared, err := s.statement(ctx, query)
	if err != nil {
		return nil, s.outage(err)
	}
	rows, err := prepared.QueryContext(ctx, args...)
	return collect(s, rows, err, scan)
}

// allOf reads every row of a query whose text was made for this once: to keep
// it prepared would be to keep one for every text that a caller can think of.
func allOf[T any](ctx context.Context, s *Store, query string, args []any, scan func(scanner) (T, error)) ([]T, error) {
	ctx, cancel := s.reading(ctx)
	defer cancel()
	rows, err := s.readers.QueryContext(ctx, query, args...)
	return collect(s, rows, err, scan)
}

func collect[T any](s *Store, rows *sql.Rows, err error, scan func(scanner) (T, error)) ([]T, error) {
	if err != nil {
		return nil, s.outage(err)
	}
	defer func() { _ = rows.Close() }()
	found := []T{}
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, s.outage(err)
		}
		found = append(found, one)
	}
	return found, s.outage(rows.Err())
}
