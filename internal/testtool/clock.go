package testtool

import (
	"sync"
	"time"
)

// Clock is a clock that moves only when a test advances it. Goroutines may share
// it.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock set to now.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock forward, or back if by is negative.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}
