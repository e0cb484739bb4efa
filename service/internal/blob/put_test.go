package blob_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"khatm/service/internal/fault"
)

func TestLimit(t *testing.T) {
	cases := []struct {
		name        string
		size, limit int64
		good        bool
	}{
		{"below the limit", 9, 10, true},
		{"at the limit", 10, 10, true},
		{"one byte above the limit", 11, 10, false},
		{"empty file, limit 0", 0, 0, true},
		{"one byte, limit 0", 1, 0, false},
		{"negative limit", 0, -1, false},
		{"large file at the limit", 1 << 20, 1 << 20, true},
		{"large file above the limit", 1<<20 + 1, 1 << 20, false},
		{"no limit", 100, math.MaxInt64, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			d := openDisk(t, dir)
			_, err := d.Put(t.Context(), "new", bytes.NewReader(make([]byte, c.size)), c.limit)
			if c.good {
				if err != nil {
					t.Fatal(err)
				}
				wantTree(t, dir, "new")
				return
			}
			if fault.KindOf(err) != fault.Invalid {
				t.Errorf("Put of a file above the limit: %v, want an error of kind Invalid", err)
			}
			wantTree(t, dir)
		})
	}
}

// Put stops reading a file as soon as it is larger than the limit.
func TestEndless(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, "a", "old")
	read := 0
	endless := readerFunc(func(p []byte) (int, error) { read += len(p); return len(p), nil })
	if _, err := d.Put(t.Context(), "a", endless, 100_000); fault.KindOf(err) != fault.Invalid {
		t.Errorf("Put of an endless file: %v, want an error of kind Invalid", err)
	}
	if read > 100_001 {
		t.Errorf("Put read %d bytes of an endless file, want at most 100001", read)
	}
	wantFile(t, d, "a", "old")
	wantTree(t, dir, "a")
}

func TestBrokenReader(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, "a", "old")
	broken := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := d.Put(t.Context(), "a", broken, 100); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Put with a failing reader: %v, want %v", err, io.ErrUnexpectedEOF)
	}
	wantFile(t, d, "a", "old")
	wantTree(t, dir, "a")
}

// Concurrent writers of one key never produce a mixture: every reader sees one
// complete file.
func TestConcurrentPuts(t *testing.T) {
	dir := t.TempDir()
	here, there := openDisk(t, dir), openDisk(t, dir)
	put(t, here, logo, strings.Repeat("x", 9000))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			d := here
			if i%2 == 1 {
				d = there
			}
			text := strings.Repeat(string(rune('a'+i)), 9000+i)
			for range 10 {
				if _, err := d.Put(t.Context(), logo, strings.NewReader(text), 1<<20); err != nil {
					t.Error(err)
				}
				f, size, err := d.Open(t.Context(), logo)
				if err != nil {
					t.Error(err)
					return
				}
				got, err := io.ReadAll(f)
				if err != nil || int64(len(got)) != size || strings.Trim(string(got), string(got[:1])) != "" {
					t.Errorf("a reader got %d mixed bytes, error %v; want one complete file", len(got), err)
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	wantTree(t, dir, logo)
}

// Concurrent writers may create the same new folders.
func TestPutsIntoNewFolders(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	var want []string
	var all sync.WaitGroup
	for i := range 16 {
		key := "a/b/c/d/" + string(rune('a'+i))
		want = append(want, key)
		all.Go(func() {
			if _, err := d.Put(t.Context(), key, strings.NewReader(key), 100); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	wantTree(t, dir, want...)
}

func TestHalfWrittenFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	put(t, openDisk(t, dir), "a", "kept")
	leave := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "~incoming", name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	leave("1-1")
	openDisk(t, dir) // not removed: the first store is still open and may be writing
	wantTree(t, dir, "a", "~incoming/1-1")

	other := t.TempDir()
	first := openDisk(t, other)
	dir = other
	leave("1-1")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, openDisk(t, other), "b", "kept")
	wantTree(t, other, "b")
}

// Two stores that count their temporary names from the same number do not write
// into one file.
func TestTemporaryNamesAreUnique(t *testing.T) {
	dir := t.TempDir()
	here, there := openDisk(t, dir), openDisk(t, dir) // both start counting at 1
	slow, release := io.Pipe()
	done := make(chan error)
	go func() {
		_, err := here.Put(t.Context(), "slow", slow, 100)
		done <- err
	}()
	if _, err := release.Write([]byte("slow")); err != nil { // its temporary file exists now
		t.Fatal(err)
	}
	put(t, there, "quick", "quick")
	if err := release.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantFile(t, here, "slow", "slow")
	wantFile(t, here, "quick", "quick")
}
