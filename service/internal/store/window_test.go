package store_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/limit"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

var perMinute = limit.Window{Name: "key", Limit: 200, Period: limit.Minute}

func noon() time.Time { return storetest.Start }

// takeAtOnce takes from a window in many goroutines and returns how many calls
// were allowed.
func takeAtOnce(s *store.Store, subject string, times int) (allowed int, err error) {
	limiter := limit.New(s.Windows(), noon)
	var all sync.WaitGroup
	var let, failed atomic.Int64
	for range times {
		all.Go(func() {
			v, err := limiter.Take(context.Background(), perMinute, subject)
			switch {
			case err != nil:
				failed.Add(1)
			case v.Allowed:
				let.Add(1)
			}
		})
	}
	all.Wait()
	if failed.Load() > 0 {
		return 0, fmt.Errorf("%d calls failed", failed.Load())
	}
	return int(let.Load()), nil
}

func TestSQLiteHasNoWindows(t *testing.T) {
	t.Parallel()
	if w := storetest.Open(t, storetest.SQLite(t)).Windows(); w != nil {
		t.Error("Windows of SQLite is a counter, want nil")
	}
}

func TestWindowsCountForSeveralStores(t *testing.T) {
	t.Parallel()
	c := storetest.Postgres(t)
	stores := []*store.Store{storetest.Open(t, c), storetest.Open(t, c)}
	times := testtool.Scale(125, 250, 500)
	var all sync.WaitGroup
	var let atomic.Int64
	for _, s := range stores {
		all.Go(func() {
			n, err := takeAtOnce(s, "busy", times)
			if err != nil {
				t.Error(err)
			}
			let.Add(int64(n))
		})
	}
	all.Wait()
	if let.Load() != int64(perMinute.Limit) {
		t.Errorf("%d of %d calls were allowed, want %d", let.Load(), 2*times, perMinute.Limit)
	}
	same(t, 1)(takeAtOnce(stores[0], "quiet", 1))
}

// runTaker waits for the end of its input, takes from a window and prints how
// many calls were allowed.
func runTaker(args []string) error {
	times, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	return serve(func(s *store.Store) error {
		fmt.Println("ready")
		waitForEOF()
		n, err := takeAtOnce(s, "busy", times)
		fmt.Println(n)
		return err
	})
}

// serve opens the store of a process that a test started, and calls do.
func serve(do func(*store.Store) error) error {
	s, err := store.Serve(context.Background(), processConfig())
	if err != nil {
		return err
	}
	defer s.Close()
	return do(s)
}

func TestWindowsCountForSeveralProcesses(t *testing.T) {
	t.Parallel()
	c := storetest.Postgres(t)
	times := testtool.Scale(125, 250, 500)
	takers := []*process{start(t, "take", c, strconv.Itoa(times)), start(t, "take", c, strconv.Itoa(times))}
	for _, p := range takers {
		p.line()
	}
	for _, p := range takers {
		ok(t, p.stdin.Close())
	}
	let := 0
	for _, p := range takers {
		n, err := strconv.Atoi(p.line())
		ok(t, err)
		ok(t, p.end())
		let += n
	}
	if let != perMinute.Limit {
		t.Errorf("%d of %d calls were allowed, want %d", let, 2*times, perMinute.Limit)
	}
}

func TestExpiredWindowsAreDeleted(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	w := s.Windows()
	start, end := noon(), noon().Add(time.Minute)
	add := func(subject string, from, until time.Time, want int) {
		t.Helper()
		same(t, want)(w.Add(s.ctx, subject, from, until))
	}
	add("a", start, end, 1)
	add("a", start, end, 2)
	add("b", start, end, 1)
	add("a", end, end.Add(time.Minute), 1) // the next window starts at 0
	ok(t, w.Sweep(s.ctx, end))
	add("a", start, end, 3) // a window that ends now has not expired
	ok(t, w.Sweep(s.ctx, end.Add(time.Millisecond)))
	if got := s.count(`SELECT count(*) FROM rate_window`); got != 1 {
		t.Errorf("%d windows are stored, want 1", got)
	}
	add("a", end, end.Add(time.Minute), 2)
}
