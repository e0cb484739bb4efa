package submit

import (
	"testing"
	"time"
)

// After a clock that was a year ahead is corrected, no endpoint stays blocked.
func TestGatesAfterACorrectedClock(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000_000, 0)
	wrong := now.AddDate(1, 0, 0)

	var b breaker
	for range breakerWindow {
		b.ended(wrong, true)
	}
	if n := b.allows(wrong, 0); n != 0 || b.state != open {
		t.Fatalf("open breaker allows %d calls, want 0", n)
	}
	if n := b.allows(now, 0); n != 1 {
		t.Errorf("the breaker allows %d calls, want 1", n)
	}

	var th throttle
	th.began(wrong, 10)
	th.refused(wrong, time.Minute, time.Second)
	if n := th.allows(wrong.Add(30*time.Second), 5); n != 0 {
		t.Fatalf("throttle allows %d calls during Retry-After, want 0", n)
	}
	th.allows(wrong.Add(2*time.Minute), 5)
	if n := th.allows(now, 5); n == 0 {
		t.Error("throttle allows no calls after the correction")
	}
	th.began(now, 1)
	th.refused(now, time.Minute, time.Second)
	if n := th.allows(now.Add(30*time.Second), 5); n != 0 {
		t.Errorf("throttle allows %d calls during Retry-After by the right clock, want 0", n)
	}
	if n := th.allows(now.Add(2*time.Minute), 5); n == 0 {
		t.Error("throttle allows no calls after Retry-After")
	}
}
