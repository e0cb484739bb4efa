package server_test

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/admin"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

func newArchived(t *testing.T, database string) *restorable {
	t.Helper()
	r := &restorable{
		t: t, sim: servicetest.OpenAuthority(t, simulator.Config{}), data: filepath.Join(t.TempDir(), "data"), marks: t.TempDir(), database: database,
		archive: server.Archive{Location: filepath.Join(t.TempDir(), "archive"), Wait: true},
	}
	r.start()
	r.shop, r.key = r.service.OnboardedSeller(), r.service.Key
	return r
}

// TestArchiveRestoresLostDocuments restores an older copy of the data in every second
// way, or in every way under testtool.All: the server enters what is missing from the
// archive and issues at once.
func TestArchiveRestoresLostDocuments(t *testing.T) {
	t.Parallel()
	for _, kind := range testtool.Spread(restoreKinds, 0, 2) {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			r := newArchived(t, "")
			copied, last := r.backupThenSell(2, 3)
			kind.restore(r, copied)
			if kind.marksLost {
				if err := os.RemoveAll(r.marks); err != nil {
					t.Fatal(err)
				}
			}
			r.enterFromArchive()
			r.start()
			r.goesOn(last)
			r.sound()
		})
	}
}

// On PostgreSQL, an older copy of the database is restored.
func TestArchiveRestoresLostDocumentsPostgreSQL(t *testing.T) {
	t.Parallel()
	r := newArchived(t, storetest.NewPostgres(t).URL)
	copied, last := r.backupThenSell(2, 3)
	name := servicetest.DatabaseName(t, r.database)
	servicetest.OnPostgres(t, r.database, `DROP DATABASE `+name+` WITH (FORCE)`, `ALTER DATABASE `+copied+` RENAME TO `+name)
	r.enterFromArchive()
	r.start()
	r.goesOn(last)
}

// Once the server that wrote to the archive has been silent for some minutes, the
// next one enters what its database lacks without a command.
func TestArchiveRestoresByItself(t *testing.T) {
	t.Parallel()
	r := newArchived(t, "")
	copied, last := r.backupThenSell(2, 3)
	r.restoreFolder(copied)
	r.silence()
	r.start()
	r.goesOn(last)
}

// A database that lacks documents is not used while another server may still be
// issuing, unless the operator says so.
func TestArchiveInUse(t *testing.T) {
	t.Parallel()
	r := newArchived(t, "")
	copied, last := r.backupThenSell(1, 1)
	r.restoreFolder(copied)
	if err := r.tryStart(); err == nil || !strings.Contains(err.Error(), "--take-over") {
		t.Fatalf("start with a database that lacks documents: got %v, want an error that names --take-over", err)
	}
	r.enterFromArchive()
	r.start()
	r.goesOn(last)
}

// A copy of the database cannot be used beside the original, even if nothing was
// issued since it was copied.
func TestArchiveOfAnIdleCopy(t *testing.T) {
	t.Parallel()
	r := newArchived(t, "")
	r.sell(1)
	r.stop()
	copied := r.backup()
	r.start()
	second := *r
	second.data, second.marks, second.address = copied, t.TempDir(), "127.0.0.1:1"
	if err := second.tryStart(); err == nil || !strings.Contains(err.Error(), "has another copy of this database") {
		t.Fatalf("start with a copy: got %v, want an error that names the other server", err)
	}
	r.sell(1)
	r.sound()
}

// TestArchiveOfAnIdleCopyPostgreSQL does the same with a database on PostgreSQL.
func TestArchiveOfAnIdleCopyPostgreSQL(t *testing.T) {
	t.Parallel()
	r := newArchived(t, storetest.NewPostgres(t).URL)
	r.sell(1)
	r.stop()
	copied := r.backup()
	r.start()
	second := *r
	second.data, second.marks, second.address = filepath.Join(t.TempDir(), "data"), t.TempDir(), "127.0.0.1:1"
	servicetest.CopyTree(t, r.data, second.data)
	second.database = servicetest.DatabaseURL(t, r.database, copied)
	if err := second.tryStart(); err == nil || !strings.Contains(err.Error(), "has another copy of this database") {
		t.Fatalf("start with a copy: got %v, want an error that names the other server", err)
	}
	r.sell(1)
	r.sound()
}

// Servers that share a database write to the same epoch of the archive.
func TestArchiveOfTwoServers(t *testing.T) {
	t.Parallel()
	r := newArchived(t, storetest.NewPostgres(t).URL)
	r.sell(2)
	second := *r
	second.address, second.issued = "127.0.0.1:1", 1000 // another name in the archive, and other documents
	second.start()
	for range 3 {
		r.sell(1)
		second.sell(1)
	}
	second.stop()
	r.sell(1)
	r.sound()
}

