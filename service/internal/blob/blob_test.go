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
	defer f.Close() //nolint:errcheck // read only
	got, err := io.ReadAll(f)
	if err != nil || string(got) != want || size != int64(len(want)) {
		t.Errorf("file %s of size %d contains %.100q, error %v; want %.100q of size %d", key, size, got, err, want, len(want))
	}
}

func wantMissing(t testing.TB, d *blob.Disk, key string) {
	t.Helper()
	if _, _, err := d.Open(t.Context(), key); fault.KindOf(err) != fault.NotFound {
		t.Errorf("error of opening %s = %v, want not found", key, err)
	}
}

// wantTree checks that dir contains exactly these files besides the lock.
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
		t.Errorf("files in the folder = %q, %v, want %q", got, err, want)
	}
}

func TestPutAndOpen(t *testing.T) {
	d := openDisk(t, t.TempDir())
	for name, text := range map[string]string{"empty": "", "short": "a", "long": strings.Repeat("0123456789", 50_000)} {
		info := put(t, d, name, text)
		if want := (blob.Info{Size: int64(len(text)), SHA256: sha256.Sum256([]byte(text))}); info != want {
			t.Errorf("info of file %s = %v, want %v", name, info, want)
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

// A reader continues with the old file after the file was replaced.
func TestReplaced(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, logo, "the first")
	reader, _, err := d.Open(t.Context(), logo)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close() //nolint:errcheck // read only
	put(t, d, logo, "another")
	if old, err := io.ReadAll(reader); err != nil || string(old) != "the first" {
		t.Errorf("reader after the replacement returned %q, %v, want the old file", old, err)
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
			t.Errorf("Remove(%s): %v, want no error", key, err)
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

// A key that extends an existing key with a slash is refused.
func TestFileAndFolder(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, "a/b", "text")
	for _, key := range []string{"a", "a/b/c", "a/b/c/d"} {
		if _, err := d.Put(t.Context(), key, strings.NewReader("x"), 10); err == nil {
			t.Errorf("Put(%q) succeeded, want an error", key)
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
		t.Errorf("Put with a cancelled context: %v, want %v", err, context.Canceled)
	}
	if _, _, err := d.Open(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("Open with a cancelled context: %v, want %v", err, context.Canceled)
	}
	if err := d.Remove(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("Remove with a cancelled context: %v, want %v", err, context.Canceled)
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
			t.Errorf("OpenDisk(%s) = %v, %v, want an error", path, d, err)
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
