package wire

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/limit"
	"khatm/service/internal/org"
)

// credential is what was found out about who calls, before it is decided
// whether they may.
type credential struct {
	window  limit.Window
	subject string
	calls   int       // in the window, if they were counted with the key
	until   time.Time // the end of the window they were counted in
	key     *org.Holder
	visitor *org.Visitor
	err     error // why there is nobody
}

// admit decides about a call in the order that the interface fixes: the key,
// its rate window, the organisation, the plan, role and scope.
func (f *Frame) admit(w http.ResponseWriter, r *http.Request, row *Route) (Caller, error) {
	c := callOf(r)
	if row.Uncount {
		return Caller{Address: c.address.String(), Request: c.id}, nil
	}
	if row.Access == Public {
		return f.admitPublic(w, r)
	}
	who := f.identify(r, row.Access)
	if err := f.count(r.Context(), w.Header(), who); err != nil {
		return Caller{}, err
	}
	if who.err != nil {
		return Caller{}, who.err
	}
	a := Caller{Address: c.address.String(), Request: c.id}
	switch row.Access {
	case Anyone:
		return f.admitAnyone(w, r, row, a)
	case Visitors:
		if who.key != nil {
			return Caller{}, keyHere(who.key)
		}
		a.Visitor = who.visitor
		return a, f.countRow(r.Context(), w.Header(), row, who.subject)
	}
	actor, err := f.actor(r, who, row)
	if err != nil {
		return Caller{}, err
	}
	actor.Address, actor.Request = a.Address, a.Request
	a.Actor, a.Plan = actor, subscribed(who, actor)
	if who.key != nil {
		a.Used = &who.key.Used
	}
	if row.Scope != "" && !actor.May(row.Scope) {
		return Caller{}, fault.New(fault.Forbidden, "%s", row.refusal())
	}
	return a, f.countRow(r.Context(), w.Header(), row, who.subject)
}

// admitAnyone decides about a write that anybody may make: no other site may
// have a browser make it, since it may be a sign-in under a stranger's name.
func (f *Frame) admitAnyone(w http.ResponseWriter, r *http.Request, row *Route, a Caller) (Caller, error) {
	if crossOrigin.Check(r) != nil {
		return Caller{}, errElsewhere()
	}
	a.Network = subjectOf(callOf(r).address)
	a.Count = func(ctx context.Context, name, subject string) (func(), error) {
		window := limit.Window{Name: name, Limit: f.Windows.Hourly[name], Period: limit.Hour}
		start, _ := f.Limiter.Bounds(window)
		err := f.countMore(ctx, w.Header(), window, subject)
		return func() { f.giveBack(context.WithoutCancel(ctx), window, subject, start) }, err
	}
	return a, f.countRow(r.Context(), w.Header(), row, a.Network)
}

// giveBack takes back a call from a window. Where that fails it stays counted.
func (f *Frame) giveBack(ctx context.Context, window limit.Window, subject string, start time.Time) {
	if err := f.Limiter.GiveBack(ctx, window, subject, start); err != nil {
		f.Log.ErrorContext(ctx, "a call stays counted", "window", window.Name, "cause", err)
	}
}

// identify finds the credential of a request and the window it is counted in.
// Whoever brings none, or one that does not work, is counted by address.
func (f *Frame) identify(r *http.Request, access Access) credential {
	anonymous := credential{
		window:  limit.Window{Name: "ip", Limit: f.Windows.IP},
		subject: subjectOf(callOf(r).address),
	}
	if access == Anyone {
		return anonymous
	}
	token, cookie := bearer(r)
	switch {
	case token == "":
		anonymous.err = fault.New(fault.Unauthenticated, "Missing or invalid token")
	case org.LooksLikeKey(token) && !cookie:
		// The log names a key that is refused too: its owner will ask.
		callOf(r).actor, _, _ = org.SplitKey(token)
		window := limit.Window{Name: limit.Key, Limit: f.Windows.Key}
		from, until := f.Limiter.Bounds(window)
		holder, err := f.Identities.Key(r.Context(), token, from, until)
		if err == nil {
			callOf(r).actor = holder.Actor.Name
			return credential{window: window, subject: holder.Actor.ID.String(), calls: holder.Calls, until: until, key: &holder}
		}
		anonymous.err = err
	default:
		visitor, err := f.session(r, token, cookie)
		if err == nil {
			callOf(r).actor = visitor.Person.Email
			return credential{window: limit.Window{Name: "person", Limit: f.Windows.Person}, subject: visitor.Person.ID.String(), visitor: &visitor}
		}
		anonymous.err = err
		if !cookie && fault.KindOf(err) == fault.Unauthenticated {
			// Most who send this have mistyped a key.
			anonymous.err = fault.New(fault.Unauthenticated, "Invalid or revoked API key")
		}
	}
	return anonymous
}

// SessionCookie carries the session of the web app.
const SessionCookie = "accessToken"

// bearer finds the token of a request: that of the Authorization header, or
// else that of the cookie.
func bearer(r *http.Request) (token string, cookie bool) {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, rest, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return "", false
		}
		return strings.TrimSpace(rest), false
	}
	if c, err := r.Cookie(SessionCookie); err == nil {
		return c.Value, true
	}
	return "", false
}

// crossOrigin refuses what another site makes a signed-in browser send.
var crossOrigin = http.NewCrossOriginProtection()

