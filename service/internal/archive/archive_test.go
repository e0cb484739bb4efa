package archive_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/archive"
)

// today is the time of the tests' clock.
var today = time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)

// options returns the options of an archive for tests.
func options(location string) archive.Options {
	return archive.Options{Location: location, Server: "web-1", Now: testtool.NewClock(today).Now, Random: rand.Reader}
}

// open opens an archive that the test closes at its end.
func open(t testing.TB, o archive.Options) *archive.Archive {
	t.Helper()
	a, err := archive.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// begin opens an archive and begins an epoch.
func begin(t testing.TB, o archive.Options, epoch int) *archive.Archive {
	t.Helper()
	a := open(t, o)
	if err := a.Begin(context.Background(), epoch); err != nil {
		t.Fatal(err)
	}
	return a
}

// add appends lines, each a number.
func add(t testing.TB, a *archive.Archive, numbers ...int) {
	t.Helper()
	if err := a.Append(context.Background(), lines(numbers...)); err != nil {
		t.Fatal(err)
	}
}

// lines returns JSON lines that contain the numbers.
func lines(numbers ...int) [][]byte {
	var all [][]byte
	for _, n := range numbers {
		all = append(all, line(n))
	}
	return all
}

func line(n int) []byte { return fmt.Appendf(nil, `{"kind":"rows","seq":%d}`, n) }

// read returns everything in an archive.
func read(t testing.TB, a *archive.Archive) ([]string, archive.Report, error) {
	t.Helper()
	var got []string
	report, err := a.Read(context.Background(), func(_ archive.Position, line []byte) error {
		got = append(got, string(line))
		return nil
	})
	return got, report, err
}

// wantLines fails the test unless the archive has exactly these numbers, in order,
// and no damage.
func wantLines(t testing.TB, a *archive.Archive, numbers ...int) archive.Report {
	t.Helper()
	got, report, err := read(t, a)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, n := range numbers {
		want = append(want, string(line(n)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
	return report
}

func TestAppendAndRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	a := begin(t, options(dir), 1)
	add(t, a, 1)
	add(t, a, 2, 3)
	if err := a.Append(context.Background(), nil); err != nil {
		t.Errorf("Append without lines: %v", err)
	}
	report := wantLines(t, a, 1, 2, 3)
	if report.Lines != 3 || report.Batches != 2 || report.Files != 1 || report.Torn != nil {
		t.Errorf("report = %+v", report)
	}
	stats := a.Stats()
	if stats.Batches != 2 || stats.Lines != 3 || stats.Bytes == 0 || !stats.LastWrite.Equal(today) || stats.Failures != 0 {
		t.Errorf("stats = %+v", stats)
	}
	if _, err := a.Compact(context.Background(), ""); err != nil {
		t.Error(err)
	}
}

func TestPositions(t *testing.T) {
	a := begin(t, options(t.TempDir()), 1)
	add(t, a, 1, 2)
	add(t, a, 3)
	var got []archive.Position
	if _, err := a.Read(context.Background(), func(p archive.Position, _ []byte) error {
		got = append(got, p)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	const file = "journal/000001/web-1/00000001.jsonl.zst"
	want := []archive.Position{
		{Epoch: 1, Server: "web-1", File: file, Batch: 1},
		{Epoch: 1, Server: "web-1", File: file, Batch: 1, Line: 1},
		{Epoch: 1, Server: "web-1", File: file, Batch: 2, Offset: got[2].Offset},
	}
	if !slices.Equal(got, want) || got[2].Offset == 0 {
		t.Errorf("positions = %+v, want %+v", got, want)
	}
}

// A server that starts again continues its journal in a new file.
func TestServerStartsAgain(t *testing.T) {
	dir := t.TempDir()
	for n := 1; n <= 3; n++ {
		a, err := archive.Open(context.Background(), options(dir))
		if err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			err = a.Begin(context.Background(), 1)
		} else {
			err = a.Join(context.Background(), 1)
		}
		if err != nil {
			t.Fatal(err)
		}
		add(t, a, 10*n, 10*n+1)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if err := a.Append(context.Background(), lines(1)); err != archive.ErrClosed { //nolint:errorlint // exact
			t.Errorf("Append after Close: %v, want ErrClosed", err)
		}
	}
	if report := wantLines(t, open(t, options(dir)), 10, 11, 20, 21, 30, 31); report.Files != 3 {
		t.Errorf("files = %d, want 3", report.Files)
	}
}

func TestFilesRotate(t *testing.T) {
	o := options(t.TempDir())
	o.FileSize = 500
	a := begin(t, o, 1)
	var want []int
	for n := range 20 {
		add(t, a, n)
		want = append(want, n)
	}
	if report := wantLines(t, a, want...); report.Files < 5 {
		t.Errorf("files = %d, want several", report.Files)
	}
}

func TestFileModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	a := begin(t, options(dir), 1)
	add(t, a, 1)
	if _, err := a.Beat(context.Background(), 1, "token"); err != nil {
		t.Fatal(err)
	}
	files := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		} else {
			files++
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil || files != 4 { // epoch, heartbeat, lock, journal
		t.Errorf("%d files, %v; want 4", files, err)
	}
}

// Concurrent calls share writes, and each of them is in the archive when it returns.
func TestConcurrentAppends(t *testing.T) {
	a := begin(t, options(t.TempDir()), 1)
	const callers, each = 32, 20
	var group sync.WaitGroup
	for c := range callers {
		group.Go(func() {
			for n := range each {
				if err := a.Append(context.Background(), lines(c*1000+n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	got, report, err := read(t, a)
	if err != nil || len(got) != callers*each {
		t.Fatalf("%d lines, %v; want %d", len(got), err, callers*each)
	}
	if report.Batches >= callers*each {
		t.Errorf("%d batches for %d calls, want fewer", report.Batches, callers*each)
	}
	for c := range callers { // the order of each caller is kept
		at := 0
		for n := range each {
			i := slices.Index(got[at:], string(line(c*1000+n)))
			if i < 0 {
				t.Fatalf("line %d of caller %d is missing or in the wrong order", n, c)
			}
			at += i + 1
		}
	}
}

func TestInvalidLines(t *testing.T) {
	a := begin(t, options(t.TempDir()), 1)
	for name, text := range map[string][]byte{
		"empty":     nil,
		"not JSON":  []byte("text"),
		"two lines": []byte("{\n}"),
		"too large": append(bytes.Repeat([]byte("{"), 64<<20), '}'),
	} {
		if err := a.Append(context.Background(), [][]byte{line(1), text}); !strings.Contains(fmt.Sprint(err), "invalid") {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	wantLines(t, a)
}

func TestAppendOfACallerWhoLeft(t *testing.T) {
	a := begin(t, options(t.TempDir()), 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := a.Append(ctx, lines(1)); err == nil {
		t.Error("Append with a cancelled context succeeded")
	}
	add(t, a, 2)
	wantLines(t, a, 2)
}

func TestOneProcessPerServer(t *testing.T) {
	dir := t.TempDir()
	begin(t, options(dir), 1)
	second := open(t, options(dir))
	if err := second.Join(context.Background(), 1); err == nil {
		t.Error("a second process joined as the same server")
	}
	o := options(dir)
	o.Server = "web-2"
	other := open(t, o)
	if err := other.Join(context.Background(), 1); err != nil {
		t.Error(err)
	}
}

func TestInvalidOptions(t *testing.T) {
	for _, server := range []string{"", "Web", "../x", "a/b", strings.Repeat("a", 65)} {
		o := options(t.TempDir())
		o.Server = server
		if _, err := archive.Open(context.Background(), o); err == nil {
			t.Errorf("server %q was accepted", server)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, location := range []string{"", file, filepath.Join(file, "x"), filepath.Join(t.TempDir(), "a", "b")} {
		if _, err := archive.Open(context.Background(), options(location)); err == nil {
			t.Errorf("location %q was accepted", location)
		}
	}
}
