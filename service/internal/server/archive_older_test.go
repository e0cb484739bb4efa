package server_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"khatm/service/admin"
	"khatm/service/internal/servicetest"
)

// sellRecorded issues documents, and waits until the database has recorded how far the
// archive was written.
func (r *restorable) sellRecorded(n int) {
	r.t.Helper()
	r.sell(n)
	servicetest.Eventually(r.t, "the end of the archive is recorded", func() bool {
		reached, err := r.service.Service.Store().ArchiveReached(r.t.Context())
		if err != nil {
			r.t.Fatal(err)
		}
		journal, batch := r.service.Service.ArchiveReached()
		for _, end := range reached.Ends {
			if end.Journal == journal && end.Batch == batch {
				return true
			}
		}
		return false
	})
}

// journalFiles returns the files of all journals of the archive, in order.
func (r *restorable) journalFiles() []string {
	r.t.Helper()
	files, err := filepath.Glob(filepath.Join(r.archive.Location, "journal", "*", "*", "*.zst"))
	if err != nil || len(files) == 0 {
		r.t.Fatalf("files of the journals: %v, %v", files, err)
	}
	slices.Sort(files)
	return files
}

// isRefused checks that neither a start nor a recovery uses the archive, and that khatm
// doctor reports it.
func (r *restorable) isRefused(why string) {
	r.t.Helper()
	if err := r.tryStart(); err == nil || !strings.Contains(err.Error(), why) {
		r.t.Errorf("start: %v, want an error that says %q", err, why)
	}
	if f := r.finding("archive"); f.Level != admin.Fail || !strings.Contains(f.Says, why) {
		r.t.Errorf("doctor reports %+v, want a failure that says %q", f, why)
	}
	r.recoveryIsRefused(r.archive.Location, why)
}

// recoveryIsRefused checks that a recovery does not use an archive.
func (r *restorable) recoveryIsRefused(location, why string) {
	r.t.Helper()
	a, err := admin.Open(r.t.Context(), r.config())
	if err != nil {
		r.t.Fatal(err)
	}
	defer a.Close()
	_, err = a.RecoverFromArchive(r.t.Context(), admin.ArchiveRecovery{Location: location, TakeOver: true, Log: servicetest.Quiet()})
	if err == nil || !strings.Contains(err.Error(), why) {
		r.t.Errorf("recover --take-over: %v, want an error that says %q", err, why)
	}
}

// An archive that lost its last file is not used.
func TestArchiveLostItsEnd(t *testing.T) {
	onUsual(t, func(t *testing.T, database string) {
		r := newArchived(t, database)
		r.sell(1)
		r.stop()
		r.start()
		r.sellRecorded(2)
		r.stop()
		files := r.journalFiles()
		last := files[len(files)-1]
		if err := os.Rename(last, last+".lost"); err != nil {
			t.Fatal(err)
		}
		r.isRefused("has lost its end")
		if err := os.Rename(last+".lost", last); err != nil {
			t.Fatal(err)
		}
		r.start()
		r.goesOn(r.sell(1))
	})
}

// An archive that was restored from an older copy is not used, and neither is one that
// was replaced.
func TestArchiveOlderThanTheDatabase(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		r := newArchived(t, database)
		r.sellRecorded(1)
		r.stop()
		older := r.archive.Location + "-older"
		servicetest.CopyTree(t, r.archive.Location, older)
		r.start()
		r.sellRecorded(1)
		r.stop()
		newer := r.archive.Location + "-newer"
		for _, move := range [][2]string{{r.archive.Location, newer}, {older, r.archive.Location}} {
			if err := os.Rename(move[0], move[1]); err != nil {
				t.Fatal(err)
			}
		}
		r.isRefused("older than the database")

		first := r.archive.Location
		r.archive.Location, r.archive.Replaces = first+"-2", true
		r.start()
		r.sellRecorded(1)
		r.stop()
		second := r.archive.Location
		if err := os.RemoveAll(first); err != nil {
			t.Fatal(err)
		}
		for _, move := range [][2]string{{second, second + "-newer"}, {newer, second}} {
			if err := os.Rename(move[0], move[1]); err != nil {
				t.Fatal(err)
			}
		}
		r.isRefused("older than the database")
	})
}

// An older copy of the archive at another location is not used either, also by a database
// that has not recorded how far its archive is written, as after an upgrade.
func TestArchiveAtAnotherLocationIsOlder(t *testing.T) {
	onUsual(t, func(t *testing.T, database string) {
		r := newArchived(t, database)
		r.sell(1)
		r.stop()
		older := r.archive.Location + "-older"
		servicetest.CopyTree(t, r.archive.Location, older)
		r.start()
		last := r.sell(1)
		r.stop()
		r.execute(`UPDATE archive SET reached = ''`)
		r.recoveryIsRefused(older, "not the one that the database was written to last")
		r.start()
		r.goesOn(last)
	})
}

// Two torn files at the end of a journal, as after two crashes, hide neither its last
// lines nor refuse a start.
func TestArchiveWithTwoTornFiles(t *testing.T) {
	onUsual(t, func(t *testing.T, database string) {
		r := newArchived(t, database)
		r.sell(1)
		r.stop()
		copied := r.backup()
		r.start()
		r.sellRecorded(2)
		r.stop()
		files := r.journalFiles()
		for _, name := range []string{"00000098.jsonl.zst", "00000099.jsonl.zst"} {
			if err := os.WriteFile(filepath.Join(filepath.Dir(files[0]), name), []byte("\x5a\x2a\x4d\x18torn"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r.start()
		last := r.sell(1)
		r.stop()
		for _, name := range []string{"00000198.jsonl.zst", "00000199.jsonl.zst"} {
			if err := os.WriteFile(filepath.Join(filepath.Dir(files[0]), name), []byte("\x5a\x2a\x4d\x18torn"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r.restore(copied)
		if err := r.tryStart(); err == nil || !strings.Contains(err.Error(), "--take-over") {
			t.Errorf("start with a database that lacks documents: %v, want an error that names --take-over", err)
		}
		r.enterFromArchive()
		r.start()
		r.goesOn(last)
	})
}
