package simulator

import (
	"sync"
	"time"
)

// clock is the simulator's time: that of the clock it was given, moved or
// stopped by the control API.
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

// step moves the clock on, or back, whether it runs or is frozen.
func (c *clock) step(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += by
	if !c.frozen.IsZero() {
		c.frozen = c.frozen.Add(by)
	}
}

// set lets the clock run with an offset to the one it was given.
func (c *clock) set(offset time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset, c.frozen = offset, time.Time{}
}

// freeze stops the clock at a time.
func (c *clock) freeze(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset, c.frozen = at.Sub(c.source()), at
}

// reading is the clock as the control API shows it.
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