// A server does not start without the archive of its installation, nor with one at
// another location, unless it is to replace the first one.
func TestArchiveMissingAtStart(t *testing.T) {
	t.Parallel()
	r := newArchived(t, "")
	r.sell(1)
	r.stop()
	with := r.archive
	r.archive = server.Archive{}
	if err := r.tryStart(); err == nil || !strings.Contains(err.Error(), "--archive \""+with.Location) {
		t.Fatalf("start without the archive: got %v, want an error that names it", err)
	}
	r.archive = server.Archive{Location: with.Location + "-2", Wait: true}
	if err := r.tryStart(); err == nil || !strings.Contains(err.Error(), "--archive-replaces") || !strings.Contains(err.Error(), with.Location+":") {
		t.Fatalf("start with another archive: got %v, want an error that names the location and --archive-replaces", err)
	}
	r.archive.Replaces = true
	r.start()
	servicetest.Eventually(t, "ready to issue", func() bool {
		status, _ := r.readiness("/readyz/issuing")
		return status == http.StatusOK
	})
	r.sell(1)
}

// Beside a server with an archive, another one that was started without it, or with the
// archive that was replaced, issues nothing.
func TestArchiveBesideAServerWithoutIt(t *testing.T) {
	t.Parallel()
	r := newRestorable(t, storetest.NewPostgres(t).URL)
	r.sell(1)
	refused := func(old *restorable) {
		t.Helper()
		servicetest.Eventually(t, "the readiness endpoint names the other archive", func() bool {
			status, text := old.readiness("/readyz/issuing")
			return status == http.StatusServiceUnavailable && strings.Contains(text, "uses another archive than this server")
		})
		old.issued += 1000
		if a := old.shop.Create(old.body()); a.Status != http.StatusServiceUnavailable || !strings.Contains(a.Body, "archive") {
			t.Fatalf("create without the archive: got %d %s, want 503", a.Status, a.Body)
		}
		old.stop()
	}
	var old restorable
	for n, folder := range []string{"first", "second"} {
		old = *r
		r.address, r.issued = fmt.Sprint("127.0.0.1:", n+1), 100*(n+1) // another name in the archive
		r.archive = server.Archive{Location: filepath.Join(t.TempDir(), folder), Wait: true, Replaces: n > 0}
		r.start()
		r.sell(1)
		refused(&old)
	}
	r.sell(1)
	r.sound()
}

// khatm doctor reports the state of the archive.
func TestArchiveFindings(t *testing.T) {
	t.Parallel()
	r := newArchived(t, "")
	wants := func(check string, level admin.Level, says string) {
		t.Helper()
		if f := r.finding(check); f.Level != level || !strings.Contains(f.Says, says) {
			t.Errorf("doctor reports %+v for the check %q, want %s %q", f, check, level, says)
		}
	}
	r.sell(1)
	servicetest.Eventually(t, "everything is archived", func() bool { return r.finding("archive backlog").Says == "everything is in the archive" })
	wants("archive", admin.OK, "is in epoch 1, as the database; the last heartbeat of a server was ")
	wants("archive writes", admin.OK, "it can be written")
	if _, text := r.readiness("/metrics"); !strings.Contains(text, `khatm_archive_waiting{what="documents"} 0`) || !strings.Contains(text, "khatm_archive_waiting_seconds 0") {
		t.Error("the metrics of what is not in the archive are missing")
	}
	r.stop()
	r.execute(`INSERT INTO unarchived (org_id, invoice_id, server, since) SELECT org_id, id, org_id, created_at - 3600000 FROM invoice`)
	wants("archive backlog", admin.Fail, "1 documents and 0 other changes are not in the archive yet, the oldest document since 20")

	newest := filepath.Join(r.archive.Location, "epochs", "000001")
	text, err := os.ReadFile(newest)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), `"epoch":1`, `"epoch":2`, 1))
	if err := os.WriteFile(filepath.Join(filepath.Dir(newest), "000002"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	wants("archive", admin.Fail, "has taken over with another copy of the database")
	if err := os.Rename(r.archive.Location, r.archive.Location+".lost"); err != nil {
		t.Fatal(err)
	}
	wants("archive", admin.Fail, "no such file or directory")
}

// enterFromArchive enters what the database lacks, as khatm recover does.
func (r *restorable) enterFromArchive() {
	r.t.Helper()
	if done := r.fromArchive(); done.Documents == 0 || done.Stopped != "" {
		r.t.Errorf("recovered %+v, want documents, and that issuing is not stopped", done)
	}
}

// fromArchive runs a recovery from the archive that takes over.
func (r *restorable) fromArchive() admin.FromArchive {
	r.t.Helper()
	a, err := admin.Open(r.t.Context(), r.config())
	if err != nil {
		r.t.Fatal(err)
	}
	defer a.Close()
	done, err := a.RecoverFromArchive(r.t.Context(), admin.ArchiveRecovery{Location: r.archive.Location, TakeOver: true, Log: servicetest.Quiet()})
	if err != nil {
		r.t.Fatal(err)
	}
	return done
}

// tryStart opens a server and closes it again.
func (r *restorable) tryStart() error {
	c := server.Defaults()
	c.Data, c.Database, c.Marks, c.Archive = r.data, r.database, r.marks, r.archive
	c.Address, c.Random = cmp.Or(r.address, c.Address), rand.Reader
	server.Watch(&c, r.watch)
	server.Point(&c, r.point)
	s, err := server.New(r.t.Context(), c)
	if err == nil {
		s.Close()
	}
	return err
}
