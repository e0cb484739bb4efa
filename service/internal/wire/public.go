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

// Visits holds the limits of public routes.
type Visits struct {
	Daily   int // calls per day of an address without a session
	Monthly int // calls per month of an organisation on the free plan
	Meter   Meter
}

// Meter counts the calls of an organisation on public routes by month.
type Meter interface {
	// TakeVisit counts a call unless the ceiling is reached. It returns the number
	// of calls in the month and whether this call was counted.
	TakeVisit(ctx context.Context, of org.Tenant, at time.Time, ceiling int) (used int, taken bool, err error)
}

// Allowance is a window with a word for error messages, such as "daily".
type Allowance struct {
	limit.Window
	Word  string
	Again time.Duration // value of Retry-After
}

// Hourly returns an allowance of at most the given number of calls per hour. The
// name distinguishes it from other allowances of the same subject.
func Hourly(name string, most int) Allowance {
	return Allowance{limit.Window{Name: name, Limit: most, Period: limit.Hour}, "hourly", time.Hour}
}

// daily returns the allowance of calls per day for an address.
func (v Visits) daily() Allowance {
	return Allowance{limit.Window{Name: "public", Limit: v.Daily, Period: limit.Day}, "daily", 24 * time.Hour}
}

// admitPublic checks a call of a public route. Without a session it is counted by
// address, and an API key is ignored; with a session it is counted for the
// person's organisation if that is on the free plan. Unlike on other routes, calls
// are refused while the counter is unavailable, because they can wait.
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
		return a, err // the person has not chosen one of several organisations
	}
	actor.Address, actor.Request = a.Address, a.Request
	a.Actor, a.Plan = actor, subscribed(who, actor)
	if a.Plan.Slug != org.FreePlan {
		return a, nil
	}
	return a, f.spendMonth(r.Context(), w.Header(), actor.Tenant)
}

// identifyPublic returns the session of a person who can act for an organisation.
// For any other credential it returns an anonymous one.
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

// Spend counts a call against an allowance. It sets the headers if this allowance
// refuses the call or if no other has set them, and always those of a day.
func (f *Frame) Spend(ctx context.Context, h http.Header, a Allowance, subject string) error {
	verdict, err := f.Limiter.Take(ctx, a.Window, subject)
	if err != nil {
		return uncounted(err)
	}
	if a.Period == limit.Day {
		moreHeaders(h, ofDay, verdict)
	}
	if verdict.Allowed && h[rateLimit] != nil { //nolint:staticcheck // the header is set in this form too
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

// spendMonth counts a call against the monthly limit of an organisation on the
// free plan.
func (f *Frame) spendMonth(ctx context.Context, h http.Header, of org.Tenant) error {
	now := f.Now()
	used, taken, err := f.Visits.Meter.TakeVisit(ctx, of, now, f.Visits.Monthly)
	if err != nil {
		return uncounted(err)
	}
	left := org.UsageMonth(now).AddDate(0, 1, 0).Sub(now)
	moreHeaders(h, ofMonth, limit.Verdict{Limit: f.Visits.Monthly, Remaining: max(f.Visits.Monthly-used, 0), Left: left})
	if taken {
		return nil
	}
	h[rateLimit] = []string{strconv.Itoa(f.Visits.Monthly)}
	h[rateRemaining] = []string{"0"}
	h[rateReset] = []string{strconv.Itoa(int(left.Seconds()) + 1)}
	return spent("monthly", f.Visits.Monthly)
}

// spent returns the error for a call beyond an allowance.
func spent(word string, most int) *fault.Error {
	return fault.Detail(fault.AllowanceUsed, "The "+word+" limit of "+strconv.Itoa(most)+" requests is used up.").
		With("window", word).
		With("limit", most).
		With("current", most)
}

func uncounted(cause error) error {
	e := fault.Detail(fault.LimiterUnavailable, "The rate limiter is not available at the moment. Try again shortly.")
	e.Cause = cause
	return e
}
