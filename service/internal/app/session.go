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
	// SignIn opens a session, which makes the network known.
	SignIn(ctx context.Context, c account.Credentials) (token string, p org.Person, err error)
	// KnowsNetwork reports whether the person has signed in from the network lately.
	KnowsNetwork(ctx context.Context, email, network string) (bool, error)
	// UseSignIn opens a session with the token of a link that the operator created.
	UseSignIn(ctx context.Context, by org.Actor, token string) (session string, err error)
	Session(ctx context.Context, token string) (org.Visitor, error)
	SignOutEverywhere(ctx context.Context, person uuid.UUID) error
}

// Trail records who signed in and out.
type Trail interface {
	Note(ctx context.Context, by org.Actor, action, subject string) error
}

// Names of the windows that limit sign-ins. SignInWindow counts all sign-ins of an
// address per minute. The others count failed sign-ins per hour: PairWindow those
// for an e-mail from one address, with a low limit, so that an attacker does not
// lock the person out; EmailWindow those for an e-mail from all addresses, so that
// an attacker with many addresses is stopped too. EmailWindow does not apply to
// addresses from which the person has signed in before, so that such an attacker
// does not lock the person out either.
const (
	SignInWindow = "sign-in"
	PairWindow   = "sign-in e-mail and address"
	EmailWindow  = "sign-in e-mail"
)

const tagSession = "Session"

func (s *Surface) sessionRows() []wire.Route {
	const path = "/api/session/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "sign-in", Tag: tagSession, Access: wire.Anyone,
			Window: SignInWindow, Hourly: []string{PairWindow, EmailWindow, FactorWindow},
			Codes:   []fault.Code{fault.WrongPassword, fault.SecondFactorRequired, fault.WrongSecondFactor},
			Summary: "Sign in",
			Doc: "Opens a session of seven days and sets the cookie `accessToken`. Each sign-in opens a separate session. " +
				"Limited to 10 per minute and IP address. Failed sign-ins are limited to 20 per hour for an e-mail address from one IP address, and to 100 per hour for an e-mail address in total, except from IP addresses from which the person has signed in during the last 90 days. " +
				"If the account has a second factor, the response without `code` is 401 `second_factor_required`; send the same request with `code`. Wrong codes of an authenticator app are limited to 10 per hour for an account.",
			Example: `{"email": "noura@example.sa", "password": "correct horse battery"}`,
		}, s.signIn),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path + "link/", Name: "sign-in-with-link", Tag: tagSession, Access: wire.Anyone, Window: LinkWindow, Free: true,
			Codes:   []fault.Code{fault.LinkNotAvailable},
			Summary: "Sign in with a link",
			Doc: "Opens a session with the token of a link that a program of the operator printed, such as `khatm demo`; no request creates such a link. It works once and for 10 minutes; a new link replaces the previous one. " +
				"The response is the same for an unknown, expired, used and replaced link. A link does not work for an account with a second factor: sign in with the password. " +
				"Limited to 10 per minute and IP address, together with other requests that use a secret link.",
			Example: `{"token": "q3ZbT0yqk8mYw1uJ5nXv7cRe2sLd9fGh4aPi6oKlBzE"}`,
		}, s.signInWithLink),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "get-session", Tag: tagSession, Access: wire.Visitors,
			Summary: "Read the current session", Doc: "Returns the signed-in person and their organisations. Send the UUID of one in `X-Active-Org` to choose between several.",
		}, s.whoIsIt),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: path, Name: "sign-out", Tag: tagSession, Access: wire.Visitors,
			Summary: "Sign out", Doc: "Ends all sessions of the person at once, on every device, and deletes the cookie.",
		}, s.signOut),
	}
}

// Session is a session in a response.
type Session struct {
	Person        person       `json:"person" doc:"The signed-in person."`
	Organisations []membership `json:"organisations" doc:"Organisations of the person, without deactivated ones."`
	Expires       time.Time    `json:"expires_at" doc:"Time the session ends."`
}

type person struct {
	UUID  uuid.UUID `json:"uuid" doc:"UUID of the person."`
	Email string    `json:"email" example:"noura@example.sa" doc:"E-mail address used to sign in."`
	Name  string    `json:"name" example:"Noura Al Harbi" doc:"Name of the person."`
}

type membership struct {
	UUID   uuid.UUID `json:"uuid" doc:"UUID of the organisation, for the header X-Active-Org."`
	Name   string    `json:"name" example:"Khatm Trading" doc:"Name of the organisation."`
	Arabic string    `json:"name_arabic" example:"شركة ختم التجارية" doc:"Name of the organisation in Arabic letters; empty if it has none."`
	Role   string    `json:"role" enum:"ViewInvoice,CreateInvoice,Accountant,Admin" doc:"Role of the person in the organisation."`
	Plan   string    `json:"plan" example:"business" doc:"Slug of the organisation's plan, such as business."`
	Status string    `json:"status" enum:"active,suspended" doc:"active, or suspended if no action is possible for the organisation."`
}

