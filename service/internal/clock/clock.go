// Package clock decides whether the wall clock is right enough to date
// documents. It compares the progress of the wall clock with the boot-time
// clock, and the wall clock with the Date header of the tax authority's
// responses.
//
// It cannot detect a clock that is wrong from the start of the process while the
// authority cannot be reached.
package clock

import (
	"fmt"
	"sync"
	"time"
)

// Tolerance is how far the wall clock may be off.
const Tolerance = 10 * time.Minute

// agreement is the maximum difference between two responses that confirm each
// other. The Date header has a resolution of a second, and a slow response may
// have been dated at any time between request and arrival.
const agreement = time.Minute

// Clock checks a wall clock. It is safe for concurrent use.
//
// Its fields hold origins: the reading of a clock minus the boot time at that
// moment. The origin of a clock is constant unless the clock is set.
type Clock struct {
	wall func() time.Time
	boot func() time.Duration

	mu        sync.Mutex
	anchor    time.Time     // origin of the wall clock when last accepted
	heard     time.Time     // origin of the authority's last response; zero before the first
	differs   bool          // the last response contradicts authority
	authority time.Time     // origin on which two responses agreed; zero before
	excused   time.Duration // accepted difference from the authority's time
}

// New returns a Clock that accepts the current wall clock. boot returns the time
// since a fixed moment, including time asleep.
func New(wall func() time.Time, boot func() time.Duration) *Clock {
	c := &Clock{wall: wall, boot: boot}
	c.anchor = c.origin()
	return c
}

// origin returns the origin of the wall clock. It drops the monotonic reading,
// which Sub would prefer and which does not show a jump.
func (c *Clock) origin() time.Time { return c.wall().Round(0).Add(-c.boot()) }

// Wrong is the error for a clock that must not date documents.
type Wrong struct {
	Ahead     time.Duration // difference from the right time; negative if behind
	Authority bool          // compared with the authority's time, not with the boot-time clock
}

// Error describes the difference for an operator.
func (w *Wrong) Error() string {
	how := "ahead of"
	if w.Ahead < 0 {
		how = "behind"
	}
	than := "its time before it jumped"
	if w.Authority {
		than = "the tax authority's clock"
	}
	return fmt.Sprintf("the clock is %s %s %s", w.Ahead.Abs().Round(time.Second), how, than)
}

// Check returns nil if the wall clock may date documents now, otherwise a
// *Wrong. If the authority's time is known, the wall clock must agree with it;
// otherwise it must have moved with the boot-time clock since it was last
// accepted.
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

// Now returns the wall clock or, while that is wrong, the best estimate of the
// right time. Leases and retries dated with it are not affected by a jump.
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

// Heard records the time stated in a response of the authority. at is the boot
// time halfway between the request and the response. Two consecutive responses
// that agree set the authority's time, and end an accepted difference if the
// clock agrees with them.
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

// Contradicted reports whether the last response contradicts the authority's
// known time, for example after the machine was paused. The next response
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

// Offset returns how far the wall clock is ahead of the authority's time, and whether
// that time is known. The authority states whole seconds.
func (c *Clock) Offset() (ahead time.Duration, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.authority.IsZero() {
		return 0, false
	}
	return c.origin().Sub(c.authority), true
}

// Accept accepts the wall clock on behalf of an operator whose clock showed at.
// If the two differ by more than Tolerance, it changes nothing and returns
// false. A difference from the authority's time is accepted until it changes.
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
