package database

import (
	"context"
	_ "embed"
	"fmt"
)

// schema creates the tables of a new SQLite database as all migrations leave them,
// with their rows. It is written by make golden.
//
//go:embed schema.sql
var schema string

// createTables creates the tables of an SQLite database without any, in one
// transaction. All migrations in turn take several times as long, because SQLite
// parses the whole schema again for each column that they add.
func (db *DB) createTables(ctx context.Context) error {
	begun, err := db.writers.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("create the tables: %w", err)
	}
	defer func() { _ = begun.Rollback() }() // no effect after a commit
	var objects int
	if err := begun.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&objects); err != nil {
		return fmt.Errorf("create the tables: %w", err)
	}
	if objects > 0 {
		return nil
	}
	if _, err := begun.ExecContext(ctx, schema); err != nil {
		return fmt.Errorf("create the tables: %w", err)
	}
	if err := db.Point("tables created"); err != nil {
		return err
	}
	if err := begun.Commit(); err != nil {
		return fmt.Errorf("create the tables: %w", err)
	}
	return nil
}
