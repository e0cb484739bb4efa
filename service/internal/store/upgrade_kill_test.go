package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// laterMigrations are migrations that a later version could have: a new table
// that is filled from the documents, a change of all its rows, a new index.
func laterMigrations() error {
	const (
		fill   = `INSERT INTO later (n, xml) SELECT numbers.n, d.xml FROM document d CROSS JOIN (WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 150) SELECT n FROM n) numbers;`
		change = "-- +goose Up\nUPDATE later SET n = -n;\nDELETE FROM later WHERE n > -50;\n"
		index  = "-- +goose Up\nCREATE INDEX later_by_n ON later (n);\n"
	)
	for n, text := range [][2]string{
		{"-- +goose Up\nCREATE TABLE later (n INTEGER NOT NULL, xml BLOB NOT NULL) STRICT;\n" + fill, "-- +goose Up\nCREATE TABLE later (n bigint NOT NULL, xml bytea NOT NULL);\n" + fill},
		{change, change},
		{index, index},
	} {
		name := fmt.Sprintf("%05d_later.sql", store.SchemaVersion()+1)
		if err := store.AddMigration(name, text[0], text[1]); err != nil {
			return fmt.Errorf("migration %d: %w", n, err)
		}
	}
	return nil
}

// playUpgrade brings a database to a later version, opens it as a server does
// and prints a digest of each document.
func playUpgrade([]string) error {
	if err := laterMigrations(); err != nil {
		return err
	}
	ctx := context.Background()
	fmt.Println("begin")
	done, err := store.Upgrade(ctx, mine(), store.Precaution{})
	if err != nil {
		return err
	}
	if done.To != store.SchemaVersion() {
		return fmt.Errorf("the tables are of version %d", done.To)
	}
	fmt.Println("end", done.From)
	s, err := store.Serve(ctx, mine())
	if err != nil {
		return err
	}
	defer s.Close()
	digests, err := storetest.Digests(ctx, s)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(digests)
}

// TestKilledWhileUpgrading kills an upgrade at points that are spread over its
// whole duration. The next one goes on: it ends, every document is what it
// was, and a server starts.
func TestKilledWhileUpgrading(t *testing.T) {
	t.Parallel()
	kills := 4
	if os.Getenv("KHATM_TORTURE") == "1" {
		kills = 20
	}
	for name, fixture := range map[string]string{"SQLite": "schema-9-sqlite", "PostgreSQL": "schema-9-postgresql"} {
		t.Run(name, func(t *testing.T) {
			f := readUpgradeFixture(t, fixture)
			whole := f.upgrade(t, f.database(t), -1)
			stages := map[string]int{}
			for n := range kills {
				c := f.database(t)
				f.upgrade(t, c, whole*time.Duration(2*n+1)/time.Duration(2*kills))
				stages[stageOf(t, c)]++
				f.upgrade(t, c, -1)
			}
			if len(stages) < 2 {
				t.Errorf("all kills came at the same stage: %v", stages)
			}
			t.Logf("scenario | upgrade killed and run again, %s | %d kills in %s | 0 | documents identical, server starts; found after the kill: %v", name, kills, whole.Round(time.Millisecond), stages)
		})
	}
}

// upgradeFixture is an installation of an older version.
type upgradeFixture struct {
	dir       string
	dump      string // of PostgreSQL
	Documents map[string]string
}

func readUpgradeFixture(t *testing.T, name string) upgradeFixture {
	t.Helper()
	var f upgradeFixture
	var err error
	f.dir, err = storetest.Unpack(t, filepath.Join("testdata", "upgrade", name+".tar.gz"))
	ok(t, err)
	text, err := os.ReadFile(filepath.Join(f.dir, "fixture.json"))
	ok(t, err)
	ok(t, json.Unmarshal(text, &f))
	if dump, err := os.ReadFile(filepath.Join(f.dir, "dump.sql")); err == nil {
		f.dump = string(dump)
	}
	return f
}

// database makes a new database of the older version.
func (f upgradeFixture) database(t *testing.T) store.Config {
	t.Helper()
	c := storetest.SQLite(t)
	if f.dump != "" {
		c.Dir, c.URL = "", storetest.Loaded(t, f.dump)
		return c
	}
	old, err := os.ReadFile(filepath.Join(f.dir, "data", store.DatabaseFile))
	ok(t, err)
	ok(t, os.WriteFile(filepath.Join(c.Dir, store.DatabaseFile), old, 0o600))
	return c
}

// upgrade runs an upgrade in another process and returns how long it took. If
// after is not negative it is killed then, unless it has ended.
func (f upgradeFixture) upgrade(t *testing.T, c store.Config, after time.Duration) time.Duration {
	t.Helper()
	victim := start(t, "upgrade", c)
	if line := victim.line(); line != "begin" {
		t.Fatalf("it said %q", line)
	}
	began := time.Now()
	if after >= 0 {
		time.Sleep(after)
		ok(t, victim.run.Process.Kill())
		_ = victim.end() // killed
		return after
	}
	if line := victim.line(); !strings.HasPrefix(line, "end ") {
		t.Fatalf("it said %q", line)
	}
	took := time.Since(began)
	var got map[string]string
	ok(t, json.Unmarshal([]byte(victim.line()), &got))
	ok(t, victim.end())
	if len(f.Documents) == 0 || !maps.Equal(got, f.Documents) {
		t.Errorf("documents %v, want %v", got, f.Documents)
	}
	return took
}

// stageOf says how far a killed upgrade had come.
func stageOf(t *testing.T, c store.Config) string {
	t.Helper()
	s := &shop{t: t, ctx: t.Context(), config: c, raw: rawDatabase(t, c)}
	stage := fmt.Sprint("tables of version ", s.count(`SELECT max(version_id) FROM goose_db_version`))
	ok(t, s.raw.Close())
	if c.URL != "" {
		return stage
	}
	for _, kind := range []string{"partial", "db"} {
		if found, _ := filepath.Glob(filepath.Join(c.Dir, "before-upgrade-*."+kind)); len(found) > 0 {
			return stage + " with copy (." + kind + ")"
		}
	}
	return stage + " without copy"
}
