package submit

import (
	"math"
	"time"
)

// breaker is a circuit breaker for an endpoint. It opens when half of the last
// twenty calls failed, then lets one call per second through. When one
// succeeds, it allows 1, 2, 4 … 64 calls at a time. It does not change the
// database: documents that are not claimed stay queued.
type breaker struct {
	ring  [breakerWindow]bool // failed
	seen  int                 // number of calls in the ring
	next  int
	width int // concurrent calls allowed while reopening
	good  int // successful calls at this width
	state breakerState
	probe time.Time // when the next call is allowed while open
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

// allows returns how many more calls may begin while underWay are in progress.
func (b *breaker) allows(now time.Time, underWay int) int {
	switch b.state {
	case open:
		// A probe time too far in the future was set by a wrong clock.
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

// began records the start of n calls.
func (b *breaker) began(now time.Time, n int) {
	if b.state == open && n > 0 {
		b.probe = now.Add(breakerProbe)
	}
}

// ended records the end of a call.
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
