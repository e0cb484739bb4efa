package archive_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/archive"
)

func run(t testing.TB, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatal(program, err)
	}
	return string(out)
}

func TestEpochs(t *testing.T) {
	testEpochs(t, t.TempDir())
}

// testEpochs tests epochs at any location.
func testEpochs(t *testing.T, location string) {
	t.Helper()
	ctx := context.Background()
	clock := testtool.NewClock(today)
	o := options(location)
	o.Now = clock.Now
	first := open(t, o)
	if e, err := first.Newest(ctx); err != nil || e.Number != 0 {
		t.Fatalf("newest epoch of an empty archive = %+v, %v", e, err)
	}
	if err := first.Append(ctx, lines(1)); !errors.Is(err, archive.ErrInvalid) {
		t.Errorf("Append without an epoch: %v", err)
	}
	if _, err := first.Beat(ctx, 1, "token"); !errors.Is(err, archive.ErrInvalid) {
		t.Errorf("Beat without an epoch: %v", err)
	}
	for _, number := range []int{0, 1} {
		if err := first.Join(ctx, number); !errors.Is(err, archive.ErrInvalid) {
			t.Errorf("Join of epoch %d, which does not exist: %v", number, err)
		}
	}
	if err := first.Begin(ctx, 2); !errors.Is(err, archive.ErrInvalid) {
		t.Errorf("Begin of epoch 2 before 1: %v", err)
	}
	if err := first.Begin(ctx, 1); err != nil {
		t.Fatal(err)
	}
	add(t, first, 1)
	testHeartbeats(t, first, clock)

	o.Server = "web-2"
	second := open(t, o)
	if err := second.Begin(ctx, 1); !errors.Is(err, archive.ErrSuperseded) {
		t.Errorf("Begin of epoch 1 again: %v", err)
	}
	if err := second.Begin(ctx, 2); err != nil {
		t.Fatal(err)
	}
	if err := first.Append(ctx, lines(2)); !errors.Is(err, archive.ErrSuperseded) {
		t.Errorf("Append in an old epoch: %v", err)
	}
	if _, err := first.Beat(ctx, 1, "token"); !errors.Is(err, archive.ErrSuperseded) {
		t.Errorf("Beat in an old epoch: %v", err)
	}
	if !errors.Is(first.Stats().Ended, archive.ErrSuperseded) || second.Stats().Ended != nil {
		t.Error("the statistics do not say who was superseded")
	}
	o.Server = "web-3"
	if err := open(t, o).Join(ctx, 1); !errors.Is(err, archive.ErrSuperseded) {
		t.Errorf("Join of an old epoch: %v", err)
	}
	add(t, second, 3)
	if r := wantLines(t, second, 1, 3); r.Ignored != 1 { // 2 was written late, and not acknowledged
		t.Errorf("%d batches were ignored, want 1", r.Ignored)
	}
	o.Server = "web-4"
	third := open(t, o)
	if err := third.Begin(ctx, 3); err != nil {
		t.Fatal(err)
	}
	if err := second.Append(ctx, lines(4)); !errors.Is(err, archive.ErrSuperseded) {
		t.Errorf("Append in an old epoch: %v", err)
	}
	add(t, third, 5)
	if r := wantLines(t, third, 1, 3, 5); r.Ignored != 2 {
		t.Errorf("%d batches were ignored, want 2", r.Ignored)
	}
}

// If a recovery ends before it has recorded where the earlier journals end, the next
// recovery does so.
func TestInterruptedRecovery(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	first := begin(t, o, 1)
	add(t, first, 1)
	o.Server = "web-2"
	begin(t, o, 2)
	if err := first.Append(context.Background(), lines(2)); !errors.Is(err, archive.ErrSuperseded) {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "ends", "000001")); err != nil {
		t.Fatal(err)
	}
	o.Server = "web-3"
	third := begin(t, o, 3)
	add(t, third, 3)
	wantLines(t, third, 1, 2, 3) // the third epoch continues after 2
}

// Where a journal ends is decided once, also if a recovery that was interrupted
// continues after the next one.
func TestCompetingRecoveries(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	first := begin(t, o, 1)
	add(t, first, 1)
	o.Server = "web-2"
	second := begin(t, o, 2)
	ends := filepath.Join(dir, "ends", "000001")
	short, err := os.ReadFile(ends)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(ends); err != nil { // it has not been recorded yet
		t.Fatal(err)
	}
	if err := first.Append(context.Background(), lines(2)); !errors.Is(err, archive.ErrSuperseded) {
		t.Fatal(err)
	}
	o.Server = "web-3"
	third := begin(t, o, 3)
	add(t, third, 3)
	if err := archive.EndEarlier(second, 2); !errors.Is(err, archive.ErrSuperseded) {
		t.Errorf("the second recovery continues: %v, want %v", err, archive.ErrSuperseded)
	}
	if now, err := os.ReadFile(ends); err != nil || string(now) == string(short) {
		t.Errorf("the end is %s, %v; want that of the third recovery", now, err)
	}
	wantLines(t, third, 1, 2, 3)
}

