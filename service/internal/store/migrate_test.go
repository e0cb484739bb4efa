package store_test

import (
	"context"
	"io/fs"
	"testing"

	"github.com/pressly/goose/v3"

	"khatm/internal/testtool"
	"khatm/service/internal/database"
	"khatm/service/internal/store"
	"khatm/service/internal/store/pgtest"
	"khatm/service/internal/store/storetest"
)

// openers returns the functions that open a database.
func openers() map[string]func(context.Context, store.Config) error {
	closing := func(open func(context.Context, store.Config) (*store.Store, error)) func(context.Context, store.Config) error {
		return func(ctx context.Context, c store.Config) error {
			s, err := open(ctx, c)
			if err == nil {
				s.Close()
			}
			return err
		}
	}
	return map[string]func(context.Context, store.Config) error{
		"serve":   closing(store.Serve),
		"command": closing(store.Command),
		"migrate": func(ctx context.Context, c store.Config) error {
			_, _, err := store.Migrate(ctx, c)
			return err
		},
	}
}

// atVersion runs a test on an empty database of each engine with the tables of an
// earlier version. It does so under testtool.All: released migrations do not change.
func atVersion(t *testing.T, version int64, test func(t *testing.T, s *fixture)) {
	t.Helper()
	if !testtool.All() {
		t.Skip("runs with make check")
	}
	for name, c := range emptyDatabases(t) {
		t.Run(name, func(t *testing.T) {
			dialect, folder := goose.DialectSQLite3, "migrations/sqlite"
			if c.URL != "" {
				dialect, folder = goose.DialectPostgres, "migrations/postgres"
			}
			all, err := fs.Sub(database.Migrations(), folder)
			ok(t, err)
			s := &fixture{t: t, ctx: t.Context(), config: c, raw: rawDatabase(t, c)}
			before, err := goose.NewProvider(dialect, s.raw, all, goose.WithDisableGlobalRegistry(true))
			ok(t, err)
			_, err = before.UpTo(s.ctx, version)
			ok(t, err)
			test(t, s)
		})
	}
}

// emptyDatabases returns the configuration of a database without tables for each
// engine.
func emptyDatabases(t *testing.T) map[string]store.Config {
	t.Helper()
	lite, postgres := storetest.Empty(t), storetest.Empty(t)
	postgres.Dir, postgres.URL = "", pgtest.URL(t)
	return map[string]store.Config{"SQLite": lite, "PostgreSQL": postgres}
}

func TestMigrateNewDatabase(t *testing.T) {
	t.Parallel()
	for name, c := range emptyDatabases(t) {
		t.Run(name, func(t *testing.T) {
			for _, want := range [][2]int64{{0, store.SchemaVersion()}, {store.SchemaVersion(), store.SchemaVersion()}} {
				from, to, err := store.Migrate(t.Context(), c)
				same(t, want)([2]int64{from, to}, err)
			}
			s, err := store.Command(t.Context(), c)
			ok(t, err)
			s.Close()
		})
	}
}

func TestNewerTablesAreRefused(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		s.Close()
		applied := "1"
		if s.config.URL != "" {
			applied = "true"
		}
		s.execute(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, `+applied+`)`, store.SchemaVersion()+1)
		for name, open := range openers() {
			t.Run(name, func(t *testing.T) {
				says(t, open(s.ctx, s.config), "written by a newer khatm", "use the newer program")
			})
		}
	})
}

func TestOlderTablesAreRefused(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		s.Close()
		s.execute(`DELETE FROM goose_db_version WHERE version_id = $1`, store.SchemaVersion())
		words := []string{"make a backup", "run khatm migrate"}
		if store.SchemaVersion() == 1 {
			words = []string{"migrate the tables"} // without a version the database counts as new
		}
		for _, name := range []string{"serve", "command"} {
			t.Run(name, func(t *testing.T) { says(t, openers()[name](s.ctx, s.config), words...) })
		}
	})
}
