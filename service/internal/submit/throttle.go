package submit

import "time"

// throttle adapts the rate of calls to the limits of the authority. The rate is
// unlimited until a 429. Then no calls are made for as long as the answer
// requests, the rate drops by 30 percent, and it grows again with every other
// answer.
type throttle struct {
	rate   float64       // calls per second; 0 if unlimited
	tokens float64       // calls that may begin
	at     time.Time     // time of tokens
	until  time.Time     // no calls before
	wait   time.Duration // delay that until was set to
	quiet  time.Time     // the rate starts to grow growsHold after this time

	window time.Time // start of the second being counted
	count  int       // calls begun in the window
	last   float64   // calls per second in the previous window
}

const (
	slowest   = 0.5  // calls per second
	first     = 10   // minimum assumed for the rate before the first 429
	fastest   = 1000 // unlimited from here on
	growth    = 1.05 // per second, after growsHold without a 429
	perAnswer = 1.05 // for each answer that is not a 429
	cut       = 0.7  // factor after a 429
	growsHold = 5 * time.Second
)

// allows returns how many calls may begin now, up to most.
func (t *throttle) allows(now time.Time, most int) int {
	t.mend(now)
	if now.Before(t.until) {
		return 0
	}
	if t.grow(now); t.rate == 0 {
		return most
	}
	t.tokens = min(t.tokens+t.rate*now.Sub(t.at).Seconds(), max(1, t.rate/4))
	t.at = now
	return max(min(int(t.tokens), most), 0)
}

// stale is how old a time may be when it is used.
const stale = time.Minute

// mend resets times further in the future than they can have been set: a wrong
// clock set them.
func (t *throttle) mend(now time.Time) {
	if t.until.Sub(now) > t.wait+stale || t.at.Sub(now) > t.wait+stale {
		t.until, t.at, t.quiet = now, now, now
	}
}

func (t *throttle) grow(now time.Time) {
	for now.Sub(t.quiet) >= growsHold && t.rate != 0 {
		t.quiet = t.quiet.Add(time.Second)
		t.faster(growth)
	}
}

func (t *throttle) faster(by float64) {
	if t.rate *= by; t.rate >= fastest {
		t.rate = 0
	}
}

// taken records an answer that is not a 429.
func (t *throttle) taken() { t.faster(perAnswer) }

// began records the start of n calls.
func (t *throttle) began(now time.Time, n int) {
	if t.rate != 0 {
		t.tokens -= float64(n)
	}
	if since := now.Sub(t.window); since >= time.Second || since < 0 {
		t.last = float64(t.count) / max(since.Seconds(), 1)
		t.window, t.count = now, 0
	}
	t.count += n
}

// refused records a 429 with the requested delay.
func (t *throttle) refused(now time.Time, wait, atLeast time.Duration) {
	t.mend(now)
	fresh := !now.Before(t.until) // not from a call that was in progress at the last 429
	if until := now.Add(max(wait, atLeast)); until.After(t.until) {
		t.until, t.wait = until, until.Sub(now)
	}
	t.quiet = t.until
	if !fresh {
		return
	}
	was := t.rate
	if was == 0 {
		was = max(t.last, float64(t.count), first)
	}
	t.rate, t.tokens, t.at = max(was*cut, slowest), 1, t.until
}
