package database

import (
	"context"
	"database/sql"
	"fmt"
)

// Snapshot is a read-only transaction that sees the database at one moment. On
// SQLite this is the moment of the first read.
type Snapshot struct{ sql *sql.Tx }

// Snapshot calls see with a snapshot, which ends when see returns.
func (db *DB) Snapshot(ctx context.Context, see func(*Snapshot) error) error {
	begun, err := db.readers.BeginTx(ctx, &sql.TxOptions{Isolation: db.engine.snapshot, ReadOnly: !db.engine.Embedded})
	if err != nil {
		return Outage(err)
	}
	defer func() { _ = begun.Rollback() }()
	return see(&Snapshot{begun})
}

// QueryContext reads rows.
func (p *Snapshot) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return p.sql.QueryContext(ctx, query, args...)
}

// QueryRowContext reads one row.
func (p *Snapshot) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return p.sql.QueryRowContext(ctx, query, args...)
}

// Size returns the size in bytes of the database file that Pages writes.
func (p *Snapshot) Size(ctx context.Context) (int64, error) {
	var pages, size int64
	if err := p.sql.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&pages); err != nil {
		return 0, fmt.Errorf("read the size of the database: %w", err)
	}
	if err := p.sql.QueryRowContext(ctx, `PRAGMA page_size`).Scan(&size); err != nil {
		return 0, fmt.Errorf("read the size of the database: %w", err)
	}
	return pages * size, nil
}

// Pages passes every page of an SQLite database to write, in order: together
// they form a database file with the state of the snapshot. A page is valid
// only during the call. Writers are not blocked, but the write-ahead log cannot
// be reset while Pages runs, and grows.
func (p *Snapshot) Pages(ctx context.Context, write func(page []byte) error) error {
	rows, err := p.sql.QueryContext(ctx, `SELECT data FROM sqlite_dbpage ORDER BY pgno`)
	if err != nil {
		return fmt.Errorf("read the pages of the database: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var page sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&page); err != nil {
			return fmt.Errorf("read a page of the database: %w", err)
		}
		if err := write(page); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read the pages of the database: %w", err)
	}
	return nil
}
