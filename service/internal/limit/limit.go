// Package limit counts calls in fixed windows of time: so many for a subject
// in a minute, an hour, a day or a month. It knows neither what a call is nor
// where counts are kept.
package limit

import (
	"context"
	"time"
)

// Period is the length of a window and where it begins.
type Period int

// The periods. Minutes and hours are aligned to the clock; days and months are
// those of Riyadh.
const (
	Minute Period = iota
	Hour
	Day
	Month
)

// riyadh has had no other offset since there is such a thing as UTC.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

// Bounds gives the window of the period that an instant is in.
func (p Period) Bounds(at time.Time) (start, end time.Time) {
	at = at.In(riyadh)
	switch p {
	case Minute:
		start = at.Truncate(time.Minute)
		return start, start.Add(time.Minute)
	case Hour:
		start = at.Truncate(time.Hour)
		return start, start.Add(time.Hour)
	case Day:
		start = time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, riyadh)
		return start, start.AddDate(0, 0, 1)
	default:
		start = time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, riyadh)
		return start, start.AddDate(0, 1, 0)
	}
}

// Window allows a subject so many calls in a period. The name keeps windows
// apart that count the same subject.
type Window struct {
	Name   string
	Limit  int
	Period Period
}

// Key is the name of the window that calls with a key are counted in.
const Key = "key"

// Verdict says what became of a call.
type Verdict struct {
	Allowed   bool
	Limit     int
	Used      int           // with this call
	Remaining int           // after this call
	Left      time.Duration // until the window ends; never under a second
}

// Counter counts in one atomic step. Implementations: [Memory] here, and the
// database's, for several processes.
type Counter interface {
	// Add counts one call of the subject in the window that begins and ends so,
	// and says how many there are now.
	Add(ctx context.Context, subject string, start, end time.Time) (int, error)
	// Sub takes back one call that was counted in the window that begins so.
	Sub(ctx context.Context, subject string, start time.Time) error
}

// Limiter takes calls from windows.
type Limiter struct {
	counter Counter
	now     func() time.Time
}

// New makes a limiter over a counter and a clock.
func New(counter Counter, now func() time.Time) *Limiter {
	return &Limiter{counter: counter, now: now}
}

// Take counts a call of the subject and says whether it is within the window.
func (l *Limiter) Take(ctx context.Context, w Window, subject string) (Verdict, error) {
	now := l.now()
	start, end := w.Period.Bounds(now)
	used, err := l.counter.Add(ctx, w.Name+":"+subject, start, end)
	if err != nil {
		return Verdict{}, err
	}
	return w.judge(used, end.Sub(now)), nil
}

// GiveBack takes back a call that was counted in the window that begins so:
// it turned out to be none of those that are counted.
func (l *Limiter) GiveBack(ctx context.Context, w Window, subject string, start time.Time) error {
	return l.counter.Sub(ctx, w.Name+":"+subject, start)
}

// Bounds gives the window that a call is in now.
func (l *Limiter) Bounds(w Window) (start, end time.Time) { return w.Period.Bounds(l.now()) }

// Taken says what became of a call that was counted by whoever kept its
// subject, in a window that ends then.
func (l *Limiter) Taken(w Window, used int, end time.Time) Verdict {
	return w.judge(used, end.Sub(l.now()))
}

func (w Window) judge(used int, left time.Duration) Verdict {
	return Verdict{
		Allowed:   used <= w.Limit,
		Limit:     w.Limit,
		Used:      used,
		Remaining: max(w.Limit-used, 0),
		Left:      max(left, time.Second),
	}
}

// SecondsLeft is Left in whole seconds, rounded up: who waits so long is let in.
func (v Verdict) SecondsLeft() int { return int((v.Left + time.Second - 1) / time.Second) }
