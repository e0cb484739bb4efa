package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Accounts signs people in and out.
type Accounts interface {
	SignIn(ctx context.Context, email, password string) (token string, p org.Person, err error)
	Session(ctx context.Context, token string) (org.Visitor, error)
	SignOutEverywhere(ctx context.Context, person uuid.UUID) error
}

// Trail is where it is noted who came and went.
type Trail interface {
	Note(ctx context.Context, by org.Actor, action, subject string) error
}

// Windows that sign-ins are counted in: all by address, a minute. Those that
// fail by e-mail address, an hour: from one address few, so that who guesses
// keeps nobody else out; from everywhere more, so that many addresses cannot try
// one person's password for long.
const (
	SignInWindow = "sign-in"
	PairWindow   = "sign-in e-mail and address"
	EmailWindow  = "sign-in e-mail"
)

func (s *Surface) sessionRows() []wire.Route {
	const path = "/api/session/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "sign-in", Tag: tagSession, Access: wire.Anyone, Window: SignInWindow,
			Summary: "Sign in",
			Doc: "Opens a session of seven days and sets the cookie `accessToken`. Each sign-in makes a session of its own. " +
				"Limited to 10 a minute from an address. Those that fail are limited to 20 an hour for an e-mail address from one address, and 100 from everywhere.",
			Example: `{"email": "noura@example.sa", "password": "correct horse battery"}`,
			Errors:  []int{http.StatusUnauthorized, http.StatusForbidden},
		}, s.signIn),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "get-session", Tag: tagSession, Access: wire.Visitors,
			Summary: "See who is signed in", Doc: "The person and the organisations they belong to. Name one of several in `X-Active-Org`.",
		}, s.whoIsIt),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: path, Name: "sign-out", Tag: tagSession, Access: wire.Visitors,
			Summary: "Sign out", Doc: "Ends all sessions of the person at once, on every device, and takes the cookie away.",
		}, s.signOut),
	}
}

// Session is who is signed in, as answered.
type Session struct {
	Person        person       `json:"person" doc:"Who is signed in."`
	Organisations []membership `json:"organisations" doc:"What they belong to; deactivated organisations are left out."`
	Expires       time.Time    `json:"expires_at" doc:"When the session ends."`
}

type person struct {
	UUID  uuid.UUID `json:"uuid" doc:"Id."`
	Email string    `json:"email" example:"noura@example.sa" doc:"E-mail address, which they sign in with."`
	Name  string    `json:"name" example:"Noura Al Harbi" doc:"Name."`
}

type membership struct {
	UUID   uuid.UUID `json:"uuid" doc:"Id of the organisation, for X-Active-Org."`
	Name   string    `json:"name" example:"Khatm Trading" doc:"Name of the organisation."`
	Role   string    `json:"role" enum:"ViewInvoice,CreateInvoice,Accountant,Admin" doc:"What the person may do there."`
	Plan   string    `json:"plan" example:"business" doc:"The plan it has subscribed to."`
	Status string    `json:"status" enum:"active,suspended" doc:"Nothing can be done for one that is suspended."`
}

func sessionOf(v org.Visitor) Session {
	out := Session{Person: person{v.Person.ID, v.Person.Email, v.Person.Name}, Expires: v.Until}
	for _, m := range v.Memberships {
		out.Organisations = append(out.Organisations, membership{m.Organisation, m.OrganisationName, string(m.Role), m.Plan.Slug, string(m.Status)})
	}
	return out
}

type signIn struct {
	Body struct {
		Email    string `json:"email" maxLength:"254" example:"noura@example.sa" doc:"E-mail address."`
		Password string `json:"password" maxLength:"1000" doc:"Password."`
	} `body:"json"`
}

type signedIn struct {
	Session
	Token  string `json:"access_token" doc:"The session's token, for Authorization: Bearer. Whoever has it is signed in."`
	Cookie string `json:"-" header:"Set-Cookie" doc:"The same token as the cookie accessToken: HttpOnly, SameSite=Lax, for seven days."`
}

func (s *Surface) signIn(ctx context.Context, c wire.Caller, in *signIn) (*signedIn, error) {
	failed, err := countTry(ctx, c, in.Body.Email)
	if err != nil {
		return nil, err
	}
	token, _, err := s.Accounts.SignIn(ctx, in.Body.Email, in.Body.Password)
	if fault.KindOf(err) != fault.Unauthenticated {
		failed.not()
	}
	if err != nil {
		return nil, err
	}
	visitor, err := s.Accounts.Session(ctx, token)
	if err != nil {
		return nil, err
	}
	if err := s.note(ctx, c, visitor, "session.opened"); err != nil {
		return nil, err
	}
	return &signedIn{Session: sessionOf(visitor), Token: token, Cookie: s.cookie(token, int(account.SessionLife.Seconds()))}, nil
}

// try is a sign-in that is counted as one that fails, until it does not.
type try []func()

// countTry counts a sign-in whether or not there is such a person, and by
// digest: a counter keeps no list of people. It is counted before it is known
// how it ends, so that many at once are no more than their number.
func countTry(ctx context.Context, c wire.Caller, email string) (try, error) {
	digest := sha256.Sum256([]byte(strings.ToLower(strings.TrimSpace(email))))
	person := hex.EncodeToString(digest[:])
	var t try
	for _, one := range []struct{ window, subject string }{{PairWindow, person + " " + c.Network}, {EmailWindow, person}} {
		back, err := c.Count(ctx, one.window, one.subject)
		if err != nil {
			return nil, err
		}
		t = append(t, back)
	}
	return t, nil
}

// not takes a try back.
func (t try) not() {
	for _, back := range t {
		back()
	}
}

// note writes into the trail of each organisation that a person reaches that
// they came or went.
func (s *Surface) note(ctx context.Context, c wire.Caller, v org.Visitor, deed string) error {
	by := org.Actor{Kind: org.PersonActor, ID: v.Person.ID, Name: v.Person.Email, Address: c.Address, Request: c.Request}
	for _, m := range v.Memberships {
		by.Tenant, by.Role = org.TenantOf(m.Organisation), m.Role
		if err := s.Trail.Note(ctx, by, deed, v.Person.ID.String()); err != nil {
			return err
		}
	}
	return nil
}

func (s *Surface) whoIsIt(_ context.Context, c wire.Caller, _ *nothing) (*Session, error) {
	out := sessionOf(*c.Visitor)
	return &out, nil
}

type signedOut struct {
	done
	Cookie string `json:"-" header:"Set-Cookie" doc:"Takes the cookie accessToken away."`
}

func (s *Surface) signOut(ctx context.Context, c wire.Caller, _ *nothing) (*signedOut, error) {
	if err := s.Accounts.SignOutEverywhere(ctx, c.Visitor.Person.ID); err != nil {
		return nil, err
	}
	if err := s.note(ctx, c, *c.Visitor, "session.ended"); err != nil {
		return nil, err
	}
	const away = -1
	return &signedOut{done: done{"Signed out everywhere."}, Cookie: s.cookie("", away)}, nil
}

// cookie carries a session to browsers and to nobody else: no script reads it,
// no other site's writes bring it, and without a domain only this host gets it.
func (s *Surface) cookie(token string, seconds int) string {
	c := http.Cookie{Name: wire.SessionCookie, Value: token, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteLaxMode}
	return c.String()
}
