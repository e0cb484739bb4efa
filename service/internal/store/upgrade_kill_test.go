package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/database"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// laterMigrations returns the migrations of this program and three that a later
// version could have: a table filled from the documents, a change of all its
// rows, and an index.
func laterMigrations() (fs.FS, error) {
	const (
		fill   = `INSERT INTO later (n, xml) SELECT numbers.n, d.xml FROM document d CROSS JOIN (WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 150) SELECT n FROM n) numbers;`
		change = "-- +goose Up\nUPDATE later SET n = -n;\nDELETE FROM later WHERE n > -50;\n"
		index  = "-- +goose Up\nCREATE INDEX later_by_n ON later (n);\n"
	)
	all := fstest.MapFS{}
	err := fs.WalkDir(database.Migrations(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(database.Migrations(), path)
		all[path] = &fstest.MapFile{Data: text}
		return err
	})
	for n, text := range [][2]string{
		{"-- +goose Up\nCREATE TABLE later (n INTEGER NOT NULL, xml BLOB NOT NULL) STRICT;\n" + fill, "-- +goose Up\nCREATE TABLE later (n bigint NOT NULL, xml bytea NOT NULL);\n" + fill},
		{change, change},
		{index, index},
	} {
		name := fmt.Sprintf("%05d_later.sql", database.SchemaVersion()+1+int64(n))
		all["migrations/sqlite/"+name] = &fstest.MapFile{Data: []byte(text[0])}
		all["migrations/postgres/"+name] = &fstest.MapFile{Data: []byte(text[1])}
	}
	return all, err
}

// runUpgrade upgrades a database to a later version, opens it like a server
// and prints a digest of each document. It kills itself at the given point:
// after a percentage of the copy, when the copy has its name, when the tables
// are changed, when documents have got digests, or a given time after the
// change of the tables has started.
func runUpgrade(args []string) error {
	ctx := context.Background()
	p, changed, c := database.Precaution{}, func() {}, processConfig()
	var err error
	if c.Migrations, err = laterMigrations(); err != nil {
		return err
	}
	changing := func() { fmt.Println("changing") }
	if len(args) == 2 {
		at, err := strconv.ParseInt(args[1], 10, 64)
		if err != nil {
			return err
		}
		switch args[0] {
		case "copy":
			p.Progress = func(done, total int64) {
				if done*100 >= at*total {
					die()
				}
			}
		case "named":
			changing = die
		case "changed":
			changed = die
		case "digested":
			c.Point = func(step string) error {
				if step == "digests written" {
					die()
				}
				return nil
			}
		case "after":
			changing = func() { time.AfterFunc(time.Duration(at), die) }
		}
	}
	p.Named = func(string) { changing() }
	if c.URL != "" {
		changing()
	}
	done, err := store.Upgrade(ctx, c, p)
	if err != nil {
		return err
	}
	changed()
	if _, err := store.DigestDocuments(ctx, c, store.Digesting{Verify: func(store.Undigested) error { return nil }}); err != nil {
		return err
	}
	fmt.Println("end", done.To)
	s, err := store.Serve(ctx, c)
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

// die kills this process.
func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// TestKilledWhileUpgrading kills an upgrade while it copies the database, while
// it changes the tables, and before and after documents get their digests. The
// next upgrade must finish, all documents must be unchanged, and a server must
// start.
func TestKilledWhileUpgrading(t *testing.T) {
	t.Parallel()
	for name, fixture := range map[string]string{"SQLite": "schema-9-sqlite", "PostgreSQL": "schema-9-postgresql"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := readUpgradeFixture(t, fixture)
			c := f.database(t)
			whole := f.finish(t, c)
			kills := testtool.Scale(4, 5, 20)
			if c.URL != "" {
				kills = testtool.Scale(2, 5, 20)
			}
			points := [][]string{{"changed", "0"}, {"digested", "0"}}
			if c.URL == "" {
				points = append(points, []string{"named", "0"})
				for n := range kills / 4 {
					points = append(points, []string{"copy", strconv.Itoa(100 * (n + 1) / (kills/4 + 1))})
				}
			}
			for n, left := 0, kills-len(points); n < left; n++ {
				points = append(points, []string{"after", strconv.FormatInt(int64(whole)*int64(n+1)/int64(left+1), 10)})
			}
			stages, killed := map[string]int{}, 0
			for _, point := range points {
				c := f.database(t)
				upgrade := start(t, "upgrade", c, point...)
				if err := upgrade.end(); err != nil && strings.Contains(err.Error(), "signal: killed") {
					killed++
				}
				stage := stageOf(t, c)
				stages[stage]++
				if point[0] == "copy" && !strings.HasSuffix(stage, ".partial") || point[0] == "named" && !strings.HasSuffix(stage, ".db") {
					t.Errorf("upgrade killed at %v left stage %q, want a .partial copy for copy, a .db copy for named", point, stage)
				}
				f.finish(t, c)
			}
			t.Logf("scenario | upgrade killed and run again, %s | %d kills | 0 | documents identical, server starts; after the kill: %v", name, killed, stages)
			if killed < len(points)/2 {
				t.Errorf("%d of %d upgrades were killed before they finished, want at least half", killed, len(points))
			}
		})
	}
}

// upgradeFixture is an installation of an older version.
type upgradeFixture struct {
	dir       string
	dump      string // dump of PostgreSQL; empty for SQLite
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

// database creates a database of the older version.
func (f upgradeFixture) database(t *testing.T) store.Config {
	t.Helper()
	c := storetest.Empty(t)
	if f.dump != "" {
		c.Dir, c.URL = "", storetest.Loaded(t, f.dump)
		return c
	}
	old, err := os.ReadFile(filepath.Join(f.dir, "data", store.DatabaseFile))
	ok(t, err)
	ok(t, os.WriteFile(filepath.Join(c.Dir, store.DatabaseFile), old, 0o600))
	return c
}

// finish runs an upgrade to its end in another process and returns how long the
// change of the tables took.
func (f upgradeFixture) finish(t *testing.T, c store.Config) time.Duration {
	t.Helper()
	p := start(t, "upgrade", c)
	line := p.line()
	began := time.Now()
	if line == "changing" { // not printed if the tables were changed before the kill
		line = p.line()
	}
	took := time.Since(began)
	if !strings.HasPrefix(line, "end ") {
		t.Fatalf("upgrade printed %q, want end", line)
	}
	var got map[string]string
	ok(t, json.Unmarshal([]byte(p.line()), &got))
	ok(t, p.end())
	if len(f.Documents) == 0 || !maps.Equal(got, f.Documents) {
		t.Errorf("documents after the upgrade = %v, want %v", got, f.Documents)
	}
	return took
}

// stageOf returns the stage that a killed upgrade had reached.
func stageOf(t *testing.T, c store.Config) string {
	t.Helper()
	s := &fixture{t: t, ctx: t.Context(), config: c, raw: rawDatabase(t, c)}
	stage := fmt.Sprint("schema version ", s.count(`SELECT max(version_id) FROM goose_db_version`))
	ok(t, s.raw.Close())
	if c.URL != "" {
		return stage
	}
	for _, kind := range []string{"partial", "db"} {
		if found, _ := filepath.Glob(filepath.Join(c.Dir, "before-upgrade-*."+kind)); len(found) > 0 {
			return stage + ", copy ." + kind
		}
	}
	return stage + ", no copy"
}
