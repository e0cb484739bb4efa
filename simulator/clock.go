package simulator

import (
	"sync"
	"time"
)

// clock is the simulator's time: the configured clock, which the control API
// can move or stop.
type clock struct {
	source func() time.Time

	mu     sync.Mutex
	offset time.Duration
	frozen time.Time // zero while the clock runs
}

func newClock(source func() time.Time) *clock { return &clock{source: source} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.frozen.IsZero() {
		return c.frozen
	}
	return c.source().Add(c.offset)
}

// step moves the clock forward or back, whether it is running or frozen.
func (c *clock) step(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += by
	if !c.frozen.IsZero() {
		c.frozen = c.frozen.Add(by)
	}
}

// set makes the clock run at an offset from the configured clock.
func (c *clock) set(offset time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset, c.frozen = offset, time.Time{}
}

// freeze stops the clock at the given time.
func (c *clock) freeze(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset, c.frozen = at.Sub(c.source()), at
}

// reading is the state of the clock as returned by the control API.
type reading struct {
	Now    time.Time `json:"now"`
	Offset string    `json:"offset"`
	Frozen bool      `json:"frozen"`
}

func (c *clock) reading() reading {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	return reading{Now: now, Offset: c.offset.Round(time.Millisecond).String(), Frozen: !c.frozen.IsZero()}
}
