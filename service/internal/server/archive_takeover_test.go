package server_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/archive"
	"khatm/service/internal/servicetest"
)

// silence makes the heartbeats of the archive and its epochs old, as if no server had
// been active for some minutes, and shortens the watch.
func (r *restorable) silence() {
	r.t.Helper()
	r.silenceIn(r.archive.Location)
}

// silenceIn does so with the folder of the archive.
func (r *restorable) silenceIn(folder string) {
	r.t.Helper()
	r.watch = 300 * time.Millisecond
	old := time.Now().Add(-archive.SilentAfter - time.Minute)
	for _, pattern := range []string{"epochs/*", "heartbeats/*/*"} {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(files) == 0 {
			r.t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, name := range files {
			if err := os.Chtimes(name, old, old); err != nil {
				r.t.Fatal(err)
			}
		}
	}
}

// An older copy does not take over from a server whose heartbeats are old, because it
// could not reach the archive, but that is alive. Neither does one whose clock is ahead.
func TestArchiveIsWatchedBeforeTakingOver(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		r := newArchived(t, database)
		r.sell(1)
		r.stop()
		copied := r.backup()
		r.start()
		r.sell(1)
		clone := *r
		clone.marks, clone.address, clone.data = t.TempDir(), "127.0.0.1:1", copied
		if database != "" {
			clone.data, clone.database = filepath.Join(t.TempDir(), "data"), servicetest.DatabaseURL(t, database, copied)
			servicetest.CopyTree(t, r.data, clone.data)
		}
		clone.now = func() time.Time { return time.Now().Add(time.Hour) }
		clone.watch = time.Millisecond
		refused := func(when string) {
			t.Helper()
			if err := clone.tryStart(); err == nil || !strings.Contains(err.Error(), "another copy of this database") {
				t.Errorf("start of the copy %s: %v, want an error that names the other server", when, err)
			}
		}
		refused("with a clock that is ahead")
		clone.now = nil
		clone.silence()
		clone.watch = time.Minute // the server writes its next heartbeat before
		refused("after old heartbeats")
		r.sell(1)
		r.sound()
	})
}

// A recovery that was interrupted goes on at the next start at once, after each of its
// steps, and everything is there once.
func TestArchiveRecoveryIsInterrupted(t *testing.T) {
	onUsual(t, func(t *testing.T, database string) {
		r := newArchived(t, database)
		copied, last := r.backupThenSell(2, 3)
		r.restore(copied)
		r.silence()
		r.startAfterFailures("epoch recorded", "rows re-entered", "documents re-entered", "counted again")
		r.goesOn(last)
	})
}

// A first start with an archive that was interrupted goes on at once.
func TestArchiveFirstStartIsInterrupted(t *testing.T) {
	onUsual(t, func(t *testing.T, database string) {
		r := newRestorable(t, database)
		r.sell(1)
		r.stop()
		r.archive.Location, r.archive.Wait = filepath.Join(t.TempDir(), "archive"), true
		r.beginsDespiteFailures()
		r.stop()
		// Another archive that replaces this one.
		r.archive.Location, r.archive.Replaces = filepath.Join(t.TempDir(), "archive"), true
		r.beginsDespiteFailures()
	})
}

// beginsDespiteFailures starts the server with a new archive, after starts that failed at
// each step.
func (r *restorable) beginsDespiteFailures() {
	r.t.Helper()
	r.watch = 300 * time.Millisecond
	r.startAfterFailures("epoch recorded", "archive recorded")
	servicetest.Eventually(r.t, "the archive has caught up", func() bool { return r.service.Service.Store().ArchiveBehind() == nil })
	r.goesOn(r.sell(1))
}

// startAfterFailures starts the server after starts that failed at each of some steps.
func (r *restorable) startAfterFailures(steps ...string) {
	r.t.Helper()
	for _, step := range steps {
		failed := errors.New("killed at " + step)
		r.point = func(at string) error {
			if at == step {
				return failed
			}
			return nil
		}
		if err := r.tryStart(); !errors.Is(err, failed) {
			r.t.Fatalf("start: %v, want %v", err, failed)
		}
	}
	r.point = nil
	r.start()
}
