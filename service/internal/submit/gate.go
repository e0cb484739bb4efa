package submit

import (
	"sync"
	"time"

	"khatm/service/internal/ledger"
)

// gate limits the calls to an endpoint. Its state is in memory, separate for
// each process.
type gate struct {
	mu       sync.Mutex
	breaker  breaker
	throttle throttle
	underWay int
}

// allows returns how many calls may begin now, up to most.
func (g *gate) allows(now time.Time, most int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	most = min(most, g.breaker.allows(now, g.underWay))
	return g.throttle.allows(now, most)
}

func (g *gate) began(now time.Time, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.underWay += n
	g.breaker.began(now, n)
	g.throttle.began(now, n)
}

// ended records the result of a call. silence is the delay after a 429 without
// Retry-After.
func (g *gate) ended(now time.Time, v ledger.Verdict, silence time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.underWay--
	g.breaker.ended(now, v.Cause != nil || v.Code >= 500)
	if v.Outcome == ledger.Throttled {
		g.throttle.refused(now, v.Wait, silence)
	} else {
		g.throttle.taken()
	}
}

// left records that a call was not made after all.
func (g *gate) left() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.underWay--
}

func (g *gate) isOpen() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.breaker.state == open
}

// limited reports whether the number of calls is currently limited.
func (g *gate) limited() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.breaker.state != closed || g.throttle.rate != 0
}
