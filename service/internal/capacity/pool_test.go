package capacity_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
)

const wait = time.Minute

func pool(total, each int64) *capacity.Pool {
	return capacity.NewPool(capacity.Bounds{Total: total, Each: each, Queue: 10, Wait: wait})
}

// of returns a context for the claims of an address.
func of(t *testing.T, subject string) context.Context {
	t.Helper()
	return capacity.WithAddress(t.Context(), subject)
}

func claim(t *testing.T, p *capacity.Pool, subject string, units int64) *capacity.Claim {
	t.Helper()
	c, err := p.Acquire(of(t, subject), units)
	if err != nil {
		t.Fatalf("claim of %d for %s: %v", units, subject, err)
	}
	return c
}

// served records in which order requests are granted.
type served struct {
	mu    sync.Mutex
	order []string
	held  []*capacity.Claim
}

// ask starts a request and returns once it waits or was granted.
func (s *served) ask(t *testing.T, p *capacity.Pool, subject string, units int64) {
	go func() {
		c, err := p.Acquire(of(t, subject), units)
		if errors.Is(err, context.Canceled) { // the test has ended
			return
		}
		if err != nil {
			t.Errorf("claim of %d for %s: %v", units, subject, err)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.order = append(s.order, subject)
		s.held = append(s.held, c)
	}()
	synctest.Wait()
}

// next releases a claim, and returns the subjects granted by that.
func (s *served) next(c *capacity.Claim) []string {
	before := len(s.order)
	c.Release()
	synctest.Wait()
	return s.order[before:]
}

func equal(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: granted %q, want %q", what, got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: granted %q, want %q", what, got, want)
			return
		}
	}
}

func TestSubjectWaitsForItsOwnRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool(4, 3)
		var flood []*capacity.Claim
		for range 3 {
			flood = append(flood, claim(t, p, "flood", 1))
		}
		var s served
		for range 5 {
			s.ask(t, p, "flood", 1)
		}
		equal(t, "beyond its part", s.order)
		claim(t, p, "other", 1).Release() // at once
		s.ask(t, p, "other", 1)
		s.ask(t, p, "other", 1)
		equal(t, "another subject", s.order, "other")
		equal(t, "a unit becomes free", s.next(flood[0]), "other") // it has less
		equal(t, "the next one", s.next(flood[1]), "flood")
	})
}

func TestSubjectsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool(1, 1)
		first := claim(t, p, "a", 1)
		var s served
		for _, subject := range []string{"a", "a", "a", "b", "b", "c"} {
			s.ask(t, p, subject, 1)
		}
		s.next(first)
		for range 5 {
			s.next(s.held[len(s.held)-1])
		}
		equal(t, "one at a time", s.order, "a", "b", "c", "a", "b", "a")
	})
}

func TestLargeRequestIsNotOvertakenForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool(9, 8)
		small := []*capacity.Claim{claim(t, p, "a", 2), claim(t, p, "b", 2)}
		var s served
		s.ask(t, p, "c", 8)
		s.ask(t, p, "d", 1) // would fit, but c was first and has nothing either
		equal(t, "before there is room", s.order)
		equal(t, "half of the room", s.next(small[0]))
		equal(t, "enough room", slices.Sorted(slices.Values(s.next(small[1]))), "c", "d")
	})
}

func TestRequestLargerThanItsPartGetsThePart(t *testing.T) {
	p := pool(10, 6)
	c := claim(t, p, "a", 1000)
	if used := p.Usage().Used; used != 6 {
		t.Errorf("%d units in use, want 6", used)
	}
	c.Release()
	c.Release() // has no effect
	if used := p.Usage().Used; used != 0 {
		t.Errorf("%d units in use after the release, want 0", used)
	}
}

func TestWaitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool(1, 1)
		held := claim(t, p, "a", 1)
		began := time.Now()
		if _, err := p.Acquire(of(t, "b"), 1); !capacity.IsBusy(err) {
			t.Errorf("error %v, want that the server is busy", err)
		}
		if took := time.Since(began); took != wait {
			t.Errorf("refused after %s, want %s", took, wait)
		}
		gone, cancel := context.WithTimeout(of(t, "b"), time.Second)
		defer cancel()
		if _, err := p.Acquire(gone, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want that of the context", err)
		}
		if u := p.Usage(); u.Waiting != 0 || u.Refused != 1 {
			t.Errorf("%d waiting and %d refused, want 0 and 1: the client that left was not refused", u.Waiting, u.Refused)
		}
		held.Release()
		claim(t, p, "b", 1).Release()
	})
}

func TestPatientWaitsLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool(1, 1)
		claim(t, p, "a", 1)
		began := time.Now()
		if _, err := p.Acquire(capacity.Patient(of(t, "b")), 1); !capacity.IsBusy(err) || time.Since(began) != 10*wait {
			t.Errorf("error %v after %s, want that the server is busy after %s", err, time.Since(began), 10*wait)
		}
	})
}

func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool(2, 1)
		held := claim(t, p, "a", 1)
		var s served
		for range 10 {
			s.ask(t, p, "a", 1)
		}
		if _, err := p.Acquire(of(t, "a"), 1); !capacity.IsBusy(err) {
			t.Errorf("the eleventh waiting request: error %v, want that the server is busy", err)
		}
		if u := p.Usage(); u.Waiting != 10 {
			t.Errorf("%d waiting, want 10", u.Waiting)
		}
		claim(t, p, "b", 1).Release() // its queue is empty
		s.next(held)
		for i := range 9 {
			s.next(s.held[i])
		}
		if len(s.order) != 10 {
			t.Errorf("%d requests were granted, want 10", len(s.order))
		}
	})
}

// A request that leaves the queue lets those behind it through.
func TestLeavingTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool(4, 3)
		claim(t, p, "a", 2)
		ctx, cancel := context.WithCancel(of(t, "b"))
		left := make(chan error)
		go func() {
			_, err := p.Acquire(ctx, 3)
			left <- err
		}()
		synctest.Wait()
		var s served
		s.ask(t, p, "c", 2)
		equal(t, "behind a large request", s.order)
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
		synctest.Wait()
		equal(t, "after it left", s.order, "c")
	})
}

func TestGrowGoesBeyondTheBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool(10, 5)
		c := claim(t, p, "a", 1)
		c.Grow(20)
		var s served
		s.ask(t, p, "b", 1)
		equal(t, "while the pool is overdrawn", s.order)
		equal(t, "afterwards", s.next(c), "b")
	})
}

func TestNoLimit(t *testing.T) {
	p := pool(1, 1)
	claim(t, p, "a", 1)
	for name, try := range map[string]func() (*capacity.Claim, error){
		"work of the server itself": func() (*capacity.Claim, error) { return p.Acquire(t.Context(), 1) },
		"no pool":                   func() (*capacity.Claim, error) { return (*capacity.Pool)(nil).Acquire(of(t, "a"), 1) },
	} {
		c, err := try()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		c.Grow(5)
		c.Release()
	}
	if used := p.Usage().Used; used != 1 {
		t.Errorf("%d units in use, want 1", used)
	}
}

func TestOrganisationsAndAddressesAreDifferentSubjects(t *testing.T) {
	id := uuid.MustParse("0198c0de-0000-7000-8000-000000000001")
	address, organisation := capacity.WithAddress(t.Context(), id.String()), capacity.WithOrganisation(t.Context(), id)
	if capacity.Subject(address) == capacity.Subject(organisation) {
		t.Errorf("both are %q", capacity.Subject(address))
	}
	if got := capacity.Subject(capacity.WithOrganisation(address, id)); got != capacity.Subject(organisation) {
		t.Errorf("subject %q, want that of the last call", got)
	}
}

