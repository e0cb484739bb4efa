package server_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/archive"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// onBoth runs a test with an empty database on both engines. PostgreSQL is empty on
// SQLite.
func onBoth(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	t.Parallel()
	onEach(t, servicetest.Engines(), test)
}

// onUsual is onBoth with PostgreSQL only under testtool.All. It is for what depends on
// the archive and not on how a database is recognised.
func onUsual(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	t.Parallel()
	onEach(t, servicetest.UsualEngines(), test)
}

func onEach(t *testing.T, engines []servicetest.Engine, test func(t *testing.T, database string)) {
	t.Helper()
	for _, engine := range engines {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			database := ""
			if engine.Name != "SQLite" {
				database = storetest.NewPostgres(t).URL // not of the pool, which takes copies as well
			}
			test(t, database)
		})
	}
}

// restore replaces the data by a backup and removes the marks.
func (r *restorable) restore(backup string) {
	r.t.Helper()
	if err := os.RemoveAll(r.marks); err != nil {
		r.t.Fatal(err)
	}
	if r.database == "" {
		r.restoreFolder(backup)
		return
	}
	if err := os.RemoveAll(filepath.Join(r.data, "files")); err != nil { // with the head of the audit trail
		r.t.Fatal(err)
	}
	name := servicetest.DatabaseName(r.t, r.database)
	servicetest.OnPostgres(r.t, r.database, `DROP DATABASE `+name+` WITH (FORCE)`, `ALTER DATABASE `+backup+` RENAME TO `+name)
}

// A new archive of a restored backup does not prove that the backup is complete, also if
// the server was killed before it compared the database for the first time.
func TestNewArchiveProvesNothing(t *testing.T) {
	for name, killed := range map[string]bool{"begun": false, "killed": true} {
		t.Run(name, func(t *testing.T) {
			onUsual(t, func(t *testing.T, database string) {
				r := newRestorable(t, database)
				copied, _ := r.backupThenSell(1, 1)
				r.restore(copied)
				r.archive = server.Archive{Location: filepath.Join(t.TempDir(), "archive"), Wait: true}
				if killed {
					r.beginArchive()
				}
				r.start()
				r.refusesToIssue()
			})
		})
	}
}

// beginArchive begins and records the archive, as a server does that is killed then.
func (r *restorable) beginArchive() {
	r.t.Helper()
	s := storetest.Open(r.t, store.Config{Dir: r.data, URL: r.database, Now: time.Now, NewID: uuid.New, Log: servicetest.Quiet()})
	defer s.Close()
	installation, err := s.Installation(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	a, err := archive.Open(r.t.Context(), archive.Options{Location: r.archive.Location, Server: "web-1", Installation: installation.String(), Now: time.Now, Random: rand.Reader})
	if err == nil {
		err = a.Begin(r.t.Context(), 1)
	}
	if err == nil {
		err = s.RecordArchive(r.t.Context(), r.archive.Location, 1)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	_ = a.Close()
}

// An archive for which a server did not wait does not end a stop: neither by itself nor
// by khatm recover. It does again once documents have waited for it.
func TestUnawaitedArchiveProvesNothing(t *testing.T) {
	onUsual(t, func(t *testing.T, database string) {
		r := newArchived(t, database)
		r.sell(1)
		r.stop()
		r.archive.Wait = false
		r.start()
		copied, _ := r.backupThenSell(1, 1)
		r.restore(copied)
		r.archive.Wait = true
		r.fromArchive()
		r.start()
		r.refusesToIssue()
		if done := r.fromArchiveStopped(); done == "" {
			t.Error("khatm recover ended the stop")
		}
	})
}

// fromArchiveStopped runs a recovery while a stop is recorded, and returns why issuing
// is still stopped.
func (r *restorable) fromArchiveStopped() string {
	r.t.Helper()
	r.stop()
	return r.fromArchive().Stopped
}

// An archive that was replaced does not prove that a restored backup is complete, and a
// server with the backup does not start with it.
func TestReplacedArchiveProvesNothing(t *testing.T) {
	onUsual(t, func(t *testing.T, database string) {
		r := newArchived(t, database)
		r.sell(1)
		r.stop()
		copied := r.backup()
		first := r.archive
		r.start()
		r.sell(1)
		r.stop()
		r.archive = server.Archive{Location: first.Location + "-2", Wait: true, Replaces: true}
		r.start()
		r.sell(1)
		r.stop()
		second := r.archive.Location
		r.restore(copied)
		r.archive = first
		if err := r.tryStart(); err == nil || !strings.Contains(err.Error(), second) {
			t.Fatalf("start with the replaced archive: %v, want an error that names %s", err, second)
		}
		if done := r.fromArchive(); done.ReplacedBy != second {
			t.Errorf("the recovery says that %q has replaced the archive, want %q", done.ReplacedBy, second)
		}
		r.start()
		r.refusesToIssue()
	})
}

// The notes of servers of one database: as long as one of them does not wait, the archive
// is not complete, and that server issues nothing while the archive says otherwise.
func TestServersWithAndWithoutWaiting(t *testing.T) {
	t.Parallel()
	r := newArchived(t, storetest.NewPostgres(t).URL)
	proven := func() bool {
		t.Helper()
		a, err := archive.Open(t.Context(), archive.Options{Location: r.archive.Location, Server: "reader", Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close() //nolint:errcheck // only read
		n, err := a.LastNote(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n.Complete
	}
	r.sell(1)
	if !proven() {
		t.Error("the archive is not complete although all documents wait for it")
	}
	second := *r
	second.address, second.issued, second.archive.Wait = "127.0.0.1:1", 1000, false
	second.start()
	if proven() {
		t.Error("the archive is complete although a server does not wait for it")
	}
	second.sell(1)
	second.stop()
	if proven() {
		t.Error("the archive is complete although documents did not wait for it")
	}
	r.sell(1)
	r.sound()
}
