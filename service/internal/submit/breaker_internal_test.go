package submit

import (
	"testing"
	"time"
)

func TestBreakerOpensAtHalfOfTwenty(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	for failures := range breakerWindow + 1 {
		var b breaker
		for i := range breakerWindow {
			b.ended(now, i < failures)
		}
		if want := failures >= breakerWindow/2; (b.state == open) != want {
			t.Errorf("%d of 20 failed: open %v, want %v", failures, b.state == open, want)
		}
	}
	var b breaker
	for range breakerWindow - 1 {
		b.ended(now, true)
	}
	if b.state == open {
		t.Error("the breaker opened before twenty calls")
	}
	b.ended(now, false)
	if b.state != open {
		t.Error("the breaker is closed after 19 of 20 calls failed")
	}
}

// While open, one call per second is allowed; then 1, 2, 4 … 64 at a time; then
// any number.
func TestBreakerProbesAndReopens(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	var b breaker
	b.trip(now)
	probes := 0
	for tick := range 100 { // ten seconds
		if n := b.allows(now.Add(time.Duration(tick)*100*time.Millisecond), 0); n > 0 {
			at := now.Add(time.Duration(tick) * 100 * time.Millisecond)
			b.began(at, n)
			b.ended(at, true)
			probes += n
		}
	}
	if probes != 9 {
		t.Errorf("%d calls in ten seconds while open, want 9", probes)
	}
	b.ended(now, false)
	for _, width := range []int{1, 2, 4, 8, 16, 32} {
		if got := b.allows(now, 0); got != width {
			t.Fatalf("%d calls allowed at a time, want %d", got, width)
		}
		if got := b.allows(now, width-1); got != 1 {
			t.Errorf("%d more calls allowed with %d in progress, want 1", got, width-1)
		}
		for range width {
			b.ended(now, false)
		}
	}
	if b.state != closed {
		t.Error("the breaker is not closed again")
	}
	b.trip(now)
	b.ended(now, false)
	b.ended(now, false)
	b.ended(now, true)
	if b.state != open {
		t.Error("a failure while reopening does not open the breaker")
	}
}
