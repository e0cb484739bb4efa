package capacity

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Bounds configures a Pool.
type Bounds struct {
	Total int64         // units in the pool
	Each  int64         // units that one subject can claim; at most Total
	Floor int64         // units that every subject can claim even if nothing is left
	Queue int           // requests of one subject that can wait
	Wait  time.Duration // longest wait

	// Alone reports whether no other subject uses the server. It may be nil. A
	// subject that is alone can claim AloneTotal units.
	Alone      func(subject string) bool
	AloneTotal int64
}

// Pool is a resource that subjects share. It is safe for concurrent use.
type Pool struct {
	bounds Bounds

	mu      sync.Mutex
	used    int64
	refused int64
	shares  map[string]*share // of the subjects that use the pool or wait for it
	waiting []*share          // those with waiters; the one served longest ago first
}

// share is the part of a pool that one subject uses, and its waiting requests.
type share struct {
	subject string
	used    int64
	each    int64     // units that it can claim
	total   int64     // units that all can use when it claims some
	queue   []*waiter // oldest first
}

// waiter is a request that waits for units.
type waiter struct {
	units   int64
	granted chan struct{} // closed when the units are granted
}

// NewPool returns a pool of which nothing is in use.
func NewPool(b Bounds) *Pool {
	b.Each = min(b.Each, b.Total)
	return &Pool{bounds: b, shares: map[string]*share{}}
}

// Claim is a part of a pool that a request uses.
type Claim struct {
	pool  *Pool
	share *share
	units int64
}

// Acquire waits until the subject of ctx can claim the given number of units. A
// request for more than one subject can have gets as many as one subject can have.
// If the wait takes too long or too many requests of the subject are waiting, the
// error satisfies [IsBusy]. Without a subject in ctx, and on a nil pool, there is
// no limit.
func (p *Pool) Acquire(ctx context.Context, units int64) (*Claim, error) {
	subject := Subject(ctx)
	if p == nil || subject == "" {
		return nil, nil //nolint:nilnil // a nil claim can be released
	}
	units = max(1, min(units, p.bounds.Each))
	s, err := p.acquire(ctx, subject, units)
	if err != nil {
		return nil, err
	}
	return &Claim{p, s, units}, nil
}

// acquire is Acquire for a subject and a number of units that it can have.
func (p *Pool) acquire(ctx context.Context, subject string, units int64) (*share, error) {
	p.mu.Lock()
	s := p.shareOf(subject)
	s.each, s.total = p.bounds.Each, p.bounds.Total
	if p.bounds.Alone != nil && p.bounds.Alone(subject) {
		s.each, s.total = p.bounds.AloneTotal, p.bounds.AloneTotal
	}
	if p.small(s, units) || len(p.waiting) == 0 && p.fits(s, units) {
		p.take(s, units)
		p.mu.Unlock()
		return s, nil
	}
	if len(s.queue) >= p.bounds.Queue*patience(ctx) {
		p.refused++
		p.forget(s)
		p.mu.Unlock()
		return nil, busy()
	}
	w := &waiter{units: units, granted: make(chan struct{})}
	if len(s.queue) == 0 {
		p.waiting = append(p.waiting, s)
	}
	s.queue = append(s.queue, w)
	p.grant()
	p.mu.Unlock()
	return s, p.await(ctx, s, w)
}

// await waits until the units of w are granted. Otherwise it removes w from the
// queue.
func (p *Pool) await(ctx context.Context, s *share, w *waiter) error {
	late := time.NewTimer(p.bounds.Wait * time.Duration(patience(ctx)))
	defer late.Stop()
	var err error
	select {
	case <-w.granted:
		return nil
	case <-late.C:
		err = busy()
	case <-ctx.Done():
		err = fmt.Errorf("wait for capacity: %w", ctx.Err())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-w.granted: // meanwhile
		return nil
	default:
	}
	if IsBusy(err) {
		p.refused++
	}
	s.queue = slices.DeleteFunc(s.queue, func(other *waiter) bool { return other == w })
	if len(s.queue) == 0 {
		p.waiting = slices.DeleteFunc(p.waiting, func(other *share) bool { return other == s })
		p.forget(s)
	}
	p.grant() // requests behind it may fit
	return err
}

// Extend waits until units can be added to a claim, as Acquire does. If it fails, the
// claim is unchanged. Requests of one subject that extend their claims can wait for each
// other, at most until one of them is refused.
func (c *Claim) Extend(ctx context.Context, units int64) error {
	if c == nil {
		return nil
	}
	if units = min(units, c.pool.bounds.Each-c.units); units <= 0 {
		return nil
	}
	if _, err := c.pool.acquire(ctx, c.share.subject, units); err != nil {
		return err
	}
	c.units += units
	return nil
}

// Grow adds units to a claim at once, even beyond the bounds: for memory that is
// in use already. Later requests wait for it.
func (c *Claim) Grow(units int64) {
	if c == nil {
		return
	}
	c.pool.mu.Lock()
	defer c.pool.mu.Unlock()
	c.units += units
	c.pool.take(c.share, units)
}

// Release returns the units of a claim to the pool. A claim may be nil, and can be
// released more than once.
func (c *Claim) Release() {
	if c == nil {
		return
	}
	p := c.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	p.take(c.share, -c.units)
	c.units = 0
	p.forget(c.share)
	p.grant()
}

// grant serves waiting requests: always the oldest request of the subject that
// uses the least, and of several the one that was served longest ago. It stops at
// a request that does not fit, so that a large request is not overtaken forever.
func (p *Pool) grant() {
	for {
		var next *share
		at := 0
		for i, s := range p.waiting {
			if s.used+s.queue[0].units > s.each && s.used > 0 {
				continue // waits for its own requests
			}
			if next == nil || s.used < next.used {
				next, at = s, i
			}
			if p.small(s, s.queue[0].units) {
				next, at = s, i
				break
			}
		}
		if next == nil || p.used+next.queue[0].units > next.total && p.used > 0 && !p.small(next, next.queue[0].units) {
			return
		}
		w := next.queue[0]
		next.queue = next.queue[1:]
		p.waiting = slices.Delete(p.waiting, at, at+1)
		if len(next.queue) > 0 {
			p.waiting = append(p.waiting, next)
		}
		p.take(next, w.units)
		close(w.granted)
	}
}

// small reports whether a subject stays within the floor with more units.
func (p *Pool) small(s *share, units int64) bool { return s.used+units <= p.bounds.Floor }

// fits reports whether a subject can have more units now.
func (p *Pool) fits(s *share, units int64) bool {
	return s.used+units <= s.each && p.used+units <= s.total
}

func (p *Pool) take(s *share, units int64) {
	s.used += units
	p.used += units
}

func (p *Pool) shareOf(subject string) *share {
	s := p.shares[subject]
	if s == nil {
		s = &share{subject: subject}
		p.shares[subject] = s
	}
	return s
}

// forget removes a share without units and waiters.
func (p *Pool) forget(s *share) {
	if s.used == 0 && len(s.queue) == 0 && p.shares[s.subject] == s {
		delete(p.shares, s.subject)
	}
}

// Usage describes a pool at one moment.
type Usage struct {
	Total, Used int64
	Waiting     int
	Refused     int64 // requests refused since the start
}

// Usage returns the current usage, for metrics.
func (p *Pool) Usage() Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	u := Usage{Total: p.bounds.Total, Used: p.used, Refused: p.refused}
	for _, s := range p.waiting {
		u.Waiting += len(s.queue)
	}
	return u
}
