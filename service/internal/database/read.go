package database

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"
)

// statements caches prepared queries. Without it both drivers would parse the
// SQL text on each call.
type statements struct {
	prepared sync.Map // query → *sql.Stmt
}

func (db *DB) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if kept, ok := db.reads.prepared.Load(query); ok {
		statement, _ := kept.(*sql.Stmt) // the map holds no other type
		return statement, nil
	}
	text := query
	if db.engine.Embedded {
		text = positional(query)
	}
	made, err := db.readers.PrepareContext(ctx, text)
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

// readTime and writeTime limit a read and a transaction, so that a database
// that hangs does not block the service.
const (
	readTime  = 5 * time.Second
	writeTime = 30 * time.Second
)

// reading returns the context for a read. It is not cancelled with ctx: on
// SQLite the driver would start a goroutine for each cancellable context, which
// costs more than a prepared read, and on PostgreSQL the driver would close the
// connection. On PostgreSQL it has a timeout of readTime.
func (db *DB) reading(ctx context.Context) (context.Context, context.CancelFunc) {
	if db.engine.Embedded {
		return context.WithoutCancel(ctx), func() {}
	}
	return context.WithTimeout(context.WithoutCancel(ctx), readTime)
}

// Begin waits until a read may begin. It returns the context of the read, and a
// function that must be called after it. A read that has begun must not wait for
// another one, as One, All and their variants do: the two could wait for each other.
func (db *DB) Begin(ctx context.Context) (reading context.Context, end func(), err error) {
	done := func() {}
	if db.config.Read != nil {
		if done, err = db.config.Read(ctx); err != nil {
			return nil, nil, err
		}
	}
	reading, cancel := db.reading(ctx)
	return reading, func() {
		cancel()
		done()
	}, nil
}

// One reads one row, or returns missing if there is none. The query stays
// prepared, so its text must be constant.
func (db *DB) One(ctx context.Context, missing error, query string, args []any, into ...any) error {
	ctx, end, err := db.Begin(ctx)
	if err != nil {
		return err
	}
	defer end()
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

// Prepared returns the number of prepared queries.
func (db *DB) Prepared() int {
	n := 0
	db.reads.prepared.Range(func(_, _ any) bool { n++; return true })
	return n
}

// ReadersInUse returns the number of connections that are in use for reading.
func (db *DB) ReadersInUse() int { return db.readers.Stats().InUse }

// QueryContext reads rows. It returns the errors of the driver.
func (db *DB) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return db.readers.QueryContext(ctx, query, args...)
}

// QueryRowContext reads one row. It returns the errors of the driver.
func (db *DB) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return db.readers.QueryRowContext(ctx, query, args...)
}

// Reader runs queries: a transaction, a snapshot or the database.
type Reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Scanner is a row that can be read: *sql.Row or *sql.Rows.
type Scanner interface{ Scan(into ...any) error }

// All reads all rows of a query. The query stays prepared, so its text must be
// constant.
func All[T any](ctx context.Context, db *DB, query string, args []any, scan func(Scanner) (T, error)) ([]T, error) {
	ctx, end, err := db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	prepared, err := db.statement(ctx, query)
	if err != nil {
		return nil, Outage(err)
	}
	rows, err := prepared.QueryContext(ctx, args...)
	return Collect(rows, err, scan)
}

// First reads the first row of a query. If there is none, it returns missing. The
// query stays prepared, so its text must be constant.
func First[T any](ctx context.Context, db *DB, missing error, query string, args []any, scan func(Scanner) (T, error)) (T, error) {
	found, err := All(ctx, db, query, args, scan)
	if err == nil && len(found) == 0 {
		err = missing
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

// AllOnce reads all rows of a query with a generated text. It does not keep the
// query prepared, because callers could make any number of texts.
func AllOnce[T any](ctx context.Context, db *DB, query string, args []any, scan func(Scanner) (T, error)) ([]T, error) {
	ctx, end, err := db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	rows, err := db.readers.QueryContext(ctx, query, args...)
	return Collect(rows, err, scan)
}

// AllLarge is like AllOnce, for rows that are large. On SQLite it then empties the
// cache of the connection: the pages of large rows would fill it, and each
// connection has its own.
func AllLarge[T any](ctx context.Context, db *DB, query string, args []any, scan func(Scanner) (T, error)) ([]T, error) {
	ctx, end, err := db.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	reader, err := db.readers.Conn(ctx)
	if err != nil {
		return nil, Outage(err)
	}
	defer func() { _ = reader.Close() }()
	rows, err := reader.QueryContext(ctx, query, args...)
	found, err := Collect(rows, err, scan)
	if err == nil && db.engine.Embedded {
		_, err = reader.ExecContext(ctx, `PRAGMA shrink_memory`)
	}
	return found, Outage(err)
}

// Collect reads all rows and closes them. It takes the two results of a query,
// so that it can be called with them directly.
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
