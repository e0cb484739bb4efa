package archive_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"khatm/internal/lossyfs"
	"khatm/internal/testtool"
	"khatm/service/internal/archive"
)

// outcome is what happened in some power failures.
type outcome struct {
	acknowledged, missing, lost int
}

// powerFailures lets servers write to a lossy disk and cuts the power several times,
// at random. sync is the sync of the archive; nil is the real one.
func powerFailures(t *testing.T, cuts int, seed uint64, sync func(*os.File) error) outcome {
	t.Helper()
	d := lossyfs.Mount(t)
	r := rand.New(rand.NewPCG(seed, 0))
	t.Log("seed", seed)
	acknowledged := map[string]bool{}
	var sum outcome
	for cut := range cuts {
		a := reopen(t, filepath.Join(d.Dir, "archive"), cut == 0, sync)
		d.CutAfter(1 + r.IntN(150))
		for l := range appendUntilCut(a, cut) {
			acknowledged[l] = true
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		some := r
		if cut%2 == 0 {
			some = nil // lose everything that is not synced
		}
		sum.lost += d.Restore(some)
		sum.missing = audit(t, filepath.Join(d.Dir, "archive"), acknowledged, sync == nil)
		if sum.missing > 0 {
			break // the journal of a server that does not sync is not worth continuing
		}
	}
	sum.acknowledged = len(acknowledged)
	return sum
}

// reopen opens the archive in its first epoch.
func reopen(t *testing.T, dir string, first bool, sync func(*os.File) error) *archive.Archive {
	t.Helper()
	o := options(dir)
	o.FileSize = 20_000
	a, err := archive.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if first {
		err = a.Begin(context.Background(), 1) // with the real sync, so that the epoch itself stays
	} else {
		err = a.Join(context.Background(), 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	if sync != nil {
		archive.SetSync(a, sync)
	}
	return a
}

// appendUntilCut appends lines from several goroutines until the power fails, and
// returns the lines that were acknowledged.
func appendUntilCut(a *archive.Archive, round int) map[string]bool {
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for n := 0; ; n++ {
				text := fmt.Appendf(nil, `{"round":%d,"writer":%d,"n":%d,"random":"%s"}`, round, g, n, random(2000))
				if a.Append(context.Background(), [][]byte{text}) != nil {
					return
				}
				mu.Lock()
				acknowledged[string(text)] = true
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return acknowledged
}

// random returns hexadecimal digits that cannot be compressed to less than half, so
// that a batch has many sectors.
func random(n int) string {
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "%016x", rand.Uint64())
	}
	return b.String()
}

// audit counts the acknowledged lines that the archive lacks.
func audit(t *testing.T, dir string, acknowledged map[string]bool, intact bool) (missing int) {
	t.Helper()
	got, _, err := read(t, open(t, options(dir)))
	if err != nil && (intact || !errors.Is(err, archive.ErrDamaged)) {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, l := range got {
		have[l] = true
	}
	for l := range acknowledged {
		if !have[l] {
			missing++
		}
	}
	return missing
}

func TestPowerFailures(t *testing.T) {
	seed, cuts := rand.Uint64(), testtool.Scale(8, 20, 100)
	got := powerFailures(t, cuts, seed, nil)
	if got.missing > 0 || got.acknowledged == 0 {
		t.Errorf("%d of %d acknowledged lines are missing", got.missing, got.acknowledged)
	}
	t.Logf("scenario | power failures of a disk that loses what is not synced, while four callers append to an archive | %d cuts | %d | %d lines acknowledged, %d lost; %d changes of the disk lost",
		cuts, seed, got.acknowledged, got.missing, got.lost)
}

// Without syncs, lines are lost; so the test above finds what it should.
func TestPowerFailuresWithoutSync(t *testing.T) {
	for name, sync := range map[string]func(*os.File) error{
		"no file is synced":   func(f *os.File) error { return onlyIf(f, fs.FileMode.IsDir) },
		"no folder is synced": func(f *os.File) error { return onlyIf(f, fs.FileMode.IsRegular) },
	} {
		t.Run(name, func(t *testing.T) {
			if got := powerFailures(t, 8, 1, sync); got.missing == 0 {
				t.Errorf("all of %d acknowledged lines survived, although not everything was synced", got.acknowledged)
			}
		})
	}
}

// onlyIf syncs only files of a kind.
func onlyIf(f *os.File, kind func(fs.FileMode) bool) error {
	info, err := f.Stat()
	if err != nil || !kind(info.Mode()) {
		return err
	}
	return f.Sync()
}

// After a failed sync, the file is not written again, and the batch is stored in the
// next file. If that fails too, the caller gets the error, and later calls succeed.
func TestFailedSync(t *testing.T) {
	dir := t.TempDir()
	a := begin(t, options(dir), 1)
	add(t, a, 1)
	failures := 0
	archive.SetSync(a, func(f *os.File) error {
		if failures > 0 && filepath.Ext(f.Name()) == ".zst" {
			failures--
			return syscall.EIO
		}
		return f.Sync()
	})
	failures = 1
	add(t, a, 2)
	failures = 2
	if err := a.Append(context.Background(), lines(3)); !errors.Is(err, syscall.EIO) {
		t.Errorf("Append with a broken disk: %v, want EIO", err)
	}
	if s := a.Stats(); s.Failures != 1 || !s.LastFailure.Equal(today) {
		t.Errorf("stats = %+v", s)
	}
	add(t, a, 4)
	add(t, a, 5)
	// Every file has what was written to it before its sync failed.
	got, report, err := read(t, a)
	if err != nil || len(report.Torn) > 0 {
		t.Error(report, err)
	}
	var want []string
	for _, n := range []int{1, 2, 2, 3, 3, 4, 5} {
		want = append(want, string(line(n)))
	}
	if !slices.Equal(got, want) || report.Files != 4 {
		t.Errorf("read %q in %d files, want %q in 4", got, report.Files, want)
	}
}
