package wire

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/limit"
	"khatm/service/internal/org"
)

// credential is the identity of a caller before permissions are checked.
type credential struct {
	window  limit.Window
	subject string
	calls   int       // calls in the window, if they were counted with the key
	until   time.Time // end of that window
	key     *org.Holder
	visitor *org.Visitor
	err     error // why the caller is not authenticated
}

// admit checks a call in the order that docs/contract.md requires: key, rate
// window, organisation, plan, then role and scope.
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
	a := Caller{Address: c.address.String(), Network: subjectOf(c.address), Request: c.id, Count: f.hourly(w.Header(), row)}
	switch row.Access {
	case Anyone:
		// A request from another site could sign the browser in to an attacker's account.
		if crossOrigin.Check(r) != nil {
			return Caller{}, errOtherSite()
		}
		return a, f.countRow(r.Context(), w.Header(), row, a.Network)
	case Visitors:
		if who.key != nil {
			return Caller{}, errKeyRefused(who.key)
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
	if err := row.permits(actor); err != nil {
		return Caller{}, err
	}
	return a, f.countRow(r.Context(), w.Header(), row, who.subject)
}

// permits returns an error if the actor lacks the permission that the route
// requires.
func (r *Route) permits(a org.Actor) error {
	if r.Scope != "" && !a.May(r.Scope) {
		return fault.New(fault.PermissionDenied, "%s", r.refusal())
	}
	return nil
}

// hourly returns the function Caller.Count of a call.
func (f *Frame) hourly(h http.Header, row *Route) func(context.Context, string, string) (func(), error) {
	return func(ctx context.Context, name, subject string) (func(), error) {
		if !slices.Contains(row.Hourly, name) {
			return nil, fmt.Errorf("%s counts in the window %q, which its route does not name", row.Name, name)
		}
		window := limit.Window{Name: name, Limit: f.Windows.Hourly[name], Period: limit.Hour}
		start, _ := f.Limiter.Bounds(window)
		err := f.countMore(ctx, h, window, subject)
		return func() { f.giveBack(context.WithoutCancel(ctx), window, subject, start) }, err
	}
}

// giveBack removes a call from a window. If that fails, the call stays counted.
func (f *Frame) giveBack(ctx context.Context, window limit.Window, subject string, start time.Time) {
	if err := f.Limiter.GiveBack(ctx, window, subject, start); err != nil {
		f.Log.ErrorContext(ctx, "cannot remove a call from its rate window", "window", window.Name, "cause", err)
	}
}

// identify finds the credential of a request and its rate window. A call without
// a valid credential is counted by address.
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
		anonymous.err = fault.New(fault.MissingToken, "Missing or invalid token")
	case org.LooksLikeKey(token) && !cookie:
		// Log the name of a refused key too, because its owner will ask about it.
		callOf(r).actor = org.FormedKeyName(token)
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
		if !cookie && access != People && access != Visitors && fault.KindOf(err) == fault.Unauthenticated {
			// Most callers here have a key, so it is probably a mistyped one.
			anonymous.err = fault.New(fault.InvalidKey, "Invalid or revoked API key")
		}
	}
	return anonymous
}

// SessionCookie is the name of the cookie with the session of the web app.
const SessionCookie = "accessToken"

// bearer returns the token of a request from the Authorization header, or else
// from the cookie.
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

// crossOrigin refuses requests that another site makes a signed-in browser send.
var crossOrigin = http.NewCrossOriginProtection()

func errOtherSite() error { return fault.New(fault.CrossSite, "The request comes from another site.") }

// session returns the visitor of a token. Any site can make a browser send the
// cookie, so a write with the cookie must state its origin, as all current
// browsers do.
func (f *Frame) session(r *http.Request, token string, cookie bool) (org.Visitor, error) {
	switch {
	case !cookie:
	case crossOrigin.Check(r) != nil:
		return org.Visitor{}, errOtherSite()
	case writes(r.Method) && r.Header.Get("Origin") == "" && r.Header.Get("Sec-Fetch-Site") == "":
		return org.Visitor{}, fault.New(fault.OriginRequired, "A write with the cookie must state its origin. Send the Origin header, or send the token as Authorization: Bearer.")
	}
	return f.Identities.Session(r.Context(), token)
}

