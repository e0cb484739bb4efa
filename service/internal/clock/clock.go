// Package clock decides whether the wall clock may date documents. It compares
// how far the wall clock and the boot-time clock have moved, and the wall clock
// with the time that the tax authority states in its responses.
//
// It cannot detect a clock that is already wrong when the process starts while
// the authority cannot be reached.
package clock

import (
	"fmt"
	"sync"
	"time"
)

// Tolerance is how far the wall clock may be off.
const Tolerance = 10 * time.Minute

// agreement is how far apart two responses of the authority may be that confirm
// each other. The Date header counts seconds, and a slow response is dated
// somewhere between the request and its arrival.
const agreement = time.Minute

// Clock checks a wall clock. It is safe for concurrent use.
//
// All instants inside are origins: what a clock shows, less the boot time at
// that moment. The origin of a clock that is not set stays the same.
type Clock struct {
	wall func() time.Time
	boot func() time.Duration

	mu        sync.Mutex
	anchor    time.Time     // the wall clock's origin when it was last accepted
	heard     time.Time     // origin of the authority's last response; zero before the first
	differs   bool          // the last response contradicts the authority's known time
	authority time.Time     // origin that two responses agreed on; zero before
	excused   time.Duration // how far ahead of the authority the operator accepted the clock
}

// New returns a checker that takes the wall clock to be right now. boot is the
// time since some fixed moment, including the time that the machine slept.
func New(wall func() time.Time, boot func() time.Duration) *Clock {
	c := &Clock{wall: wall, boot: boot}
	c.anchor = c.origin()
	return c
}

// origin drops the monotonic reading of the wall clock: Sub would use it and
// not see the jump.
func (c *Clock) origin() time.Time { return c.wall().Round(0).Add(-c.boot()) }

// Wrong is the error of a clock that must not date documents.
type Wrong struct {
	Ahead     time.Duration // of the right time; negative if it is behind
	Authority bool          // compared with the authority's time, not with the boot-time clock
}

// Error describes the difference to the operator.
func (w *Wrong) Error() string {
	how := "ahead of"
	if w.Ahead < 0 {
		how = "behind"
	}
	than := "what it showed before it jumped"
	if w.Authority {
		than = "the tax authority's"
	}
	return fmt.Sprintf("it is %s %s %s", w.Ahead.Abs().Round(time.Second), how, than)
}

// Check returns nil if the wall clock may date documents now, and otherwise a
// *Wrong. A clock that agrees with the authority is right, whatever it showed
// before; otherwise it must have moved with the boot-time clock since it was
// last accepted.
func (c *Clock) Check() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.check(c.origin())
}

func (c *Clock) check(now time.Time) error {
	if c.authority.IsZero() {
		return wrong(now.Sub(c.anchor), false)
	}
	ahead := now.Sub(c.authority)
	if ahead.Abs() > Tolerance && c.excused != 0 && (ahead-c.excused).Abs() <= Tolerance {
		return nil
	}
	return wrong(ahead, true)
}

// Now returns the time: what the wall clock shows, or, while that is wrong, what
// it should show as far as is known. Leases and retries that are dated with it
// survive a jump.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	wall, boot := c.wall(), c.boot()
	switch {
	case c.check(wall.Round(0).Add(-boot)) == nil:
		return wall
	case c.authority.IsZero():
		return c.anchor.Add(boot)
	}
	return c.authority.Add(boot)
}

func wrong(ahead time.Duration, authority bool) error {
	if ahead.Abs() <= Tolerance {
		return nil
	}
	return &Wrong{Ahead: ahead, Authority: authority}
}

// Heard records that the authority stated a time in a response. at is the boot
// time halfway between the request and the response. Two responses in a row
// that agree replace what was known of the authority's time. A clock that agrees
// with them needs no excuse any more.
func (c *Clock) Heard(date time.Time, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	origin := date.Add(-at)
	if !c.heard.IsZero() && origin.Sub(c.heard).Abs() <= agreement {
		c.authority = origin
		if c.origin().Sub(origin).Abs() <= Tolerance {
			c.excused = 0
		}
	}
	c.heard = origin
	c.differs = !c.authority.IsZero() && origin.Sub(c.authority).Abs() > Tolerance
}

// Contradicted reports whether the authority's last response contradicts what is
// known of its time, as after a pause of the whole machine. A second response
// decides.
func (c *Clock) Contradicted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.differs
}

// Known reports whether the authority's time is known.
func (c *Clock) Known() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.authority.IsZero()
}

// Accept takes the wall clock to be right because an operator, whose clock
// showed at, says so. It reports whether the wall clock is within Tolerance of
// that; if not, nothing changes. A difference from the authority's time is
// excused until it changes.
func (c *Clock) Accept(at time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wall().Round(0).Sub(at).Abs() > Tolerance {
		return false
	}
	c.anchor, c.excused = c.origin(), 0
	if !c.authority.IsZero() {
		c.excused = c.anchor.Sub(c.authority)
	}
	return true
}
