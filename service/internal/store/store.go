package store

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"github.com/google/uuid"
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

	// Committed is called after each transaction that changed something, with
	// nil or with why the database could not write it. It may be nil.
	Committed func(error)
	// Halted is called once, when written data could not be made durable. The
	// store then refuses every write; the process must end. It may be nil.
	Halted func(error)
}

// Store is an open database.
type Store struct {
	engine engine
	now    func() time.Time
	newID  func() uuid.UUID
	log    *slog.Logger
	point  func(step string) error

	committed, halted func(error) // see Config

	writers *sql.DB
	readers *sql.DB // the same pool on PostgreSQL
	group   *group  // gathers writes into one commit; nil on PostgreSQL
	locks   *locks  // nil on PostgreSQL
	reads   statements
	damage  damages
	dir     string      // of the embedded database
	server  serverWatch // of PostgreSQL
}

// use says how a process means to use the database.
type use int

const (
	serving     use = iota // the one server of a folder, or one of many
	commanding             // a short command, beside a server perhaps
	maintaining            // alone: migrations
)

// Serve opens the database for a server. A new one is given its tables.
func Serve(ctx context.Context, c Config) (*Store, error) { return open(ctx, c, serving) }

// Command opens the database for a command, beside a running server or alone.
func Command(ctx context.Context, c Config) (*Store, error) { return open(ctx, c, commanding) }

func open(ctx context.Context, c Config, how use) (*Store, error) {
	s := &Store{now: c.Now, newID: c.NewID, log: c.Log, point: c.Point, committed: c.Committed, halted: c.Halted, dir: c.Dir}
	err := s.connect(ctx, c, how)
	if err == nil {
		err = s.ready(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// connect opens the database of the configuration and looks at no table.
func (s *Store) connect(ctx context.Context, c Config, how use) error {
	if c.URL != "" {
		return s.openPostgres(ctx, c.URL, how)
	}
	return s.openSQLite(ctx, c.Dir, how)
}

// ready makes sure that the tables are there and of our version.
func (s *Store) ready(ctx context.Context) error {
	at, err := s.version(ctx)
	if err != nil {
		return err
	}
	if at == 0 {
		if err := s.create(ctx); err != nil {
			return err
		}
		if at, err = s.version(ctx); err != nil {
			return err
		}
	}
	if err := s.checkVersion(at); err != nil {
		return err
	}
	if err := s.undigested(ctx); err != nil {
		return err
	}
	return s.install(ctx)
}

// Close waits for writes under way and closes the database.
func (s *Store) Close() {
	if s.group != nil {
		s.group.close()
	}
	s.reads.close()
	if s.readers != nil && s.readers != s.writers {
		_ = s.readers.Close()
	}
	if s.writers != nil {
		_ = s.writers.Close()
	}
	if s.locks != nil {
		s.locks.release()
	}
}

// Ping says whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	var one int
	return s.outage(s.readers.QueryRowContext(ctx, `SELECT 1`).Scan(&one))
}

// Engine names the engine and its version, for people.
func (s *Store) Engine(ctx context.Context) (string, error) {
	var version string
	err := s.readers.QueryRowContext(ctx, s.engine.versionQuery).Scan(&version)
	return s.engine.name + " " + version, s.outage(err)
}
