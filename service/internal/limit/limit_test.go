package limit_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/limit"
)

func TestBounds(t *testing.T) {
	cases := []struct {
		name       string
		period     limit.Period
		at         string
		start, end string
	}{
		{"minute", limit.Minute, "2026-11-15T10:20:30.5Z", "2026-11-15T10:20:00Z", "2026-11-15T10:21:00Z"},
		{"first instant of a minute", limit.Minute, "2026-11-15T10:20:00Z", "2026-11-15T10:20:00Z", "2026-11-15T10:21:00Z"},
		{"hour", limit.Hour, "2026-11-15T10:59:59Z", "2026-11-15T10:00:00Z", "2026-11-15T11:00:00Z"},
		{"day of Riyadh", limit.Day, "2026-11-14T21:00:00Z", "2026-11-14T21:00:00Z", "2026-11-15T21:00:00Z"},
		{"last second of the day in Riyadh", limit.Day, "2026-11-14T20:59:59Z", "2026-11-13T21:00:00Z", "2026-11-14T21:00:00Z"},
		{"month of Riyadh", limit.Month, "2026-11-30T21:00:00Z", "2026-11-30T21:00:00Z", "2026-12-31T21:00:00Z"},
		{"last second of the month in Riyadh", limit.Month, "2026-11-30T20:59:59Z", "2026-10-31T21:00:00Z", "2026-11-30T21:00:00Z"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			start, end := c.period.Bounds(when(t, c.at))
			if !start.Equal(when(t, c.start)) || !end.Equal(when(t, c.end)) {
				t.Errorf("window of %s = %s to %s, want %s to %s", c.at, start.UTC(), end.UTC(), c.start, c.end)
			}
		})
	}
}