func sessionOf(v org.Visitor) Session {
	out := Session{Person: person{v.Person.ID, v.Person.Email, v.Person.Name}, Expires: v.Until}
	for _, m := range v.Memberships {
		out.Organisations = append(out.Organisations, membership{m.Organisation, m.OrganisationName, m.ArabicName, string(m.Role), m.Plan.Slug, string(m.Status)})
	}
	return out
}

type signIn struct {
	Body struct {
		Email    string `json:"email" maxLength:"254" example:"noura@example.sa" doc:"E-mail address of the person."`
		Password string `json:"password" maxLength:"1000" doc:"Password of the person."`
		Code     string `json:"code" optional:"true" maxLength:"100" doc:"If the account has a second factor: the code that the authenticator app shows, or a recovery code."`
	} `body:"json"`
}

type signedIn struct {
	Session
	Token  string `json:"access_token" doc:"Token of the session, for Authorization: Bearer. Keep it secret: it grants full access to the session."`
	Cookie string `json:"-" header:"Set-Cookie" doc:"The same token as the cookie accessToken: HttpOnly, SameSite=Lax, valid for seven days."`
}

func (s *Surface) signIn(ctx context.Context, c wire.Caller, in *signIn) (*signedIn, error) {
	failed, err := s.countTry(ctx, c, in.Body.Email)
	if err != nil {
		return nil, err
	}
	token, _, err := s.Accounts.SignIn(ctx, account.Credentials{
		Email: in.Body.Email, Password: in.Body.Password, Code: in.Body.Code, Network: c.Network, CountCode: countCode(c),
	})
	if fault.KindOf(err) != fault.Unauthenticated || fault.CodeOf(err) == fault.SecondFactorRequired {
		failed.not()
	}
	if err != nil {
		return nil, err
	}
	return s.welcome(ctx, c, token)
}

type signInWithLink struct {
	Body struct {
		Token string `json:"token" maxLength:"200" doc:"Token of the link: the part after #."`
	} `body:"json"`
}

func (s *Surface) signInWithLink(ctx context.Context, c wire.Caller, in *signInWithLink) (*signedIn, error) {
	token, err := s.Accounts.UseSignIn(ctx, org.Actor{Address: c.Address, Request: c.Request}, in.Body.Token)
	if err != nil {
		return nil, err
	}
	return s.welcome(ctx, c, token)
}

// welcome records a new session in the audit trail and returns it.
func (s *Surface) welcome(ctx context.Context, c wire.Caller, token string) (*signedIn, error) {
	visitor, err := s.Accounts.Session(ctx, token)
	if err != nil {
		return nil, err
	}
	if err := s.note(ctx, c, visitor, "session.opened"); err != nil {
		return nil, err
	}
	return &signedIn{Session: sessionOf(visitor), Token: token, Cookie: s.cookie(token, int(account.SessionLife.Seconds()))}, nil
}

// try is a sign-in that is counted as failed until not is called.
type try []func()

// countTry counts a sign-in as failed, whether or not the person exists. It counts
// by a digest of the e-mail, so that the counter stores no e-mail addresses, and
// before the result is known, so that concurrent attempts cannot exceed the limit.
func (s *Surface) countTry(ctx context.Context, c wire.Caller, email string) (try, error) {
	known, err := s.Accounts.KnowsNetwork(ctx, email, c.Network)
	if err != nil {
		return nil, err
	}
	person := emailDigest(email)
	type count struct{ window, subject string }
	counts := []count{{PairWindow, person + " " + c.Network}}
	if !known {
		counts = append(counts, count{EmailWindow, person})
	}
	var t try
	for _, one := range counts {
		back, err := c.Count(ctx, one.window, one.subject)
		if err != nil {
			return nil, err
		}
		t = append(t, back)
	}
	return t, nil
}

// emailDigest returns what a window counts of an e-mail address.
func emailDigest(email string) string {
	digest := sha256.Sum256([]byte(strings.ToLower(strings.TrimSpace(email))))
	return hex.EncodeToString(digest[:])
}

// not removes the sign-in from the counts of failed sign-ins.
func (t try) not() {
	for _, back := range t {
		back()
	}
}

// note records a sign-in or sign-out in the audit trail of each organisation of
// the person.
func (s *Surface) note(ctx context.Context, c wire.Caller, v org.Visitor, action string) error {
	by := org.Actor{Kind: org.PersonActor, ID: v.Person.ID, Name: v.Person.Email, Address: c.Address, Request: c.Request}
	for _, m := range v.Memberships {
		by.Tenant, by.Role = org.TenantOf(m.Organisation), m.Role
		if err := s.Trail.Note(ctx, by, action, v.Person.ID.String()); err != nil {
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
	Cookie string `json:"-" header:"Set-Cookie" doc:"Deletes the cookie accessToken."`
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

// cookie returns the session cookie. Scripts cannot read it, writes from other
// sites do not send it, and without a domain only this host receives it.
func (s *Surface) cookie(token string, seconds int) string {
	c := http.Cookie{Name: wire.SessionCookie, Value: token, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteLaxMode}
	return c.String()
}
