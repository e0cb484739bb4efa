package submit

import (
	"testing"
	"time"
)

// A clock that was a year ahead and is corrected holds no endpoint back.
func TestGatesAfterACorrectedClock(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000_000, 0)
	wrong := now.AddDate(1, 0, 0)

	var b breaker
	for range breakerWindow {
		b.ended(wrong, true)
	}
	if n := b.allows(wrong, 0); n != 0 || b.state != open {
		t.Fatalf("an open breaker allows %d", n)
	}
	if n := b.allows(now, 0); n != 1 {
		t.Errorf("the breaker allows %d calls, want 1", n)
	}

	var th throttle
	th.began(wrong, 10)
	th.refused(wrong, time.Minute, time.Second)
	if n := th.allows(wrong.Add(30*time.Second), 5); n != 0 {
		t.Fatalf("%d calls while the authority wants none", n)
	}
	th.allows(wrong.Add(2*time.Minute), 5)
	if n := th.allows(now, 5); n == 0 {
		t.Error("the throttle allows nothing")
	}
	th.began(now, 1)
	th.refused(now, time.Minute, time.Second)
	if n := th.allows(now.Add(30*time.Second), 5); n != 0 {
		t.Errorf("%d calls within a wait of the right clock", n)
	}
	if n := th.allows(now.Add(2*time.Minute), 5); n == 0 {
		t.Error("nothing is allowed after the wait")
	}
}
