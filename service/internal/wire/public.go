package wire

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/limit"
	"khatm/service/internal/org"
)

// Visits is what may be had of public rows.
type Visits struct {
	Daily   int // calls of an address without a session
	Monthly int // calls of an organisation on the free plan
	Meter   Meter
}

// Meter counts the calls of an organisation's people on public rows, by month.
type Meter interface {
	// TakeVisit counts a call unless as many as the ceiling were counted; it says
	// how many there are now and whether this one is among them.
	TakeVisit(ctx context.Context, of org.Tenant, at time.Time, ceiling int) (used int, taken bool, err error)
}

// Allowance is a window that is told in words: "daily", "hourly".
type Allowance struct {
	limit.Window
	Word  string
	Again time.Duration // what Retry-After says
}

// Hourly is an allowance of so many calls an hour. The name keeps it apart from
// others that count the same subject.
func Hourly(name string, most int) Allowance {
	return Allowance{limit.Window{Name: name, Limit: most, Period: limit.Hour}, "hourly", time.Hour}
}

// daily is the allowance of an address.
func (v Visits) daily() Allowance {
	return Allowance{limit.Window{Name: "public", Limit: v.Daily, Period: limit.Day}, "daily", 24 * time.Hour}
}

// admitPublic decides about a call that anybody may make. Without a session it
// is counted by address, and a key counts for nothing; with one it is counted
// for the person's organisation, if that is on the free plan. Unlike elsewhere
// a counter that is away lets nobody in: nothing here cannot wait.
func (f *Frame) admitPublic(w http.ResponseWriter, r *http.Request) (Caller, error) {
	c := callOf(r)
	a := Caller{Address: c.address.String(), Request: c.id}
	a.Spend = func(ctx context.Context, more Allowance, subject string) error {
		return f.Spend(ctx, w.Header(), more, subject)
	}
	who := f.identifyPublic(r)
	verdict, err := f.Limiter.Take(r.Context(), who.window, who.subject)
	if err != nil {
		rateHeaders(w.Header(), limit.Verdict{Limit: who.window.Limit, Remaining: who.window.Limit})
		return a, uncounted(err)
	}
	rateHeaders(w.Header(), verdict)
	if err := tooMany(w.Header(), verdict, windowSeconds); err != nil {
		return a, err
	}
	if who.visitor == nil {
		return a, f.Spend(r.Context(), w.Header(), f.Visits.daily(), who.subject)
	}
	actor, err := visitorActor(r, who.visitor)
	if err != nil {
		return a, err // which of several organisations is not said
	}
	actor.Address, actor.Request = a.Address, a.Request
	a.Actor, a.Plan = actor, subscribed(who, actor)
	if a.Plan.Slug != org.FreePlan {
		return a, nil
	}
	return a, f.spendMonth(r.Context(), w.Header(), actor.Tenant)
}

// identifyPublic finds the session of somebody who can act for an organisation.
// Whatever else is sent is that of a stranger.
func (f *Frame) identifyPublic(r *http.Request) credential {
	stranger := f.identify(r, Anyone)
	token, cookie := bearer(r)
	if token == "" || org.LooksLikeKey(token) {
		return stranger
	}
	visitor, err := f.session(r, token, cookie)
	if err != nil {
		return stranger
	}
	if _, err := visitorActor(r, &visitor); err != nil && fault.KindOf(err) != fault.Conflict {
		return stranger
	}
	callOf(r).actor = visitor.Person.Email
	return credential{window: limit.Window{Name: "person", Limit: f.Windows.Person}, subject: visitor.Person.ID.String(), visitor: &visitor}
}

// Spend takes a call from an allowance. The headers show it when it is the one
// that refuses, or the only one that is counted.
func (f *Frame) Spend(ctx context.Context, h http.Header, a Allowance, subject string) error {
	verdict, err := f.Limiter.Take(ctx, a.Window, subject)
	if err != nil {
		return uncounted(err)
	}
	if verdict.Allowed && h[rateLimit] != nil { //nolint:staticcheck // it is written so too
		return nil
	}
	h[rateLimit] = []string{strconv.Itoa(verdict.Limit)}
	h[rateRemaining] = []string{strconv.Itoa(verdict.Remaining)}
	h[rateReset] = []string{strconv.Itoa(int(a.Again.Seconds()))}
	if verdict.Allowed {
		return nil
	}
	e := spent(a.Word, verdict.Limit)
	e.Again = a.Again
	return e
}

// spendMonth takes a call from the month of an organisation on the free plan.
func (f *Frame) spendMonth(ctx context.Context, h http.Header, of org.Tenant) error {
	now := f.Now()
	_, taken, err := f.Visits.Meter.TakeVisit(ctx, of, now, f.Visits.Monthly)
	switch {
	case err != nil:
		return uncounted(err)
	case taken:
		return nil
	}
	left := org.UsageMonth(now).AddDate(0, 1, 0).Sub(now)
	h[rateLimit] = []string{strconv.Itoa(f.Visits.Monthly)}
	h[rateRemaining] = []string{"0"}
	h[rateReset] = []string{strconv.Itoa(int(left.Seconds()) + 1)}
	return spent("monthly", f.Visits.Monthly)
}

// spent is the fault of a call beyond an allowance.
func spent(word string, most int) *fault.Error {
	return (&fault.Error{Kind: fault.Exhausted}).
		With("detail", "The "+word+" limit of "+strconv.Itoa(most)+" requests is used up.").
		With("window", word).
		With("limit", most).
		With("current", most)
}

func uncounted(cause error) error {
	e := (&fault.Error{Kind: fault.Unavailable, Cause: cause}).
		With("detail", "The rate limiter is not available at the moment. Try again shortly.")
	return e
}
