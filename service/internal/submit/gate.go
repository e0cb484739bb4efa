package submit

import (
	"sync"
	"time"

	"khatm/service/internal/ledger"
)

// gate stands before an endpoint and says how many calls may begin. It is in
// memory: another process has its own.
type gate struct {
	mu       sync.Mutex
	breaker  breaker
	throttle throttle
	underWay int
}

// allows is how many calls may begin now, at most so many.
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

// ended notes what came of a call. Its silence is how long a 429 that does not
// say is heeded.
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

// left notes that a call that had begun was not made.
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

// limited reports whether the endpoint takes fewer calls than there may be.
func (g *gate) limited() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.breaker.state != closed || g.throttle.rate != 0
}