func errElsewhere() error { return fault.New(fault.Forbidden, "The request comes from another site.") }

// session finds who stands behind a token. A cookie is sent by a browser whoever
// makes it send: what writes by it must say where it comes from, and every
// browser that is still in use does.
func (f *Frame) session(r *http.Request, token string, cookie bool) (org.Visitor, error) {
	switch {
	case !cookie:
	case crossOrigin.Check(r) != nil:
		return org.Visitor{}, errElsewhere()
	case writes(r.Method) && r.Header.Get("Origin") == "" && r.Header.Get("Sec-Fetch-Site") == "":
		return org.Visitor{}, fault.New(fault.Forbidden, "A write with the cookie must say where it comes from. Send Origin, or the token as Authorization: Bearer.")
	}
	return f.Identities.Session(r.Context(), token)
}

// actor makes one actor out of a key or a session, if organisation and plan
// allow it.
func (f *Frame) actor(r *http.Request, who credential, row *Route) (org.Actor, error) {
	if who.key == nil {
		return visitorActor(r, who.visitor)
	}
	if row.Access == People || who.key.Status == org.Deactivated {
		return org.Actor{}, keyHere(who.key)
	}
	if who.key.Status != org.Active {
		return org.Actor{}, errInactive()
	}
	if !who.key.Used.Plan.API {
		return org.Actor{}, fault.New(fault.Forbidden, "API access is not included in your current plan.")
	}
	return who.key.Actor, nil
}

// keyHere refuses a key where people are wanted. One of a deactivated
// organisation is unknown wherever it is shown.
func keyHere(h *org.Holder) error {
	if h.Status == org.Deactivated {
		return fault.New(fault.Unauthenticated, "Invalid or revoked API key")
	}
	return fault.New(fault.Forbidden, "An API key cannot be used here; sign in to the app.")
}

func errInactive() error {
	return fault.New(fault.Forbidden, "The organisation's account is inactive. Contact support to activate it.")
}

// visitorActor chooses the organisation that a signed-in person acts for: the
// only one they reach, or the one that X-Active-Org names.
func visitorActor(r *http.Request, v *org.Visitor) (org.Actor, error) {
	wanted, err := uuid.Parse(r.Header.Get("X-Active-Org"))
	named := err == nil
	switch {
	case len(v.Memberships) == 0:
		return org.Actor{}, fault.New(fault.Forbidden, "You are not a member of any organisation.")
	case !named && len(v.Memberships) > 1:
		e := fault.New(fault.Conflict, "You belong to several organisations; name one in the X-Active-Org header.")
		e.Code = "org_context_required"
		return org.Actor{}, e
	}
	for _, m := range v.Memberships {
		if named && m.Organisation != wanted {
			continue
		}
		if m.Status != org.Active {
			return org.Actor{}, errInactive()
		}
		return org.Actor{Kind: org.PersonActor, Tenant: org.TenantOf(m.Organisation), ID: v.Person.ID, Name: v.Person.Email, Role: m.Role}, nil
	}
	return org.Actor{}, fault.New(fault.Forbidden, "You are not a member of the organisation that X-Active-Org names.")
}

// subscribed gives the plan of whoever was admitted, for fair use.
func subscribed(who credential, actor org.Actor) org.Plan {
	if who.key != nil {
		return who.key.Used.Plan
	}
	for _, m := range who.visitor.Memberships {
		if m.Organisation == actor.Tenant.ID() {
			return m.Plan
		}
	}
	return org.Plan{}
}

// count takes the call from its window and writes the headers. A counter that
// is away must not stop invoices: the call is let in and the log says so. Only
// a caller who has left is not.
func (f *Frame) count(ctx context.Context, h http.Header, who credential) error {
	window := who.window
	if who.calls > 0 {
		verdict := f.Limiter.Taken(window, who.calls, who.until)
		rateHeaders(h, verdict)
		return tooMany(h, verdict, windowSeconds)
	}
	verdict, err := f.Limiter.Take(ctx, window, who.subject)
	if err != nil && ctx.Err() != nil {
		return err
	}
	if err != nil {
		f.Log.ErrorContext(ctx, "rate window cannot be counted", "window", window.Name, "cause", err)
		verdict = limit.Verdict{Allowed: true, Limit: window.Limit, Remaining: window.Limit}
	}
	rateHeaders(h, verdict)
	return tooMany(h, verdict, windowSeconds)
}

// countRow takes the call from the window that its row names, if it names one.
func (f *Frame) countRow(ctx context.Context, h http.Header, row *Route, subject string) error {
	if row.Window == "" {
		return nil
	}
	return f.countMore(ctx, h, limit.Window{Name: row.Window, Limit: f.Windows.More[row.Window]}, subject)
}

// countMore takes the call from a further window, whose headers are shown only
// when it is the one that refuses.
func (f *Frame) countMore(ctx context.Context, h http.Header, window limit.Window, subject string) error {
	verdict, err := f.Limiter.Take(ctx, window, subject)
	if err != nil && ctx.Err() != nil {
		return err
	}
	if err != nil {
		f.Log.ErrorContext(ctx, "rate window cannot be counted", "window", window.Name, "cause", err)
		return nil
	}
	if verdict.Allowed {
		return nil
	}
	rateHeaders(h, verdict)
	from, until := f.Limiter.Bounds(window)
	return tooMany(h, verdict, int(until.Sub(from).Seconds()))
}
