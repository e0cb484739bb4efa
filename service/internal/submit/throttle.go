package submit

import "time"

// throttle holds the rate of calls to what the authority takes. Nothing holds
// it until a 429 comes; then nothing goes out for as long as the answer asks,
// the rate is less by a third than it was, and it grows again with every
// answer that is none.
type throttle struct {
	rate   float64       // calls a second; 0 for any
	tokens float64       // calls that may begin
	at     time.Time     // of tokens
	until  time.Time     // nothing before
	wait   time.Duration // how long until was away at most
	quiet  time.Time     // since when the rate grows

	window time.Time // begin of the second that is counted
	count  int       // calls begun in it
	last   float64   // calls begun in the one before, a second
}

const (
	slowest   = 0.5  // calls a second
	first     = 10   // the least that is taken for the rate of before
	fastest   = 1000 // from here on nothing holds it
	growth    = 1.05 // a second, after growsHold without a 429
	perAnswer = 1.05 // for each answer that is none
	cut       = 0.7  // at a 429
	growsHold = 5 * time.Second
)

// allows is how many calls may begin now, at most so many.
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

// stale is how long before its use a time may have been read.
const stale = time.Minute

// mend takes the times as past that lie further ahead than they were ever set: a
// clock that was wrong set them.
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

// taken notes an answer that was no 429.
func (t *throttle) taken() { t.faster(perAnswer) }

// began notes that calls begin.
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

// refused notes a 429 and how long the authority wants to be left alone.
func (t *throttle) refused(now time.Time, wait, atLeast time.Duration) {
	t.mend(now)
	fresh := !now.Before(t.until) // not one of those that were under way together
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