func TestInterface_8_WindowIsFixedAndAlignedToTheMinute(t *testing.T) {
	now := when(t, "2026-11-15T10:20:50Z")
	l := limit.New(limit.NewMemory(), func() time.Time { return now })
	w := limit.Window{Name: "key", Limit: 3, Period: limit.Minute}
	take := func(subject string) limit.Verdict {
		t.Helper()
		v, err := l.Take(context.Background(), w, subject)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for i, want := range []limit.Verdict{
		{Allowed: true, Limit: 3, Used: 1, Remaining: 2, Left: 10 * time.Second},
		{Allowed: true, Limit: 3, Used: 2, Remaining: 1, Left: 10 * time.Second},
		{Allowed: true, Limit: 3, Used: 3, Remaining: 0, Left: 10 * time.Second},
		{Allowed: false, Limit: 3, Used: 4, Remaining: 0, Left: 10 * time.Second},
	} {
		if got := take("a"); got != want {
			t.Errorf("call %d: got %+v, want %+v", i+1, got, want)
		}
	}
	if got := take("b"); !got.Allowed {
		t.Error("first call of subject b was refused: subjects share a window")
	}
	w.Name = "clients"
	if got := take("a"); !got.Allowed {
		t.Error("first call in window clients was refused: windows share a count")
	}
	w.Name = "key"
	now = now.Add(9*time.Second + 999*time.Millisecond)
	if got := take("a"); got.Allowed || got.SecondsLeft() != 1 {
		t.Errorf("last millisecond of a full window = %+v, want refused with 1 second left", got)
	}
	now = now.Add(time.Millisecond)
	if got := take("a"); !got.Allowed || got.Remaining != 2 {
		t.Errorf("first call in the next window = %+v, want allowed with 2 remaining", got)
	}
}

// A clock that is set back must not cause negative waiting times.
func TestClockStepsBack(t *testing.T) {
	now := when(t, "2026-11-15T10:20:50Z")
	l := limit.New(limit.NewMemory(), func() time.Time { return now })
	w := limit.Window{Name: "key", Limit: 1, Period: limit.Minute}
	for range 1000 {
		now = now.Add(-7 * time.Second)
		v, err := l.Take(context.Background(), w, "a")
		if err != nil || v.SecondsLeft() < 1 || v.SecondsLeft() > 60 || v.Remaining < 0 {
			t.Fatalf("clock set back to %s: verdict %+v, %v; want 1 to 60 seconds left and Remaining not negative", now, v, err)
		}
	}
}

func TestC6_ExactlyTheLimitPassesAtOnce(t *testing.T) {
	now := when(t, "2026-11-15T10:20:50Z")
	l := limit.New(limit.NewMemory(), func() time.Time { return now })
	w := limit.Window{Name: "key", Limit: 200, Period: limit.Minute}
	var passed atomic.Int64
	var all sync.WaitGroup
	for range 1000 {
		all.Go(func() {
			if v, err := l.Take(context.Background(), w, "a"); err == nil && v.Allowed {
				passed.Add(1)
			}
		})
	}
	all.Wait()
	if got := passed.Load(); got != 200 {
		t.Errorf("%d of 1000 concurrent calls passed, want 200", got)
	}
}

func TestMemoryDropsEndedWindows(t *testing.T) {
	now := when(t, "2026-11-15T10:20:00Z")
	m := limit.NewMemory()
	l := limit.New(m, func() time.Time { return now })
	w := limit.Window{Name: "ip", Limit: 1, Period: limit.Minute}
	for range 5 {
		for i := range 1000 {
			if _, err := l.Take(context.Background(), w, fmt.Sprint(now.Minute(), "-", i)); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(time.Minute)
	}
	if m.Len() > 2000 {
		t.Errorf("%d windows are kept, want at most 2000", m.Len())
	}
}

type broken struct{}

func (broken) Add(context.Context, string, time.Time, time.Time) (int, error) {
	return 0, errors.New("away")
}

func (broken) Sub(context.Context, string, time.Time) error { return errors.New("away") }

func TestGiveBack(t *testing.T) {
	now := when(t, "2026-11-15T10:20:50Z")
	l := limit.New(limit.NewMemory(), func() time.Time { return now })
	w := limit.Window{Name: "sign-in", Limit: 1, Period: limit.Hour}
	start, _ := l.Bounds(w)
	for n := range 3 {
		v, err := l.Take(context.Background(), w, "a")
		if err != nil || !v.Allowed {
			t.Fatalf("call %d after GiveBack = %+v, %v; want allowed", n, v, err)
		}
		for range 2 { // the second must not count below zero
			if err := l.GiveBack(context.Background(), w, "a", start); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.GiveBack(context.Background(), w, "a", start.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		if v, err := l.Take(context.Background(), w, "a"); err != nil || v.Allowed != want {
			t.Errorf("Take = %+v, %v; want allowed %v", v, err, want)
		}
	}
}

func TestTakeReturnsCounterError(t *testing.T) {
	l := limit.New(broken{}, time.Now)
	if v, err := l.Take(context.Background(), limit.Window{Limit: 5}, "a"); err == nil || v.Allowed {
		t.Errorf("Take with a broken counter = %+v, %v; want an error", v, err)
	}
}

func BenchmarkMemory(b *testing.B) {
	l := limit.New(limit.NewMemory(), time.Now)
	w := limit.Window{Name: "key", Limit: 200}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := l.Take(context.Background(), w, "svc_abcdefg_"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func when(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A late call of the previous minute counts in that minute and does not reset
// the new window; the same holds when the clock is set back.
func TestLateCallDoesNotResetNextWindow(t *testing.T) {
	now := when(t, "2026-11-15T10:21:01Z")
	l := limit.New(limit.NewMemory(), func() time.Time { return now })
	w := limit.Window{Name: "key", Limit: 200, Period: limit.Minute}
	take := func() limit.Verdict {
		t.Helper()
		v, err := l.Take(context.Background(), w, "a")
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for range 150 {
		take()
	}
	now = now.Add(-2 * time.Second)
	take()
	now = now.Add(2 * time.Second)
	if got := take().Used; got != 151 {
		t.Errorf("%d calls are counted, want 151", got)
	}
}
