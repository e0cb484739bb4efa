package database

import (
	"context"
	"database/sql"
	"io/fs"
	"log/slog"
	"runtime"
	"time"
)

// Config selects the database and the functions that are called on its events.
type Config struct {
	Dir string // data folder, for SQLite
	URL string // address of PostgreSQL; empty means SQLite in Dir
	Now func() time.Time
	Log *slog.Logger

	// Wait is how long Open waits for a PostgreSQL server that cannot be reached, is
	// starting or has no free connection.
	Wait time.Duration

	// Cache is the size of SQLite's page cache in bytes, for each connection. 0
	// means DefaultCache.
	Cache int64
	// Connections limits the connections for reading SQLite, or all connections to
	// PostgreSQL. 0 means Readers(URL).
	Connections int
	// Read is called before each read, except those of snapshots and of the
	// database itself. It may wait, and end is called after the read. It may be
	// nil.
	Read func(ctx context.Context) (end func(), err error)

	// Point, set in tests only, is called at each step of a transaction. It may
	// stop the process or return an error.
	Point func(step string) error

	// Migrations, set in tests only, replaces the migrations of this program.
	Migrations fs.FS

	// Committed is called after each transaction that changed something: with
	// nil, or with the reason why the database could not write it. It may be
	// nil.
	Committed func(error)
	// Halted is called once, when written data could not be made durable. Every
	// later write returns ErrHalted and the process must be restarted. It may
	// be nil.
	Halted func(error)
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	engine engine
	config Config

	ownMigrations bool // those of this program

	writers *sql.DB
	readers *sql.DB // the same pool on PostgreSQL
	group   *group  // combines writes into one commit; nil on PostgreSQL
	locks   *locks  // nil on PostgreSQL
	reads   statements
	server  serverWatch // used on PostgreSQL only
}

// DefaultCache is the default size of SQLite's page cache.
const DefaultCache = 16 << 20

// Readers returns the number of connections for reading a database.
func Readers(url string) int {
	if url != "" {
		return postgresConnections
	}
	return max(4, 2*runtime.GOMAXPROCS(0))
}

// Mode is the way in which a process uses the database.
type Mode int

// The modes of a process.
const (
	Serve    Mode = iota // the only server of a data folder, or one of several on PostgreSQL
	Command              // a short command that may run beside a server
	Maintain             // exclusive use of the data folder, for migrations
)

// Open opens the database without reading any table. The caller must close it.
func Open(ctx context.Context, c Config, mode Mode) (*DB, error) {
	db := &DB{config: c}
	if c.Migrations == nil {
		db.config.Migrations, db.ownMigrations = migrations, true
	}
	if err := db.connect(ctx, mode); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func (db *DB) connect(ctx context.Context, mode Mode) error {
	if db.config.URL != "" {
		return db.openPostgres(ctx, db.config.URL, mode)
	}
	return db.openSQLite(ctx, db.config.Dir, mode)
}

// Close waits for pending writes and closes the database.
func (db *DB) Close() {
	if db.group != nil {
		db.group.close()
	}
	db.reads.close()
	if db.readers != nil && db.readers != db.writers {
		_ = db.readers.Close()
	}
	if db.writers != nil {
		_ = db.writers.Close()
	}
	if db.locks != nil {
		db.locks.release()
	}
}

// Ping returns an error if the database does not respond.
func (db *DB) Ping(ctx context.Context) error {
	var one int
	return Outage(db.readers.QueryRowContext(ctx, `SELECT 1`).Scan(&one))
}

// Pools returns the statistics of the pools of connections, by name: read and write
// on SQLite, shared on PostgreSQL.
func (db *DB) Pools() map[string]sql.DBStats {
	if db.readers == db.writers {
		return map[string]sql.DBStats{"shared": db.writers.Stats()}
	}
	return map[string]sql.DBStats{"read": db.readers.Stats(), "write": db.writers.Stats()}
}

// Engine returns the name and version of the engine, for display.
func (db *DB) Engine(ctx context.Context) (string, error) {
	var version string
	err := db.readers.QueryRowContext(ctx, db.engine.versionQuery).Scan(&version)
	return db.engine.name + " " + version, Outage(err)
}

// Dialect returns the SQL differences of the engine.
func (db *DB) Dialect() Dialect { return db.engine.Dialect }

// Point calls Config.Point with a step of a transaction. It returns nil if
// Config.Point is nil.
func (db *DB) Point(step string) error {
	if db.config.Point == nil {
		return nil
	}
	return db.config.Point(step)
}
