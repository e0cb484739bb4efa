package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var embedded embed.FS

// migrations are the SQL texts that make and change the tables. Tests add
// later ones.
var migrations fs.FS = embedded

// Migrate is Upgrade with its defaults: an SQLite database is copied first,
// into the data folder.
func Migrate(ctx context.Context, c Config) (from, to int64, err error) {
	u, err := Upgrade(ctx, c, Precaution{})
	return u.From, u.To, err
}

// create gives a new database its tables. On SQLite nobody else may use the
// folder meanwhile; on PostgreSQL the migrations themselves take a lock.
func (s *Store) create(ctx context.Context) error {
	if s.locks == nil {
		return s.up(ctx)
	}
	made := func() (bool, error) {
		at, err := s.version(ctx)
		return at > 0, err
	}
	return s.locks.alone(made, func() error { return s.up(ctx) })
}

func (s *Store) up(ctx context.Context) error {
	provider, err := s.migrations()
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("make the tables: %w", err)
	}
	return nil
}

func (s *Store) migrations() (*goose.Provider, error) {
	folder, err := fs.Sub(migrations, s.engine.folder)
	if err != nil {
		return nil, err
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if s.engine.dialect == goose.DialectPostgres {
		// Asked for each second, not each five: a second server waits for the
		// first while it starts.
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
		if err != nil {
			return nil, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(s.engine.dialect, s.writers, folder, options...)
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	return provider, nil
}

// version is that of the tables: 0 in a new database.
func (s *Store) version(ctx context.Context) (int64, error) {
	var tables int
	if err := s.writers.QueryRowContext(ctx, s.engine.hasVersions).Scan(&tables); err != nil {
		return 0, fmt.Errorf("read the database: %w", err)
	}
	if tables == 0 {
		return 0, nil
	}
	var at int64
	if err := s.writers.QueryRowContext(ctx, newestVersion).Scan(&at); err != nil {
		return 0, fmt.Errorf("read the version of the tables: %w", err)
	}
	return at, nil
}

// SchemaVersion is the version of the tables that this program works with.
func SchemaVersion() int64 {
	entries, err := fs.ReadDir(migrations, sqliteEngine.folder)
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return int64(len(entries))
}

// checkVersion refuses tables of another version, in words.
func (s *Store) checkVersion(at int64) error {
	switch want := SchemaVersion(); {
	case at < want:
		return fmt.Errorf("the database has tables of version %d and this program works with %d: make a backup with khatm backup, stop the server, run khatm migrate", at, want)
	case at > want:
		return fmt.Errorf("the database was written by a newer khatm (tables of version %d, this program works with %d): use the newer program", at, want)
	}
	return nil
}

// Migrations are the SQL texts that make and change the tables.
func Migrations() fs.FS { return migrations }
