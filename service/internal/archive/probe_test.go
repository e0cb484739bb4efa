package archive_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"khatm/service/internal/archive"
	"khatm/service/internal/s3/s3test"
)

// Probe can be repeated and does not change what is read.
func TestProbe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := begin(t, options(dir), 1)
	add(t, a, 1)
	for range 2 {
		if err := a.Probe(context.Background()); err != nil {
			t.Error(err)
		}
	}
	wantLines(t, a, 1)
	if e, err := a.Newest(context.Background()); err != nil || e.Number != 1 || !last(e).Equal(e.Began) {
		t.Errorf("newest epoch = %+v, %v, want 1 without a heartbeat", e, err)
	}
	if _, is, err := a.ObjectLock(context.Background()); is || err != nil {
		t.Errorf("ObjectLock of a folder = %t, %v", is, err)
	}
	archive.Overwrite(a)
	if err := a.Probe(context.Background()); !errors.Is(err, archive.ErrOverwritten) {
		t.Errorf("Probe of a location that overwrites files: %v", err)
	}
	if err := os.Rename(filepath.Join(dir, "heartbeats"), filepath.Join(dir, "removed")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "heartbeats"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.Probe(context.Background()); err == nil || errors.Is(err, archive.ErrOverwritten) {
		t.Errorf("Probe of a location that cannot be written: %v", err)
	}
}

// An archive that must exist is not created.
func TestExisting(t *testing.T) {
	t.Parallel()
	o := options(filepath.Join(t.TempDir(), "archive"))
	o.Existing = true
	if _, err := archive.Open(context.Background(), o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open of a missing archive: %v", err)
	}
	if _, err := os.Stat(o.Location); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was created: %v", err)
	}
}

func testProbe(t *testing.T, s *s3test.Server) {
	for _, c := range []struct {
		locked     bool
		parameters string
		want       archive.ObjectLock
	}{
		{false, "", archive.ObjectLock{}},
		{false, "lock=governance", archive.ObjectLock{Wanted: "GOVERNANCE"}},
		{true, "", archive.ObjectLock{Enabled: true}},
		{true, "lock=compliance", archive.ObjectLock{Wanted: "COMPLIANCE", Enabled: true}},
	} {
		a := open(t, options(s.Address(s.Bucket(c.locked), c.parameters)))
		if l, is, err := a.ObjectLock(context.Background()); !is || err != nil || l != c.want {
			t.Errorf("ObjectLock with %q = %+v, %t, %v, want %+v", c.parameters, l, is, err, c.want)
		}
		if c.locked || c.parameters == "" {
			if err := a.Probe(context.Background()); err != nil {
				t.Errorf("Probe with %q: %v", c.parameters, err)
			}
		}
	}
}
