package recovery_test

import (
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/archive"
	"khatm/service/internal/recovery"
	"khatm/service/internal/store/storetest"
)

// A copy of a database that begins another archive does not mark the archive of the
// original as replaced while that one is in use.
func TestArchiveInUseIsNotReplaced(t *testing.T) {
	t.Parallel()
	original, copied := twoCopies(t)
	folder := filepath.Join(t.TempDir(), "archive")
	a, err := connected(t, original, folder, "web-1")
	if err != nil {
		t.Fatal(err)
	}
	if err := beatsOf(original, a).Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := copied.RecordArchive(t.Context(), folder, 1); err != nil {
		t.Fatal(err)
	}
	replace := func(takeOver bool) error {
		other := folder + "-2"
		into, err := archive.Open(t.Context(), archive.Options{Location: other, Server: "staging", Installation: installation, Now: time.Now, Random: rand.Reader})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = into.Close() }()
		_, err = recovery.Connect(t.Context(), recovery.Options{
			Store: copied, Archive: into, Location: other, Automatic: true, Replaces: true, TakeOver: takeOver, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		})
		return err
	}
	replaced := func() string {
		last, err := a.LastNote(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return last.ReplacedBy
	}
	if err := replace(false); !errors.Is(err, recovery.ErrInUse) || !strings.Contains(err.Error(), folder) || replaced() != "" {
		t.Errorf("replace an archive in use: %v, marked with %q; want ErrInUse with its location, and no mark", err, replaced())
	}
	if err := replace(true); err != nil || replaced() != folder+"-2" {
		t.Errorf("replace it with TakeOver: %v, marked with %q", err, replaced())
	}
}

// A recovery names the last batch of a journal if it cannot be read.
func TestDamagedLastBatchIsLogged(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t))
	folder := filepath.Join(t.TempDir(), "archive")
	a, err := connected(t, s, folder, "web-1")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Append(t.Context(), [][]byte{[]byte(`{"kind":"rows","seq":1,"changes":[]}`)}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "journal", "*", "*", "*.zst"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files of the journal: %q, %v", files, err)
	}
	content, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)-1]++
	if err := os.WriteFile(files[0], content, 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := archive.Open(t.Context(), archive.Options{Location: folder, Server: "web-2", Installation: installation, Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	log := &testtool.Buffer{}
	_, err = recovery.Connect(t.Context(), recovery.Options{
		Store: s, Archive: again, Location: folder, Automatic: true, TakeOver: true, Now: time.Now, Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), filepath.Base(files[0])) {
		t.Errorf("the log does not name %s:\n%s", files[0], log)
	}
}