// actor returns the actor of a key or session, if organisation and plan allow it.
func (f *Frame) actor(r *http.Request, who credential, row *Route) (org.Actor, error) {
	if who.key == nil {
		return visitorActor(r, who.visitor)
	}
	if row.Access == People || who.key.Status == org.Deactivated {
		return org.Actor{}, errKeyRefused(who.key)
	}
	if who.key.Status != org.Active {
		return org.Actor{}, errInactive()
	}
	if !who.key.Used.Plan.API {
		return org.Actor{}, fault.New(fault.PlanWithoutAPI, "API access is not included in your current plan.")
	}
	return who.key.Actor, nil
}

// errKeyRefused returns the error for a key on a route that needs a session. A key
// of a deactivated organisation is reported as unknown.
func errKeyRefused(h *org.Holder) error {
	if h.Status == org.Deactivated {
		return fault.New(fault.InvalidKey, "Invalid or revoked API key")
	}
	return fault.New(fault.KeyNotAllowed, "An API key cannot be used here; sign in to the app.")
}

func errInactive() error {
	return fault.New(fault.OrganisationInactive, "The organisation's account is inactive. Contact support to activate it.")
}

// visitorActor returns the actor for the organisation of a signed-in person: the
// only one, or the one named by X-Active-Org.
func visitorActor(r *http.Request, v *org.Visitor) (org.Actor, error) {
	wanted, err := uuid.Parse(r.Header.Get("X-Active-Org"))
	named := err == nil
	switch {
	case len(v.Memberships) == 0:
		return org.Actor{}, fault.New(fault.NoOrganisation, "You are not a member of any organisation.")
	case !named && len(v.Memberships) > 1:
		return org.Actor{}, fault.New(fault.OrgContextRequired, "You belong to several organisations; name one in the X-Active-Org header.")
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
	return org.Actor{}, fault.New(fault.NotAMember, "You are not a member of the organisation that X-Active-Org names.")
}

// subscribed returns the plan of the admitted caller, for fair use.
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

// count counts the call in its rate window and sets the headers. If the counter
// is unavailable, the failure is logged and the call is allowed, because a broken
// counter must not stop invoices. If the client has disconnected, count returns
// the error.
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
		f.Log.ErrorContext(ctx, "rate limit counter is unavailable", "window", window.Name, "cause", err)
		verdict = limit.Verdict{Allowed: true, Limit: window.Limit, Remaining: window.Limit}
	}
	rateHeaders(h, verdict)
	return tooMany(h, verdict, windowSeconds)
}

// countRow counts the call in the additional window of its route, if it has one.
func (f *Frame) countRow(ctx context.Context, h http.Header, row *Route, subject string) error {
	if row.Window == "" {
		return nil
	}
	return f.countMore(ctx, h, limit.Window{Name: row.Window, Limit: f.Windows.More[row.Window]}, subject)
}

// countMore counts the call in an additional window. The headers are set only if
// this window refuses the call.
func (f *Frame) countMore(ctx context.Context, h http.Header, window limit.Window, subject string) error {
	verdict, err := f.Limiter.Take(ctx, window, subject)
	if err != nil && ctx.Err() != nil {
		return err
	}
	if err != nil {
		f.Log.ErrorContext(ctx, "rate limit counter is unavailable", "window", window.Name, "cause", err)
		return nil
	}
	if verdict.Allowed {
		return nil
	}
	rateHeaders(h, verdict)
	from, until := f.Limiter.Bounds(window)
	return tooMany(h, verdict, int(until.Sub(from).Seconds()))
}