// A journal of an earlier epoch without its end is damaged.
func TestEndedJournalIsVerified(t *testing.T) {
	for name, damage := range map[string]func(file string) error{
		"last batch": func(file string) error {
			info, err := os.Stat(file)
			if err != nil {
				return err
			}
			return os.Truncate(file, info.Size()-1)
		},
		"last file": os.Remove,
		"journal":   func(file string) error { return os.RemoveAll(filepath.Dir(file)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			o := options(dir)
			first := begin(t, o, 1)
			add(t, first, 1)
			add(t, first, 2)
			o.Server = "web-2"
			second := begin(t, o, 2)
			wantLines(t, second, 1, 2)
			if err := damage(filepath.Join(dir, "journal", "000001", "web-1", "00000001.jsonl.zst")); err != nil {
				t.Fatal(err)
			}
			if _, r, err := read(t, second); !errors.Is(err, archive.ErrDamaged) {
				t.Errorf("Read returned %+v, %v; want %v", r, err, archive.ErrDamaged)
			}
		})
	}
}

// A journal whose last write was in progress when the next epoch began ends before it,
// even if the write is completed later.
func TestWriteInProgress(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	first := begin(t, o, 1)
	add(t, first, 1)
	add(t, first, 2)
	files, err := filepath.Glob(filepath.Join(dir, "journal", "000001", "web-1", "*.zst"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(files[0], int64(len(whole)-1)); err != nil {
		t.Fatal(err)
	}
	o.Server = "web-2"
	second := begin(t, o, 2)
	if r := wantLines(t, second, 1); len(r.Torn) > 0 {
		t.Errorf("the interrupted write is reported: %v", r.Torn)
	}
	if err := os.WriteFile(files[0], whole, 0o600); err != nil {
		t.Fatal(err)
	}
	wantLines(t, second, 1)
}

func testHeartbeats(t *testing.T, a *archive.Archive, clock *testtool.Clock) {
	t.Helper()
	ctx := context.Background()
	newest := func() archive.Epoch {
		e, err := a.Newest(ctx)
		if err != nil || e.Number != 1 || e.Server != "web-1" || !e.Began.Equal(today) {
			t.Fatalf("newest epoch = %+v, %v", e, err)
		}
		return e
	}
	ages := func() archive.Ages {
		t.Helper()
		a, err := a.Ages(ctx, 1)
		if err != nil || a.Began < 0 || a.Began >= time.Minute {
			t.Fatalf("ages = %+v, %v, want some seconds, whatever the clock of the server says", a, err)
		}
		return a
	}
	clock.Advance(archive.SilentAfter)
	if len(ages().Heartbeats) != 0 {
		t.Errorf("ages = %+v, want no heartbeat", ages())
	}
	for range 2 {
		if _, err := a.Beat(ctx, 1, "token"); err != nil {
			t.Fatal(err)
		}
	}
	if e := newest(); !last(e).Equal(clock.Now()) {
		t.Errorf("epoch after a heartbeat = %+v", e)
	}
	if age, is := ages().Heartbeats["web-1"]; !is || age < 0 || age >= time.Minute || ages().Silent() {
		t.Errorf("ages = %+v, want a young heartbeat", ages())
	}
	for want, a := range map[bool]archive.Ages{
		true:  {Began: archive.SilentAfter, Heartbeats: map[string]time.Duration{"web-1": archive.SilentAfter}},
		false: {Began: archive.SilentAfter, Heartbeats: map[string]time.Duration{"web-1": archive.SilentAfter, "web-2": archive.SilentAfter - 1}},
	} {
		if a.Silent() != want {
			t.Errorf("%+v: silent %t, want %t", a, a.Silent(), want)
		}
	}
	if (archive.Ages{Began: archive.SilentAfter - 1}).Silent() {
		t.Error("an epoch is silent before its time")
	}
}

// Of many servers that begin the same epoch, one succeeds.
func TestEpochIsBegunOnce(t *testing.T) {
	testBegunOnce(t, t.TempDir())
}

func testBegunOnce(t *testing.T, location string) {
	t.Helper()
	for epoch := 1; epoch <= 3; epoch++ {
		var group sync.WaitGroup
		var begun atomic.Int32
		for n := range 8 {
			o := options(location)
			o.Server = string(rune('a' + n))
			a := open(t, o)
			group.Go(func() {
				switch err := a.Begin(context.Background(), epoch); {
				case err == nil:
					begun.Add(1)
				case !errors.Is(err, archive.ErrSuperseded):
					t.Error(err)
				}
			})
		}
		group.Wait()
		if begun.Load() != 1 {
			t.Errorf("%d servers began epoch %d, want 1", begun.Load(), epoch)
		}
	}
}

// A heartbeat that a power failure left empty does not prevent a recovery.
func TestEmptyHeartbeat(t *testing.T) {
	dir := t.TempDir()
	a := begin(t, options(dir), 1)
	if _, err := a.Beat(context.Background(), 1, "token"); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "heartbeats/000001/web-1"), 0); err != nil {
		t.Fatal(err)
	}
	if e, err := a.Newest(context.Background()); err != nil || !last(e).Equal(today) {
		t.Errorf("newest epoch = %+v, %v", e, err)
	}
}

func last(e archive.Epoch) time.Time {
	_, at := e.Last()
	return at
}
