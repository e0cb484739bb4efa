package store

import (
	"context"
	"io/fs"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/continuity"
	"khatm/service/internal/database"
)

// Config says which database, and brings the clock and the ids.
type Config struct {
	Dir   string // of the embedded database
	URL   string // of a PostgreSQL; empty: embedded
	Now   func() time.Time
	NewID func() uuid.UUID // time-ordered: later ids are greater
	Log   *slog.Logger

	// Point, in tests, is told of the steps of a transaction and may stop the
	// process there, or fail it.
	Point func(step string) error

	// Migrations replaces those of this program, in tests; nil otherwise.
	Migrations fs.FS

	// Committed is called after each transaction that changed something, with
	// nil or with why the database could not write it. It may be nil.
	Committed func(error)
	// Halted is called once, when written data could not be made durable. The
	// store then refuses every write; the process must end. It may be nil.
	Halted func(error)
}

func (c Config) database() database.Config {
	return database.Config{
		Dir: c.Dir, URL: c.URL, Now: c.Now, Log: c.Log, Point: c.Point, Migrations: c.Migrations, Committed: c.Committed, Halted: c.Halted,
	}
}

// unreported returns the configuration without the functions that are called
// with the outcome of writes.
func (c Config) unreported() Config {
	c.Committed, c.Halted = nil, nil
	return c
}

// Store is an open database.
type Store struct {
	db      *database.DB
	dialect database.Dialect
	now     func() time.Time
	newID   func() uuid.UUID
	log     *slog.Logger
	damage  damages
}

// Serve opens the database for a server. A new one is given its tables.
func Serve(ctx context.Context, c Config) (*Store, error) {
	return ready(ctx, c, database.Serve)
}

// Command opens the database for a command, beside a running server or alone.
func Command(ctx context.Context, c Config) (*Store, error) {
	return ready(ctx, c, database.Command)
}

// ready opens a database and makes sure that it is an installation whose tables
// have the version of this program.
func ready(ctx context.Context, c Config, mode database.Mode) (*Store, error) {
	s, err := open(ctx, c, mode)
	if err != nil {
		return nil, err
	}
	if err = s.db.EnsureTables(ctx); err == nil {
		err = s.undigested(ctx)
	}
	if err == nil {
		err = s.install(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// open opens a database and looks at no table.
func open(ctx context.Context, c Config, mode database.Mode) (*Store, error) {
	db, err := database.Open(ctx, c.database(), mode)
	if err != nil {
		return nil, err
	}
	return &Store{db: db, dialect: db.Dialect(), now: c.Now, newID: c.NewID, log: c.Log}, nil
}

// Close waits for writes under way and closes the database.
func (s *Store) Close() { s.db.Close() }

// Ping says whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.Ping(ctx) }

// Engine names the engine and its version, for people.
func (s *Store) Engine(ctx context.Context) (string, error) { return s.db.Engine(ctx) }

// PostgresVersion returns the major version of the server.
func (s *Store) PostgresVersion(ctx context.Context) (int, error) { return s.db.PostgresVersion(ctx) }

// Identity reads what tells this database from its copies.
func (s *Store) Identity(ctx context.Context) (continuity.Identity, error) {
	is, err := s.db.Identity(ctx)
	return continuity.Identity(is), err
}

// Reconnections counts how often a new connection found the database server
// restarted or replaced. The database must then be compared again before
// anything is issued. It stays 0 for the embedded database.
func (s *Store) Reconnections() int64 { return s.db.Reconnections() }
