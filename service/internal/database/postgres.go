package database

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgresConnections is the maximum number of connections of one process.
const postgresConnections = 24

func (db *DB) openPostgres(ctx context.Context, url string, mode Mode) error {
	db.engine = postgresEngine
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return errPostgresAddress
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "khatm"
	}
	// Together with byte-wise collation and numeric dates this makes results
	// independent of the server's locale.
	config.RuntimeParams["TimeZone"] = "UTC"
	if config.RuntimeParams["statement_timeout"] == "" {
		config.RuntimeParams["statement_timeout"] = "30000"
	}
	if mode == Maintain {
		config.RuntimeParams["statement_timeout"] = "0" // migrating a large table takes a long time
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = readTime
	}
	db.writers = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(db.server.connected))
	db.readers = db.writers
	db.writers.SetMaxOpenConns(postgresConnections)
	db.writers.SetMaxIdleConns(postgresConnections)
	db.writers.SetConnMaxIdleTime(5 * time.Minute)
	if err := checkPostgres(ctx, db.writers); err != nil {
		return fmt.Errorf("PostgreSQL at %s: %w", config.Host, err)
	}
	return nil
}

// checkPostgres returns an error if a setting of the server could lose
// documents.
func checkPostgres(ctx context.Context, db *sql.DB) error {
	var unsafe []string
	for _, setting := range []string{"fsync", "full_page_writes", "synchronous_commit"} {
		var value string
		if err := db.QueryRowContext(ctx, `SELECT current_setting($1)`, setting).Scan(&value); err != nil {
			return fmt.Errorf("read the setting %s: %w", setting, err)
		}
		if value == "off" {
			unsafe = append(unsafe, setting+" is "+value)
		}
	}
	if unsafe != nil {
		return fmt.Errorf("a crash could lose invoices: %s; set it to on", strings.Join(unsafe, ", "))
	}
	var encoding string
	if err := db.QueryRowContext(ctx, `SELECT current_setting('server_encoding')`).Scan(&encoding); err != nil {
		return fmt.Errorf("read the server encoding: %w", err)
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the database has the encoding %s, want UTF8: create it with ENCODING 'UTF8'", encoding)
	}
	return nil
}
