package submit

import (
	"testing"
	"time"
)

// authorityOf accepts a number of calls per second and refuses the rest.
type authorityOf struct {
	most   float64
	tokens float64
	at     time.Time
}

func (a *authorityOf) takes(now time.Time) bool {
	a.tokens = min(a.tokens+a.most*now.Sub(a.at).Seconds(), 2)
	a.at = now
	if a.tokens < 1 {
		return false
	}
	a.tokens--
	return true
}

// U-7: with a limit of five calls a second, at most 5.5 a second are sent on
// average over ten seconds once adapted, and not much less.
func TestReliability_U7_ThrottleAdapts(t *testing.T) {
	t.Parallel()
	start := time.Unix(1_000_000, 0)
	authority := &authorityOf{most: 5, at: start}
	var th throttle
	var sent []time.Time
	for tick := range 3000 { // five minutes
		now := start.Add(time.Duration(tick) * 100 * time.Millisecond)
		n := th.allows(now, 64)
		th.began(now, n)
		for range n {
			if !authority.takes(now) {
				th.refused(now, 0, time.Second)
			} else {
				th.taken()
			}
			sent = append(sent, now)
		}
	}
	most := 0
	for i := range sent {
		if sent[i].Sub(start) < 30*time.Second {
			continue
		}
		n := 0
		for _, at := range sent[i:] {
			if at.Sub(sent[i]) < 10*time.Second {
				n++
			}
		}
		most = max(most, n)
	}
	if most > 55 {
		t.Errorf("%d calls in ten seconds, want at most 55", most)
	}
	if rate := float64(len(sent)) / 300; rate < 2.5 {
		t.Errorf("%.1f calls a second, want at least 2.5 of 5", rate)
	}
}

// A second 429 from calls that began before the first does not make the allowed
// number negative, which a database would treat as unlimited.
func TestThrottleNeverAllowsLessThanNothing(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	var th throttle
	for tick := range 1000 {
		at := now.Add(time.Duration(tick) * 10 * time.Millisecond)
		n := th.allows(at, 64)
		if n < 0 {
			t.Fatalf("allows = %d, want at least 0", n)
		}
		th.began(at, 64) // others that were allowed before
		if tick%50 == 0 {
			th.refused(at, 0, 20*time.Millisecond)
		}
	}
}

func TestThrottleWaitsAsLongAsItIsAsked(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	var th throttle
	th.began(now, 64)
	th.refused(now, 7*time.Second, time.Second)
	th.refused(now, 0, time.Second) // another call that was in progress
	if n := th.allows(now.Add(6999*time.Millisecond), 64); n != 0 {
		t.Errorf("%d calls allowed before the end of Retry-After, want 0", n)
	}
	if n := th.allows(now.Add(7*time.Second), 64); n == 0 {
		t.Error("no calls allowed after Retry-After")
	}
	if want := 64 * cut; th.rate != want {
		t.Errorf("rate = %.1f, want %.1f", th.rate, want)
	}
	if n := th.allows(now.Add(time.Hour), 64); n != 64 || th.rate != 0 {
		t.Errorf("an hour later %d calls allowed, rate %.1f; want 64, unlimited", n, th.rate)
	}
}

// A time read just before the 429 does not end the delay.
func TestThrottleIgnoresStaleTimes(t *testing.T) {
	t.Parallel()
	read := time.Unix(1_000_000, 0)
	now := read.Add(5 * time.Millisecond)
	var th throttle
	th.began(read, 64)
	th.refused(now, time.Minute, time.Second)
	if n := th.allows(read, 64); n != 0 {
		t.Errorf("%d calls allowed with a time read before the 429, want 0", n)
	}
	if n := th.allows(now.Add(time.Second), 64); n != 0 {
		t.Errorf("%d calls allowed a second later, want 0", n)
	}
}
