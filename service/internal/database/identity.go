package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Identity distinguishes a database from its copies.
type Identity struct {
	Inode uint64 // inode of the SQLite file
	Born  int64  // birth time of the SQLite file, in nanoseconds

	System   string // system identifier of PostgreSQL
	Timeline string // timeline of PostgreSQL
	Database uint32 // OID of the PostgreSQL database
	Table    uint32 // OID of the table installation in PostgreSQL
}

// Same reports whether two identities can belong to the same database. A field
// that is zero on one side is not compared.
func (i Identity) Same(as Identity) bool {
	return same(i.Inode, as.Inode) && same(i.Born, as.Born) && same(i.System, as.System) &&
		same(i.Timeline, as.Timeline) && same(i.Database, as.Database) && same(i.Table, as.Table)
}

func same[T comparable](a, b T) bool {
	var zero T
	return a == b || a == zero || b == zero
}

// Identity reads the identity of the database.
func (db *DB) Identity(ctx context.Context) (Identity, error) {
	if db.engine.Embedded {
		inode, born, err := fileIdentity(filepath.Join(db.config.Dir, File))
		if err != nil {
			return Identity{}, fmt.Errorf("identify the database: %w", err)
		}
		return Identity{Inode: inode, Born: born}, nil
	}
	ctx, cancel := db.reading(ctx)
	defer cancel()
	seen, err := db.server.inspect(ctx, func(query string) Scanner { return db.readers.QueryRowContext(ctx, query) })
	if err != nil {
		return Identity{}, Outage(fmt.Errorf("identify the database: %w", err))
	}
	return seen.Identity, nil
}

// Reconnections returns how often a new connection found the database server
// restarted or replaced. After each such change the database must be compared
// again before anything is issued. It is always 0 on SQLite.
func (db *DB) Reconnections() int64 { return db.server.changes.Load() }

// serverWatch inspects the database server on each new connection.
type serverWatch struct {
	changes atomic.Int64
	drops   atomic.Int64 // connections that were made before an increase are not used again
	session atomic.Bool  // there is a pooler, which keeps a session for each connection

	mu        sync.Mutex
	forbidden map[string]bool // queries that this role may not run
	seen      serverState
	known     bool
}

// serverState is the identity of a server as seen by one connection.
type serverState struct {
	Identity
	started string // when the server was started
	process uint32 // process of the server for this connection
}

// serverFacts are the queries that identify a server. Managed servers forbid
// some of them; the fields of these stay empty.
var serverFacts = []struct {
	query string
	into  func(*serverState) any
}{
	{`SELECT system_identifier::text FROM pg_control_system()`, func(s *serverState) any { return &s.System }},
	{`SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`, func(s *serverState) any { return &s.Timeline }},
	{`SELECT oid FROM pg_database WHERE datname = current_database()`, func(s *serverState) any { return &s.Database }},
	{`SELECT coalesce(to_regclass('installation')::oid, 0::oid)`, func(s *serverState) any { return &s.Table }},
	{`SELECT pg_postmaster_start_time()::text`, func(s *serverState) any { return &s.started }},
}

// errStandby is the error for a standby server, whose data may be old.
var errStandby = errors.New("the PostgreSQL server is a standby and must not issue invoices: connect to the primary")

// inspect reads the identity of the server, as far as the role may read it.
func (w *serverWatch) inspect(ctx context.Context, row func(query string) Scanner) (serverState, error) {
	var found serverState
	var standby bool
	if err := row(`SELECT pg_is_in_recovery(), pg_backend_pid()`).Scan(&standby, &found.process); err != nil {
		return found, err
	}
	if standby {
		return found, errStandby
	}
	for _, f := range serverFacts {
		if w.isForbidden(f.query) {
			continue
		}
		err := row(f.query).Scan(f.into(&found))
		var pg *pgconn.PgError
		switch {
		case errors.As(err, &pg) && strings.HasPrefix(pg.Code, "42"): // insufficient privilege or undefined function
			w.forbid(f.query)
		case err != nil && !errors.Is(err, sql.ErrNoRows):
			return found, errors.Join(err, ctx.Err())
		}
	}
	return found, nil
}

func (w *serverWatch) isForbidden(query string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.forbidden[query]
}

func (w *serverWatch) forbid(query string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.forbidden == nil {
		w.forbidden = map[string]bool{}
	}
	w.forbidden[query] = true
}

// connected inspects the server on a new connection, before it is used, and
// counts a change of the server.
func (w *serverWatch) connected(ctx context.Context, conn *pgx.Conn) error {
	now, err := w.inspect(ctx, func(query string) Scanner {
		// Each query runs once on a connection, so it is not worth preparing.
		return conn.QueryRow(ctx, query, pgx.QueryExecModeExec)
	})
	// A pooler does not give the number of the process to its clients.
	pooled := err == nil && now.process != conn.PgConn().PID()
	if pooled && w.session.Load() {
		err = configure(ctx, conn)
	}
	if err != nil {
		_ = conn.Close(ctx) // the driver does not
		return fmt.Errorf("identify the database server: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known && (now.started != w.seen.started || !now.Same(w.seen.Identity)) {
		w.changes.Add(1)
		w.drop() // they may be connections to the former server
	}
	w.seen, w.known = now, true
	conn.PgConn().CustomData()[connectionKey] = &connection{changes: w.changes.Load(), drops: w.drops.Load(), pooled: pooled}
	return nil
}
