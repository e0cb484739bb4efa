package blob_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/blob"
	"khatm/service/internal/fault"
)

const logo = "org/0190a6a0-0000-7000-8000-000000000001/logo/0190a6a0-0000-7000-8000-000000000002"

func openDisk(t testing.TB, dir string) *blob.Disk {
	t.Helper()
	d, err := blob.OpenDisk(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func put(t testing.TB, d *blob.Disk, key, text string) blob.Info {
	t.Helper()
	info, err := d.Put(t.Context(), key, strings.NewReader(text), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func wantFile(t testing.TB, d *blob.Disk, key, want string) {
	t.Helper()
	f, size, err := d.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	got, err := io.ReadAll(f)
	if err != nil || string(got) != want || size != int64(len(want)) {
		t.Errorf("%s has %d bytes, %d read, %v; want %d", key, size, len(got), err, len(want))
	}
}

func wantMissing(t testing.TB, d *blob.Disk, key string) {
	t.Helper()
	if _, _, err := d.Open(t.Context(), key); fault.KindOf(err) != fault.NotFound {
		t.Errorf("%s: got %v, want not found", key, err)
	}
}

// wantTree: these files are below a folder, besides the lock, and no other.
func wantTree(t testing.TB, dir string, want ...string) {
	t.Helper()
	var got []string
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "~lock" {
			return err
		}
		p, err = filepath.Rel(dir, p)
		got = append(got, p)
		return err
	})
	slices.Sort(want)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("there are %q, %v, want %q", got, err, want)
	}
}

func TestPutAndOpen(t *testing.T) {
	d := openDisk(t, t.TempDir())
	for name, text := range map[string]string{"empty": "", "short": "a", "long": strings.Repeat("0123456789", 50_000)} {
		info := put(t, d, name, text)
		if want := (blob.Info{Size: int64(len(text)), SHA256: sha256.Sum256([]byte(text))}); info != want {
			t.Errorf("%s: got %v, want %v", name, info, want)
		}
		wantFile(t, d, name, text)
	}
}

func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "files")
	put(t, openDisk(t, dir), logo, "text")
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if want := map[bool]fs.FileMode{false: 0o600, true: fs.ModeDir | 0o700}[e.IsDir()]; err == nil && info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", p, info.Mode(), want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestReplaced: who reads a file reads on in it when another takes its place.
func TestReplaced(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, logo, "the first")
	reader, _, err := d.Open(t.Context(), logo)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close() //nolint:errcheck // it was only read
	put(t, d, logo, "another")
	if old, err := io.ReadAll(reader); err != nil || string(old) != "the first" {
		t.Errorf("read on %q, %v", old, err)
	}
	wantFile(t, d, logo, "another")
	wantTree(t, dir, logo)
}

func TestRemove(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, logo, "text")
	put(t, d, "org/other", "text")
	for _, key := range []string{"org", filepath.Dir(logo), logo + "/below", "nothing", "no/thing", logo, logo} {
		if err := d.Remove(t.Context(), key); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	wantMissing(t, d, logo)
	wantTree(t, dir, "org/other")
	put(t, d, logo, "again")
	wantFile(t, d, logo, "again")
}

func TestMissing(t *testing.T) {
	d := openDisk(t, t.TempDir())
	put(t, d, logo, "text")
	for _, key := range []string{"nothing", "no/thing", "org", filepath.Dir(logo), logo + "/below"} {
		wantMissing(t, d, key)
	}
}

// TestFileAndFolder: a key cannot go on from another that is there.
func TestFileAndFolder(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, "a/b", "text")
	for _, key := range []string{"a", "a/b/c", "a/b/c/d"} {
		if _, err := d.Put(t.Context(), key, strings.NewReader("x"), 10); err == nil {
			t.Errorf("%s was kept", key)
		}
	}
	wantFile(t, d, "a/b", "text")
	wantTree(t, dir, "a/b")
}

func TestContextEnds(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, "a", "old")
	ctx, cancel := context.WithCancel(t.Context())
	endless := readerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
	if _, err := d.Put(ctx, "a", endless, 1<<40); !errors.Is(err, context.Canceled) {
		t.Errorf("put: %v", err)
	}
	if _, _, err := d.Open(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if err := d.Remove(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("remove: %v", err)
	}
	wantFile(t, d, "a", "old")
	wantTree(t, dir, "a")
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestOpenDiskRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(dir, "no", "folder")} {
		if d, err := blob.OpenDisk(path); err == nil || d != nil {
			t.Errorf("%s: got %v, %v", path, d, err)
		}
	}
}

func BenchmarkPut(b *testing.B) {
	d := openDisk(b, b.TempDir())
	text := bytes.Repeat([]byte("0123456789abcdef"), 2<<10) // 32 KiB
	for b.Loop() {
		if _, err := d.Put(b.Context(), logo, bytes.NewReader(text), 1<<20); err != nil {
			b.Fatal(err)
		}
	}
}
