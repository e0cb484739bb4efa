package database

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
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
	// Warnings of a commit must arrive.
	config.RuntimeParams["client_min_messages"] = "warning"
	config.OnNotice = noticed
	several := hosts(config) > 1
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = readTime
		if several {
			config.ConnectTimeout = hostConnectTime
		}
	}
	if several && config.ValidateConnect == nil {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	options := []stdlib.OptionOpenDB{stdlib.OptionAfterConnect(db.server.connected), stdlib.OptionResetSession(db.server.reused)}
	if several {
		options = append(options, stdlib.OptionShouldPing(db.server.answers))
	}
	db.writers = stdlib.OpenDB(*config, options...)
	db.readers = db.writers
	connections := cmp.Or(db.config.Connections, postgresConnections)
	db.writers.SetMaxOpenConns(connections)
	db.writers.SetMaxIdleConns(connections)
	db.writers.SetConnMaxIdleTime(5 * time.Minute)
	if err := db.awaitPostgres(ctx, config.Host); err != nil {
		return fmt.Errorf("PostgreSQL at %s: %w", config.Host, err)
	}
	return nil
}

// hosts returns the number of servers of an address.
func hosts(c *pgx.ConnConfig) int {
	type host struct {
		name string
		port uint16
	}
	all := map[host]bool{{c.Host, c.Port}: true}
	for _, f := range c.Fallbacks { // also has the same host without TLS
		all[host{f.Host, f.Port}] = true
	}
	return len(all)
}

// awaitInterval is the time between two attempts to connect while Open waits.
const awaitInterval = 250 * time.Millisecond

// awaitPostgres checks the server, for at most Config.Wait while it is not
// available. After a restart of the machine it may start later than this process.
func (db *DB) awaitPostgres(ctx context.Context, host string) error {
	wait := db.config.Wait
	for until := time.Now().Add(wait); ; {
		err := db.server.requireSession(ctx, db.writers)
		if err == nil {
			err = checkPostgres(ctx, db.writers)
		}
		if err == nil || !isOutage(err) || isForbidden(err) || !time.Now().Add(awaitInterval).Before(until) {
			return err
		}
		if wait > 0 {
			db.config.Log.Warn("PostgreSQL is not available; waiting for it", "host", host, "for", wait.String(), "cause", err.Error())
			wait = 0 // logged once
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(awaitInterval):
		}
	}
}

// checkPostgres returns an error if a setting of the server could lose
// documents.
func checkPostgres(ctx context.Context, db *sql.DB) error {
	settings := []string{"fsync", "full_page_writes", "synchronous_commit"}
	values := make([]string, len(settings))
	var encoding string
	const query = `SELECT current_setting($1), current_setting($2), current_setting($3), current_setting('server_encoding')`
	err := db.QueryRowContext(ctx, query, settings[0], settings[1], settings[2]).Scan(&values[0], &values[1], &values[2], &encoding)
	if err != nil {
		return fmt.Errorf("read the settings of the server: %w", err)
	}
	var unsafe []string
	for i, setting := range settings {
		if values[i] == "off" {
			unsafe = append(unsafe, setting+" is "+values[i])
		}
	}
	if unsafe != nil {
		return fmt.Errorf("a crash could lose invoices: %s; set it to on", strings.Join(unsafe, ", "))
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the database has the encoding %s, want UTF8: create it with ENCODING 'UTF8'", encoding)
	}
	return nil
}
