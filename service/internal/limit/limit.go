// Package limit counts calls of a subject in fixed time windows: per minute,
// hour, day or month. It does not know what a call is or where counts are stored.
package limit

import (
	"context"
	"time"
)

// Period is the length and alignment of a window.
type Period int

// The periods. Minutes and hours follow the clock; days and months begin at
// midnight in Riyadh.
const (
	Minute Period = iota
	Hour
	Day
	Month
)

// riyadh has been UTC+3 without daylight saving time for as long as UTC exists.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

// Bounds returns the start and end of the window that contains at.
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

// Window limits a subject to Limit calls in a Period. The name distinguishes
// windows that count the same subject.
type Window struct {
	Name   string
	Limit  int
	Period Period
}

// Key is the name of the window that counts calls with an API key.
const Key = "key"

// Verdict is the result of counting a call.
type Verdict struct {
	Allowed   bool
	Limit     int
	Used      int           // including this call
	Remaining int           // after this call
	Left      time.Duration // until the window ends; at least a second
}

// Counter counts calls atomically. It is implemented by [Memory] for one process
// and by the database for several.
type Counter interface {
	// Add counts one call of the subject in the window from start to end and
	// returns the number of calls counted in it so far.
	Add(ctx context.Context, subject string, start, end time.Time) (int, error)
	// Sub removes one call from the window that begins at start.
	Sub(ctx context.Context, subject string, start time.Time) error
}

// Limiter checks calls against windows.
type Limiter struct {
	counter Counter
	now     func() time.Time
}

// New returns a limiter that uses the given counter and clock.
func New(counter Counter, now func() time.Time) *Limiter {
	return &Limiter{counter: counter, now: now}
}

// Take counts a call of the subject and reports whether the window allows it.
func (l *Limiter) Take(ctx context.Context, w Window, subject string) (Verdict, error) {
	now := l.now()
	start, end := w.Period.Bounds(now)
	used, err := l.counter.Add(ctx, w.Name+":"+subject, start, end)
	if err != nil {
		return Verdict{}, err
	}
	return w.judge(used, end.Sub(now)), nil
}

// GiveBack removes a call from the window that begins at start, for a call that
// turned out not to count.
func (l *Limiter) GiveBack(ctx context.Context, w Window, subject string, start time.Time) error {
	return l.counter.Sub(ctx, w.Name+":"+subject, start)
}

// Bounds returns the start and end of the current period of w.
func (l *Limiter) Bounds(w Window) (start, end time.Time) { return w.Period.Bounds(l.now()) }

// Taken returns the verdict on a call that was already counted elsewhere, in a
// window that ends at end.
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

// SecondsLeft returns Left in whole seconds, rounded up, so that a call after
// that many seconds falls into the next window.
func (v Verdict) SecondsLeft() int { return int((v.Left + time.Second - 1) / time.Second) }
