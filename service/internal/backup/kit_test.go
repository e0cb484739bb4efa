package backup_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"khatm/service/internal/backup"
	"khatm/service/internal/blob"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/pgtest"
	"khatm/service/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction(pgtest.IdleReader)) }

// fixture is an open installation with one organisation and some files.
type fixture struct {
	t      *testing.T
	ctx    context.Context
	clock  *storetest.Clock
	config backup.Config
	dir    string // folder of the backups
}

// each runs a test on both engines.
func each(t *testing.T, test func(t *testing.T, s *fixture)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, c store.Config) { test(t, open(t, c)) })
}

// mostlySQLite is each with PostgreSQL only under testtool.All. It is for the format
// of the file; TestBackupAndRestore copies PostgreSQL in every run.
func mostlySQLite(t *testing.T, test func(t *testing.T, s *fixture)) {
	t.Helper()
	storetest.Mostly(t, func(t *testing.T, c store.Config) { test(t, open(t, c)) })
}

func open(t *testing.T, c store.Config) *fixture {
	t.Helper()
	s := &fixture{t: t, ctx: t.Context(), clock: storetest.NewClock(), dir: t.TempDir()}
	c.Now = s.clock.Now
	kept := storetest.Open(t, c)
	ok(t, kept.AddOrganisation(s.ctx, org.Operator(org.Tenant{}, "test"), org.Organisation{
		ID: c.NewID(), Name: "Khatm Trading", VATNumber: "399999999900003", Status: org.Active, Plan: "free", CreatedAt: c.Now(),
		Address: org.Address{CountryCode: "SA"},
	}))
	disk, err := blob.OpenDisk(filepath.Join(t.TempDir(), "files"))
	ok(t, err)
	t.Cleanup(func() { _ = disk.Close() })
	for _, key := range []string{org.TrailHeadFile, "org/1/logo/a", "org/1/item/" + strings.Repeat("b", 150), "pdf/1/drawn.pdf"} {
		_, err := disk.Put(s.ctx, key, strings.NewReader("content of "+key), 1000)
		ok(t, err)
	}
	s.config = backup.Config{Store: kept, Files: disk, Database: c.URL, Program: "test", Now: s.clock.Now, Pace: backup.Pace{Now: s.clock.Now}}
	return s
}

// make writes a backup to the folder and returns its path and manifest.
func (s *fixture) make(name string) (string, backup.Manifest) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	m, err := backup.Make(s.ctx, s.config, path)
	ok(s.t, err)
	return path, m
}

// target returns an empty target for the same engine.
func (s *fixture) target() backup.Target {
	s.t.Helper()
	t := backup.Target{Data: filepath.Join(s.t.TempDir(), "data"), Pace: backup.Pace{Now: s.clock.Now}}
	if s.config.Database != "" {
		t.Database = pgtest.URL(s.t)
	}
	return t
}

// daily returns a Daily that keeps the newest backups in the folder.
func (s *fixture) daily(keep int) *backup.Daily {
	s.t.Helper()
	return backup.NewDaily(backup.DailyConfig{
		Dir: s.dir, Keep: keep, Now: s.clock.Now, Log: quiet(),
		Installation: s.installation,
		Make: func(ctx context.Context, path string) (backup.Manifest, error) {
			c := s.config
			c.Scheduled = true
			return backup.Make(ctx, c, path)
		},
	})
}

// names returns the names of the files in the backup folder, except locks.
func (s *fixture) names() (all []string) {
	s.t.Helper()
	entries, err := os.ReadDir(s.dir)
	ok(s.t, err)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			all = append(all, e.Name())
		}
	}
	return all
}

// at sets the clock to a Riyadh time in November 2026.
func (s *fixture) at(day, hour, minute int) {
	to := time.Date(2026, time.November, day, hour-3, minute, 0, 0, time.UTC)
	s.clock.Advance(to.Sub(s.clock.Now()))
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// says checks that err contains all words.
func says(t testing.TB, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("got no error, want one with %q", words)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error %q does not contain %q", err, word)
		}
	}
}

// quiet returns a logger that discards everything.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
