package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"khatm/service/internal/blob"
	"khatm/service/internal/fault"
	"khatm/service/internal/s3/s3test"
	"khatm/service/internal/store/storetest"
)

// eachUploads runs a test with files whose uploads are in PostgreSQL, and in S3.
func eachUploads(t *testing.T, test func(t *testing.T, f *blob.Files)) {
	t.Helper()
	run := func(t *testing.T, location string, rows blob.Rows) {
		uploads, err := blob.OpenUploads(location, rows, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		test(t, &blob.Files{Disk: openDisk(t, filepath.Join(t.TempDir(), "files")), Uploads: uploads})
	}
	t.Run("PostgreSQL", func(t *testing.T) {
		run(t, blob.Postgres, storetest.Open(t, storetest.Postgres(t)).Files())
	})
	t.Run("S3", func(t *testing.T) {
		s := s3test.Start(t)
		run(t, s.Address(s.Bucket(false), ""), nil)
	})
}

// unseekable hides all methods of a reader but Read.
type unseekable struct{ io.Reader }

func stored(t *testing.T, at blob.Store, key string) string {
	t.Helper()
	f, size, err := at.Open(t.Context(), key)
	if err != nil {
		t.Fatalf("open %s: %v", key, err)
	}
	text, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil || size != int64(len(text)) {
		t.Fatalf("read %s: %d bytes of %d, %v", key, len(text), size, err)
	}
	return string(text)
}

func wantNone(t *testing.T, at blob.Store, key string) {
	t.Helper()
	if _, _, err := at.Open(t.Context(), key); fault.KindOf(err) != fault.NotFound {
		t.Errorf("open %s: %v, want not found", key, err)
	}
}

// Uploaded files are kept like those in a folder.
func TestUploads(t *testing.T) {
	eachUploads(t, func(t *testing.T, f *blob.Files) {
		ctx := t.Context()
		wantNone(t, f, logo)
		if err := f.Remove(ctx, logo); err != nil {
			t.Errorf("remove a file that does not exist: %v", err)
		}
		large := strings.Repeat("0123456789abcdef", 50_000)
		for _, text := range []string{"", "short", large, large[:256<<10], "another"} {
			for _, r := range []io.Reader{strings.NewReader(text), unseekable{strings.NewReader(text)}} {
				if info, err := f.Put(ctx, logo, r, int64(len(text))); err != nil || info.Size != int64(len(text)) {
					t.Fatalf("put %d bytes: %+v, %v", len(text), info, err)
				}
				if got := stored(t, f, logo); got != text {
					t.Errorf("%d bytes were stored, want %d", len(got), len(text))
				}
			}
		}
		for _, r := range []io.Reader{strings.NewReader("12345"), unseekable{strings.NewReader("12345")}} {
			if _, err := f.Put(ctx, logo, r, 4); fault.CodeOf(err) != fault.FileTooLarge {
				t.Errorf("put of a file above the limit: %v, want %s", err, fault.FileTooLarge)
			}
		}
		for _, key := range []string{"org/../x", "org//x", "org/A", "org/x\n", "org/" + strings.Repeat("a", 200)} {
			_, put := f.Put(ctx, key, strings.NewReader("x"), 1)
			_, _, opened := f.Uploads.Open(ctx, key)
			if removed := f.Uploads.Remove(ctx, key); fault.KindOf(put) != fault.Invalid || fault.KindOf(opened) != fault.Invalid || fault.KindOf(removed) != fault.Invalid {
				t.Errorf("key %q: %v, %v, %v, want it refused", key, put, opened, removed)
			}
		}
		done, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := f.Put(done, logo, strings.NewReader("x"), 1); !errors.Is(err, context.Canceled) {
			t.Errorf("put with a cancelled context: %v", err)
		}
		if got := stored(t, f, logo); got != "another" {
			t.Errorf("after refusals the file is %q, want it unchanged", got)
		}
		at, size, err := f.OpenAt(ctx, logo)
		if err != nil || size != 7 {
			t.Fatalf("OpenAt: size %d, %v", size, err)
		}
		part := make([]byte, 3)
		if _, err := at.ReadAt(part, 2); err != nil || string(part) != "oth" {
			t.Errorf("ReadAt = %q, %v", part, err)
		}
		if err := at.Close(); err != nil {
			t.Error(err)
		}
		if left, err := filepath.Glob(filepath.Join(f.Disk.Folder(), "~incoming", "*")); err != nil || len(left) > 0 {
			t.Errorf("temporary files = %q, %v, want none", left, err)
		}
		if err := f.Remove(ctx, logo); err != nil {
			t.Error(err)
		}
		wantNone(t, f, logo)
		if err := blob.Probe(ctx, f.Uploads, "token"); err != nil {
			t.Error(err)
		}
		wantNone(t, f.Uploads, "probe/token")
	})
}

// Files that were uploaded before are served from the folder until they are moved. The
// files that the service writes itself stay.
func TestMove(t *testing.T) {
	eachUploads(t, func(t *testing.T, f *blob.Files) {
		ctx := t.Context()
		other := strings.Replace(logo, "/logo/", "/item/", 1)
		large := strings.Repeat("0123456789abcdef", 50_000)
		put(t, f.Disk, logo, "old")
		put(t, f.Disk, other, large)
		put(t, f.Disk, "trail/head", "head")
		if got := stored(t, f, logo); got != "old" {
			t.Errorf("before the move the file is %q", got)
		}
		release, err := f.Disk.Hold(ctx)
		if err != nil {
			t.Fatal(err)
		}
		beside := openDisk(t, f.Disk.Folder()) // as another process
		for _, d := range []*blob.Disk{f.Disk, beside} {
			if n, err := (&blob.Files{Disk: d, Uploads: f.Uploads}).Move(ctx); n != 0 || err != nil {
				t.Errorf("moved %d files during a backup, %v; want none", n, err)
			}
		}
		wantTree(t, f.Disk.Folder(), logo, other, "trail/head", "~moving")
		release()
		if n, err := f.Move(ctx); n != 2 || err != nil {
			t.Errorf("moved %d files, %v; want 2", n, err)
		}
		wantTree(t, f.Disk.Folder(), "trail/head", "~moving")
		if stored(t, f, logo) != "old" || stored(t, f, other) != large || stored(t, f.Uploads, logo) != "old" {
			t.Error("a file changed when it was moved")
		}
		put(t, f.Disk, logo, "old")
		if err := f.Remove(ctx, logo); err != nil {
			t.Error(err)
		}
		wantNone(t, f, logo)
		if n, err := f.Move(ctx); n != 0 || err != nil {
			t.Errorf("moved %d files, %v; want none", n, err)
		}
	})
}

// afterPut calls a function after each stored file.
type afterPut struct {
	blob.Store
	call func()
}

// Put implements [blob.Store].
func (a afterPut) Put(ctx context.Context, key string, r io.Reader, limit int64) (blob.Info, error) {
	defer a.call()
	return a.Store.Put(ctx, key, r, limit)
}

// A file that its user removes while it is moved is not there afterwards.
func TestRemoveDuringMove(t *testing.T) {
	eachUploads(t, func(t *testing.T, f *blob.Files) {
		put(t, f.Disk, logo, "old")
		to := f.Uploads
		f.Uploads = afterPut{to, func() {
			if err := f.Disk.Remove(t.Context(), logo); err != nil {
				t.Error(err)
			}
		}}
		if _, err := f.Move(t.Context()); err != nil {
			t.Error(err)
		}
		f.Uploads = to
		wantNone(t, f, logo)
	})
}

// While S3 cannot be reached, calls fail with an Unavailable fault, and no file is
// removed from the folder.
func TestMoveDuringOutage(t *testing.T) {
	s := s3test.Start(t)
	uploads, err := blob.OpenUploads(s.Address(s.Bucket(false), ""), nil, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	f := &blob.Files{Disk: openDisk(t, t.TempDir()), Uploads: uploads}
	put(t, f.Disk, logo, "old")
	s.Kill()
	if n, err := f.Move(t.Context()); n != 0 || fault.CodeOf(err) != fault.FilesUnavailable {
		t.Errorf("moved %d files, %v; want %s", n, err, fault.FilesUnavailable)
	}
	if got := stored(t, f, logo); got != "old" {
		t.Errorf("the file is %q, want it unchanged", got)
	}
	_, _, err = f.Open(t.Context(), logo+"2")
	if fault.CodeOf(err) != fault.FilesUnavailable {
		t.Errorf("open: %v, want %s", err, fault.FilesUnavailable)
	}
}

// With lock in the address, objects are locked.
func TestLockedUploads(t *testing.T) {
	s := s3test.Start(t)
	bucket := s.Bucket(true)
	uploads, err := blob.OpenUploads(s.Address(bucket, "lock=governance&retain-days=1"), nil, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := uploads.Put(t.Context(), logo, unseekable{strings.NewReader("text")}, 4); err != nil {
		t.Fatal(err)
	}
	info, err := s.Client.StatObject(t.Context(), bucket, s.Keys(bucket)[0], minio.StatObjectOptions{})
	if err != nil || info.Metadata.Get("X-Amz-Object-Lock-Mode") != "GOVERNANCE" {
		t.Errorf("metadata of the object = %v, %v; want a lock", info.Metadata, err)
	}
	if err := uploads.Remove(t.Context(), logo); err != nil {
		t.Errorf("remove a locked file: %v", err)
	}
	wantNone(t, uploads, logo)
}

// A bucket that does not exist is an outage, not a missing file.
func TestMissingBucket(t *testing.T) {
	uploads, err := blob.OpenUploads(s3test.Start(t).Address("nothing", ""), nil, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	_, _, opened := uploads.Open(t.Context(), logo)
	_, put := uploads.Put(t.Context(), logo, bytes.NewReader(nil), 0)
	if fault.CodeOf(opened) != fault.FilesUnavailable || fault.CodeOf(put) != fault.FilesUnavailable {
		t.Errorf("open: %v, put: %v; want %s", opened, put, fault.FilesUnavailable)
	}
}

func TestCheckLocation(t *testing.T) {
	for _, c := range []struct {
		location   string
		inPostgres bool
		good       bool
	}{
		{"", false, true},
		{"postgres", true, true},
		{"postgres", false, false},
		{"s3://b/p?region=r", false, true},
		{"s3://key:secret@b/p?region=r", true, false},
		{"s3://b/p", true, false},
		{"/srv/secret", true, false},
		{"postgres://user:secret@host/name", true, false},
	} {
		err := blob.CheckLocation(c.location, c.inPostgres)
		if (err == nil) != c.good || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("CheckLocation(%q, %t): %v, want accepted: %t", c.location, c.inPostgres, err, c.good)
		}
	}
	a := "s3://b/p?region=r"
	if !blob.SameLocation(a, a+"&encryption=AES256") || blob.SameLocation(a, "s3://b/q?region=r") || blob.SameLocation("", "") || blob.SameLocation("postgres", "postgres") {
		t.Error("SameLocation is wrong")
	}
}

// A Disk whose folder cannot be written is an outage.
func TestBrokenFolder(t *testing.T) {
	dir := t.TempDir()
	f := &blob.Files{Disk: openDisk(t, dir)}
	if err := os.WriteFile(filepath.Join(dir, "org"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Put(t.Context(), logo, strings.NewReader("x"), 1); fault.CodeOf(err) != fault.FilesUnavailable {
		t.Errorf("put: %v, want %s", err, fault.FilesUnavailable)
	}
	if keys, err := f.Disk.List(t.Context()); err != nil || !slices.Equal(keys, []string{"org"}) {
		t.Errorf("files = %q, %v", keys, err)
	}
}
