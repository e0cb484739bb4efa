// Package storetest opens stores for tests on both engines, with a clock that
// only moves when the test advances it.
package storetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/database"
	"khatm/service/internal/store"
	"khatm/service/internal/store/pgtest"
)

// Start is the initial time of a Clock: noon in Riyadh on a Sunday.
var Start = time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)

// Clock is a clock that only tests advance.
type Clock = testtool.Clock

// NewClock returns a clock set to Start.
func NewClock() *Clock { return testtool.NewClock(Start) }

// Each runs a test on SQLite and on PostgreSQL.
func Each(t *testing.T, test func(t *testing.T, c store.Config)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, Postgres(t)) })
}

// Mostly runs a test on SQLite, and under testtool.All also on PostgreSQL, where other
// tests run the same statements in every run.
func Mostly(t *testing.T, test func(t *testing.T, c store.Config)) {
	t.Helper()
	if testtool.All() {
		Each(t, test)
		return
	}
	t.Run("SQLite", func(t *testing.T) { test(t, SQLite(t)) })
}

// SQLite returns the configuration of a new SQLite database with its tables.
func SQLite(t testing.TB) store.Config {
	t.Helper()
	c := Empty(t)
	Migrated(t, c.Dir)
	return c
}

// Migrated writes a new SQLite database with its tables into a folder.
func Migrated(t testing.TB, dir string) {
	t.Helper()
	file, err := migratedFile()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, store.DatabaseFile), file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Empty returns the configuration of an SQLite database that does not exist
// yet.
func Empty(t testing.TB) store.Config {
	t.Helper()
	return config(store.Config{Dir: t.TempDir()})
}

// migratedFile returns the file of an SQLite database that was only migrated.
// It is made once, because running the migrations takes longer than most tests.
// All copies therefore share one installation id.
var migratedFile = sync.OnceValues(func() ([]byte, error) {
	if os.Getenv("KHATM_IN_MEMORY") == "" {
		return migrateFile()
	}
	// Other processes use the file too; scripts/in-memory removes it.
	sum, err := digest()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(os.TempDir(), "khatm-migrated-"+sum)
	file, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if file, err = migrateFile(); err != nil {
		return nil, err
	}
	return file, writeWhole(path, file)
})

// migrateFile migrates a new database and returns its file.
func migrateFile() (file []byte, err error) {
	dir, err := os.MkdirTemp("", "khatm-template-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if _, _, err := store.Migrate(context.Background(), config(store.Config{Dir: dir})); err != nil {
		return nil, err
	}
	// Closing the last connection has copied the write-ahead log into the file.
	if _, err := os.Stat(filepath.Join(dir, store.DatabaseFile+"-wal")); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the migrated database still has a write-ahead log: %w", err)
	}
	return os.ReadFile(filepath.Join(dir, store.DatabaseFile))
}

// writeWhole writes a file that other processes see only when it is complete.
func writeWhole(path string, data []byte) error {
	part, err := os.CreateTemp(filepath.Dir(path), "khatm-part-")
	if err != nil {
		return err
	}
	_, err = part.Write(data)
	if err := errors.Join(err, part.Close()); err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return os.Rename(part.Name(), path)
}

// Postgres returns the configuration of a database on the test server with its
// tables, which no other test uses at the same time. All of them share one
// installation id, as with SQLite.
func Postgres(t testing.TB) store.Config {
	t.Helper()
	return config(store.Config{URL: pgtest.Pooled(t, "khatm_"+version(t), migrate)})
}

// NewPostgres is like Postgres, but no other test uses the database, and no other
// connection to it stays open. It is for tests that copy the database or read what
// the server counts for it.
func NewPostgres(t testing.TB) store.Config {
	t.Helper()
	return config(store.Config{URL: pgtest.Template(t, "khatm_"+version(t), migrate)})
}

func migrate(url string) error {
	_, _, err := store.Migrate(context.Background(), config(store.Config{URL: url}))
	return err
}

func config(c store.Config) store.Config {
	clock := NewClock()
	c.Now, c.NewID, c.Log = clock.Now, NewIDs(), slog.New(slog.DiscardHandler)
	c.Connections = Connections(c.URL)
	return c
}

// Connections returns how many connections a test opens for reading SQLite, or to
// PostgreSQL. For each, SQLite parses the whole schema, and PostgreSQL starts a process
// and plans every statement, which takes longer than most tests. It is more under
// testtool.All; benchmarks and long tests open as many as a server does.
func Connections(url string) int {
	switch {
	case os.Getenv("KHATM_BENCH") != "" || os.Getenv("KHATM_TORTURE") != "":
		return 0
	case url != "" && testtool.All():
		return 6
	case url != "":
		return 3
	case testtool.All():
		return 2
	default:
		return 1
	}
}

// Open opens a store like a server and closes it after the test.
func Open(t testing.TB, c store.Config) *store.Store {
	t.Helper()
	s, err := store.Serve(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// NewIDs returns a generator of ordered ids that are the same in every run.
// Processes that share a database must not use the same ids.
func NewIDs() func() uuid.UUID {
	var mu sync.Mutex
	var n uint32
	return func() uuid.UUID {
		mu.Lock()
		defer mu.Unlock()
		n++
		id := uuid.UUID{0: 0x01, 6: 0x70, 8: 0x80}
		id[12], id[13], id[14], id[15] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
		return id
	}
}

// version returns a digest of the migrations, so that a template of older ones
// is not used.
func version(t testing.TB) string {
	t.Helper()
	sum, err := digest()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func digest() (string, error) {
	sum := sha256.New()
	migrations := database.Migrations()
	err := fs.WalkDir(migrations, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations, path)
		sum.Write(text)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
}
