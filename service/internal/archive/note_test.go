package archive_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"khatm/service/internal/archive"
)

// The newest note is that of the newest epoch with the highest number, whatever the
// clocks say. One that cannot be read proves nothing.
func TestNotes(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "archive")
	now := time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)
	a := noteArchive(t, folder, func() time.Time { now = now.Add(-time.Hour); return now })
	check := func(complete bool, epoch int, number int64) {
		t.Helper()
		n, err := a.LastNote(t.Context())
		if err != nil || n.Complete != complete || n.Epoch != epoch || n.Number != number {
			t.Errorf("last note = %+v, %v, want complete %t, epoch %d, number %d", n, err, complete, epoch, number)
		}
	}
	add := func(n archive.Note) {
		t.Helper()
		if err := a.AddNote(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	check(false, 0, 0)
	if err := a.Begin(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	add(archive.Note{Complete: true, Number: 3})
	check(true, 1, 3)
	add(archive.Note{Complete: true, Number: 3})
	add(archive.Note{Number: 2})
	check(true, 1, 3)
	add(archive.Note{Number: 3})
	check(false, 1, 3)
	add(archive.Note{Complete: true, Number: 10})
	check(true, 1, 10)
	if err := a.Replaced(t.Context(), "elsewhere"); err != nil {
		t.Fatal(err)
	}
	check(false, 1, 11)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a = noteArchive(t, folder, time.Now)
	if err := a.Begin(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	add(archive.Note{Complete: true, Number: 1})
	check(true, 2, 1)
	if err := os.WriteFile(filepath.Join(folder, "complete", "000002-000000000001"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check(false, 2, 1)
}

func noteArchive(t *testing.T, folder string, now func() time.Time) *archive.Archive {
	t.Helper()
	o := options(folder)
	o.Now = now
	return open(t, o)
}
