package database

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// File is the name of the SQLite database in the data folder. Only the driver
// may open it: when a process closes a file, it loses all its locks on that
// file.
const File = "khatm.db"

func (db *DB) openSQLite(ctx context.Context, dir string, mode Mode) error {
	db.engine = sqliteEngine
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create the data folder: %w", err)
	}
	if err := refuseNetworkFolder(dir); err != nil {
		return err
	}
	var err error
	if db.locks, err = takeLocks(dir, mode); err != nil {
		return err
	}
	path := filepath.Join(dir, File)
	if err := makePrivate(path); err != nil {
		return err
	}
	if db.writers, err = sql.Open("sqlite", db.dataSource(path, "_txlock=immediate")); err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	// One connection: two writers would only wait for each other, and a
	// transaction that begins as a reader cannot always become a writer.
	db.writers.SetMaxOpenConns(1)
	if err := untilFree(ctx, func() error { return checkSQLite(ctx, db.writers) }); err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	if db.readers, err = sql.Open("sqlite", db.dataSource(path, "_pragma=query_only(1)")); err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	readers := cmp.Or(db.config.Connections, Readers(""))
	db.readers.SetMaxOpenConns(readers)
	db.readers.SetMaxIdleConns(readers)
	if mode == Serve {
		if err := db.emptyLog(ctx); err != nil {
			return err
		}
	}
	db.group = newGroup(db)
	return nil
}

// untilFree retries while the database is locked. When several processes create
// a database at the same time, they collide in switching on the write-ahead
// log, and SQLite's busy timeout does not apply there.
func untilFree(ctx context.Context, try func() error) error {
	again := time.NewTicker(retryInterval)
	defer again.Stop()
	for range useWait / retryInterval {
		if err := try(); !isBusy(err) {
			return err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return try()
}

// makePrivate creates the file of a new database with mode 0600; SQLite creates
// its other files with the same mode. It does not open an existing file,
// because closing the file would drop the locks that this process has on it.
func makePrivate(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create the database: %w", err)
	}
	return file.Close()
}

func (db *DB) dataSource(path, more string) string {
	cache := cmp.Or(db.config.Cache, DefaultCache)
	file := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}
	return file.String() + "?" + more +
		"&_pragma=busy_timeout(10000)" +
		"&_pragma=journal_mode(WAL)" +
		// With NORMAL a power cut could lose acknowledged invoices, and their
		// numbers would be used again.
		"&_pragma=synchronous(FULL)" +
		"&_pragma=foreign_keys(1)" +
		"&_pragma=cache_size(-" + strconv.FormatInt(cache>>10, 10) + ")"
}

// leastSQLite is the first version without the race between checkpoint and
// writer that corrupts the write-ahead log.
var leastSQLite = [3]int{3, 51, 3}

// checkSQLite returns an error if the library or a setting could lose
// documents.
func checkSQLite(ctx context.Context, db *sql.DB) error {
	var version, journal string
	var synchronous, foreign int
	for query, into := range map[string]any{
		`SELECT sqlite_version()`: &version,
		`PRAGMA journal_mode`:     &journal,
		`PRAGMA synchronous`:      &synchronous,
		`PRAGMA foreign_keys`:     &foreign,
	} {
		if err := db.QueryRowContext(ctx, query).Scan(into); err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
	}
	if older(version, leastSQLite) {
		return fmt.Errorf("SQLite %s can corrupt its write-ahead log; use 3.51.3 or newer", version)
	}
	if journal != "wal" || synchronous != 2 || foreign != 1 {
		return fmt.Errorf("unsafe settings: journal_mode %s, synchronous %d, foreign_keys %d; want wal, 2, 1", journal, synchronous, foreign)
	}
	return nil
}

func older(version string, least [3]int) bool {
	parts := strings.Split(version, ".")
	for i, want := range least {
		got := 0
		if i < len(parts) {
			got, _ = strconv.Atoi(parts[i])
		}
		if got != want {
			return got < want
		}
	}
	return false
}
