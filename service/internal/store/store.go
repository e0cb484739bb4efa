package store

import (
	"context"
	"database/sql"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/continuity"
	"khatm/service/internal/database"
)

// Config selects the database and provides the clock and the ids.
type Config struct {
	Dir   string // folder of the SQLite database
	URL   string // address of PostgreSQL; empty means SQLite in Dir
	Now   func() time.Time
	NewID func() uuid.UUID // time-ordered: later ids are greater
	Log   *slog.Logger

	Wait        time.Duration                                     // see database.Config
	Cache       int64                                             // see database.Config
	Connections int                                               // see database.Config
	Read        func(ctx context.Context) (end func(), err error) // see database.Config

	// Point, set in tests only, is called at each step of a transaction. It may
	// stop the process or return an error.
	Point func(step string) error

	// Migrations, set in tests only, replaces the migrations of this program.
	Migrations fs.FS

	// Committed is called after each transaction that changed something: with
	// nil, or with the reason why the database could not write it. It may be
	// nil.
	Committed func(error)
	// Halted is called once, when written data could not be made durable. The
	// store then refuses every write and the process must be restarted. It may
	// be nil.
	Halted func(error)
}

func (c Config) database() database.Config {
	return database.Config{
		Dir: c.Dir, URL: c.URL, Now: c.Now, Log: c.Log, Wait: c.Wait, Cache: c.Cache, Connections: c.Connections, Read: c.Read, Point: c.Point, Migrations: c.Migrations, Committed: c.Committed, Halted: c.Halted,
	}
}

// unreported returns the configuration without the functions that are called
// with the result of writes.
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
	keys    keyLookups
	appends appends
	inserts insertTexts

	statistics statistics
	limits     searchLimits

	archiver atomic.Pointer[archiver] // nil without an archive
}

// Serve opens the database for a server. It creates the tables of a new
// database.
func Serve(ctx context.Context, c Config) (*Store, error) {
	return ready(ctx, c, database.Serve)
}

// Command opens the database for a command, with or without a running server.
func Command(ctx context.Context, c Config) (*Store, error) {
	return ready(ctx, c, database.Command)
}

// ready opens a database and ensures that it is an installation with the schema
// version of this program.
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

// open opens a database without reading any table.
func open(ctx context.Context, c Config, mode database.Mode) (*Store, error) {
	db, err := database.Open(ctx, c.database(), mode)
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, dialect: db.Dialect(), now: c.Now, newID: c.NewID, log: c.Log, limits: defaultLimits()}
	s.appends.most, s.appends.alone = appendsAtOnce, make(chan struct{}, appendsAlone)
	if s.dialect.Embedded {
		s.appends.most = 1
	}
	return s, nil
}

// Close waits for pending writes and closes the database.
func (s *Store) Close() {
	if a := s.archiver.Load(); a != nil {
		a.close()
	}
	s.db.Close()
}

// Ping returns an error if the database does not respond.
func (s *Store) Ping(ctx context.Context) error { return s.db.Ping(ctx) }

// Pools returns the statistics of the pools of connections, by name.
func (s *Store) Pools() map[string]sql.DBStats { return s.db.Pools() }

// Engine returns the name and version of the engine, for display.
func (s *Store) Engine(ctx context.Context) (string, error) { return s.db.Engine(ctx) }

// PostgresVersion returns the major version of the server.
func (s *Store) PostgresVersion(ctx context.Context) (int, error) { return s.db.PostgresVersion(ctx) }

// Identity reads the identity of the database, which distinguishes it from its
// copies.
func (s *Store) Identity(ctx context.Context) (continuity.Identity, error) {
	is, err := s.db.Identity(ctx)
	return continuity.Identity(is), err
}

// Reconnections returns how often a new connection found the database server
// restarted or replaced. After each such change the database must be compared
// again before anything is issued. It is always 0 on SQLite.
func (s *Store) Reconnections() int64 { return s.db.Reconnections() }
