package database

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var migrations embed.FS

// EnsureTables creates the tables of a new database. It returns an error if
// existing tables do not have the version that this program needs.
func (db *DB) EnsureTables(ctx context.Context) error {
	at, err := db.Version(ctx)
	if err != nil {
		return err
	}
	switch {
	case at == 0:
		err = db.create(ctx)
	case at < versionOf(db.config.Migrations):
		err = db.awaitMigration(ctx)
	default:
		return db.CheckVersion(at)
	}
	if err != nil {
		return err
	}
	if at, err = db.Version(ctx); err != nil {
		return err
	}
	return db.CheckVersion(at)
}

// awaitMigration waits on PostgreSQL until no other process creates or migrates the
// tables.
func (db *DB) awaitMigration(ctx context.Context) error {
	if db.engine.goose != goose.DialectPostgres {
		return nil
	}
	locker, err := migrationLock()
	if err != nil {
		return err
	}
	conn, err := db.writers.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // returns it to the pool
	if err := locker.SessionLock(ctx, conn); err != nil {
		return fmt.Errorf("wait for the end of a migration: %w", err)
	}
	return locker.SessionUnlock(ctx, conn)
}

// migrationLock returns the lock of a process that migrates PostgreSQL. It retries
// every second, not every five as goose does: a second server waits here during its
// start until the first has finished.
func migrationLock() (lock.SessionLocker, error) {
	return lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
}

// create creates the tables of a new database. On SQLite no other process may
// use the folder meanwhile; on PostgreSQL the migrations take a lock
// themselves.
func (db *DB) create(ctx context.Context) error {
	if db.locks == nil {
		return db.up(ctx)
	}
	made := func() (bool, error) {
		at, err := db.Version(ctx)
		return at > 0, err
	}
	return db.locks.alone(made, func() error { return db.up(ctx) })
}

// up runs the migrations that are missing. On a new SQLite database it creates the
// tables from the schema first, which leaves only later migrations, if any.
func (db *DB) up(ctx context.Context) error {
	if db.engine.Embedded && db.ownMigrations {
		if err := db.createTables(ctx); err != nil {
			return err
		}
	}
	provider, err := db.provider()
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate the tables: %w", err)
	}
	return nil
}

func (db *DB) provider() (*goose.Provider, error) {
	folder, err := fs.Sub(db.config.Migrations, db.engine.folder)
	if err != nil {
		return nil, err
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if db.engine.goose == goose.DialectPostgres {
		locker, err := migrationLock()
		if err != nil {
			return nil, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(db.engine.goose, db.writers, folder, options...)
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	return provider, nil
}

// Version returns the version of the schema, 0 for a new database.
func (db *DB) Version(ctx context.Context) (int64, error) {
	var tables int
	if err := db.writers.QueryRowContext(ctx, db.engine.hasVersions).Scan(&tables); err != nil {
		return 0, fmt.Errorf("look for the table of schema versions: %w", err)
	}
	if tables == 0 {
		return 0, nil
	}
	return VersionIn(ctx, db.writers)
}

// VersionIn reads the version of the schema from a database that has tables.
func VersionIn(ctx context.Context, from Queryer) (at int64, err error) {
	const newest = `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE version_id > 0`
	if err := from.QueryRowContext(ctx, newest).Scan(&at); err != nil {
		return 0, fmt.Errorf("read the schema version: %w", err)
	}
	return at, nil
}

// SchemaVersion returns the version of the schema that this program needs.
func SchemaVersion() int64 { return versionOf(migrations) }

// versionOf returns the version of the schema after all migrations.
func versionOf(all fs.FS) int64 {
	entries, err := fs.ReadDir(all, sqliteEngine.folder)
	if err != nil {
		panic(err) // the folder is embedded
	}
	// ReadDir sorts by name, and a name begins with the version.
	version, err := goose.NumericComponent(entries[len(entries)-1].Name())
	if err != nil {
		panic(err)
	}
	return version
}

// CheckVersion returns an error if at is not the version of the schema that
// this program needs.
func (db *DB) CheckVersion(at int64) error {
	switch want := versionOf(db.config.Migrations); {
	case at < want:
		return fmt.Errorf("the database has schema version %d, this program needs %d: make a backup with khatm backup, stop the server, run khatm migrate", at, want)
	case at > want:
		return fmt.Errorf("the database was written by a newer khatm (schema version %d, this program needs %d): use the newer program", at, want)
	}
	return nil
}

// Migrations returns the SQL files that create and change the tables.
func Migrations() fs.FS { return migrations }
