package submit

import (
	"math"
	"time"
)

// breaker keeps claims away from an endpoint that does not answer. It opens
// when half of the last twenty calls failed, lets one call a second through to
// see, and when one is answered lets 1, 2, 4 … 64 at a time. It writes no row:
// what is not claimed stays queued.
type breaker struct {
	ring  [breakerWindow]bool // failed
	seen  int                 // calls in the ring, at most all of it
	next  int
	width int // calls at a time while it closes again; 0 while open
	good  int // answered at this width
	state breakerState
	probe time.Time // when the next call may go through an open one
}

type breakerState int

const (
	closed breakerState = iota
	open
	reopening
)

const (
	breakerWindow = 20
	breakerProbe  = time.Second
	breakerWidth  = 64
)

// allows is how many more calls may begin, when so many are under way.
func (b *breaker) allows(now time.Time, underWay int) int {
	switch b.state {
	case open:
		// A probe that is further away was set by a clock that was wrong.
		if underWay > 0 || now.Before(b.probe) && b.probe.Sub(now) <= breakerProbe+stale {
			return 0
		}
		return 1
	case reopening:
		return max(b.width-underWay, 0)
	default:
		return math.MaxInt
	}
}

// began notes that calls begin.
func (b *breaker) began(now time.Time, n int) {
	if b.state == open && n > 0 {
		b.probe = now.Add(breakerProbe)
	}
}

// ended notes how a call ended.
func (b *breaker) ended(now time.Time, failed bool) {
	switch b.state {
	case open:
		if !failed {
			b.state, b.width, b.good = reopening, 1, 0
		}
	case reopening:
		b.reopen(now, failed)
	default:
		b.count(now, failed)
	}
}

func (b *breaker) reopen(now time.Time, failed bool) {
	if failed {
		b.trip(now)
		return
	}
	if b.good++; b.good < b.width {
		return
	}
	b.good = 0
	if b.width *= 2; b.width >= breakerWidth {
		*b = breaker{}
	}
}

func (b *breaker) count(now time.Time, failed bool) {
	b.ring[b.next] = failed
	b.next = (b.next + 1) % breakerWindow
	b.seen = min(b.seen+1, breakerWindow)
	failures := 0
	for _, f := range b.ring {
		if f {
			failures++
		}
	}
	if b.seen == breakerWindow && 2*failures >= breakerWindow {
		b.trip(now)
	}
}

func (b *breaker) trip(now time.Time) { *b = breaker{state: open, probe: now.Add(breakerProbe)} }
