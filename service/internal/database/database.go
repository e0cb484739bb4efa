package database

import (
	"context"
	"database/sql"
	"io/fs"
	"log/slog"
	"time"
)

// Config selects the database and says what it reports to.
type Config struct {
	Dir string // data folder, for SQLite
	URL string // address of PostgreSQL; empty: SQLite in Dir
	Now func() time.Time
	Log *slog.Logger

	// Point, in tests, is called with the steps of a transaction and may stop
	// the process there, or fail it.
	Point func(step string) error

	// Migrations replaces those of this program, in tests; nil otherwise.
	Migrations fs.FS

	// Committed is called after each transaction that changed something, with
	// nil or with why the database could not write it. It may be nil.
	Committed func(error)
	// Halted is called once, when written data could not be made durable. Every
	// later write returns ErrHalted; the process must end. It may be nil.
	Halted func(error)
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	engine engine
	config Config

	writers *sql.DB
	readers *sql.DB // the same pool on PostgreSQL
	group   *group  // gathers writes into one commit; nil on PostgreSQL
	locks   *locks  // nil on PostgreSQL
	reads   statements
	server  serverWatch // of PostgreSQL
}

// Mode says how a process uses the database.
type Mode int

// The modes.
const (
	Serve    Mode = iota // the one server of a data folder, or one of many on PostgreSQL
	Command              // a short command, perhaps beside a server
	Maintain             // alone in the data folder: migrations
)

// Open opens the database without reading a table. The caller closes it.
func Open(ctx context.Context, c Config, mode Mode) (*DB, error) {
	if c.Migrations == nil {
		c.Migrations = migrations
	}
	db := &DB{config: c}
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

// Close waits for writes under way and closes the database.
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

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	var one int
	return Outage(db.readers.QueryRowContext(ctx, `SELECT 1`).Scan(&one))
}

// Engine returns the name and the version of the engine, for people.
func (db *DB) Engine(ctx context.Context) (string, error) {
	var version string
	err := db.readers.QueryRowContext(ctx, db.engine.versionQuery).Scan(&version)
	return db.engine.name + " " + version, Outage(err)
}

// Dialect returns how queries differ between the engines.
func (db *DB) Dialect() Dialect { return db.engine.Dialect }

// Point reports a step of a transaction to Config.Point. Outside tests it
// returns nil.
func (db *DB) Point(step string) error {
	if db.config.Point == nil {
		return nil
	}
	return db.config.Point(step)
}