// TestBoundsHoldUnderLoad checks that random requests of several subjects never
// exceed the bounds, that all are granted, and that nothing remains.
func TestBoundsHoldUnderLoad(t *testing.T) {
	const total, each = 20, 9
	p := capacity.NewPool(capacity.Bounds{Total: total, Each: each, Queue: 1000, Wait: wait})
	var all atomic.Int64
	var by [5]atomic.Int64
	var running sync.WaitGroup
	for worker := range 40 {
		running.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(worker)))
			subject := worker % len(by)
			for range 300 {
				units := 1 + random.Int64N(each)
				c, err := p.Acquire(of(t, string(rune('a'+subject))), units)
				if err != nil {
					t.Error(err)
					return
				}
				if n := all.Add(units); n > total {
					t.Errorf("%d units in use, want at most %d", n, total)
				}
				if n := by[subject].Add(units); n > each {
					t.Errorf("%d units of one subject, want at most %d", n, each)
				}
				if random.IntN(4) == 0 {
					time.Sleep(time.Microsecond)
				}
				all.Add(-units)
				by[subject].Add(-units)
				c.Release()
			}
		})
	}
	running.Wait()
	if u := p.Usage(); u.Used != 0 || u.Waiting != 0 || u.Refused != 0 || p.Subjects() != 0 {
		t.Errorf("afterwards %+v and %d subjects, want nothing", u, p.Subjects())
	}
}

// A subject can always have the floor, whatever others hold or wait for.
func TestFloor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := capacity.NewPool(capacity.Bounds{Total: 100, Each: 60, Floor: 8, Queue: 1, Wait: wait})
		large := claim(t, p, "a", 60)
		claim(t, p, "b", 40)
		var s served
		s.ask(t, p, "c", 45) // waits
		small := claim(t, p, "d", 8)
		claim(t, p, "c", 5) // although another request of c waits
		if _, err := p.Acquire(short(t, "d"), 1); !capacity.IsBusy(err) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a claim beyond the floor: %v, want a wait", err)
		}
		s.ask(t, p, "d", 6) // beyond the floor with the first claim
		equal(t, "within the floor now, although c is before it", s.next(small), "d")
		equal(t, "the large request", s.next(large), "c")
	})
}

// short returns a context for the claims of an address that ends before a pool gives
// up.
func short(t *testing.T, subject string) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(of(t, subject), wait/2)
	t.Cleanup(cancel)
	return ctx
}

// Extend waits within the bounds of the subject, and leaves the claim as it was if it
// fails.
func TestExtend(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := pool(100, 50)
		one, two := claim(t, p, "a", 10), claim(t, p, "a", 10)
		if err := one.Extend(t.Context(), 30); err != nil {
			t.Error(err)
		}
		if err := two.Extend(t.Context(), 1); !capacity.IsBusy(err) {
			t.Errorf("beyond the bound of the subject: %v, want busy", err)
		}
		if got := p.Usage().Used; got != 50 {
			t.Errorf("%d units are used, want 50", got)
		}
		one.Release()
		if err := two.Extend(t.Context(), 1000); err != nil { // as much as the subject can have
			t.Error(err)
		}
		if got := p.Usage().Used; got != 50 {
			t.Errorf("%d units are used, want 50", got)
		}
		two.Release()
		if got := p.Usage().Used; got != 0 {
			t.Errorf("%d units are used at the end", got)
		}
		var none *capacity.Claim
		if err := none.Extend(t.Context(), 1); err != nil {
			t.Error(err)
		}
	})
}

// The queue of a subject is bounded also behind a request that does not fit.
func TestQueueBehindAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := capacity.NewPool(capacity.Bounds{Total: 100, Each: 90, Queue: 1, Wait: wait})
		claim(t, p, "a", 50)
		var s served
		s.ask(t, p, "b", 80) // does not fit
		s.ask(t, p, "c", 10) // waits behind it
		if _, err := p.Acquire(of(t, "c"), 10); !capacity.IsBusy(err) {
			t.Errorf("a second waiting request: %v, want busy", err)
		}
	})
}
