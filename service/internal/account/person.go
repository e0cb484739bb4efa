package account

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/ubl"
)

// SessionLife is the lifetime of a session.
const SessionLife = 7 * 24 * time.Hour

// The minimum length of a password in characters and the maximum in bytes. The
// maximum only limits the cost of hashing; passwords are never truncated. They
// are hashed in Unicode normal form C, because keyboards encode some letters in
// different ways.
const (
	leastPassword = 10
	mostPassword  = 200
)

// AddPerson creates an account and, if the actor acts for an organisation, makes
// the person a member of it.
func (a *Accounts) AddPerson(ctx context.Context, by org.Actor, email, name, password string, role org.Role) (org.Person, error) {
	p, err := a.newPerson(email, name)
	if err != nil {
		return org.Person{}, err
	}
	if err := checkRole(role); err != nil {
		return org.Person{}, err
	}
	hashed, err := a.hashed(ctx, password)
	if err != nil {
		return org.Person{}, err
	}
	if by.Tenant.IsZero() {
		err = a.keep.AddPerson(ctx, by, p, hashed)
	} else {
		err = a.keep.AddMember(ctx, by, p, hashed, role)
	}
	if err != nil {
		return org.Person{}, err
	}
	return p, nil
}

// newPerson returns a new person if e-mail address and name are valid.
func (a *Accounts) newPerson(email, name string) (org.Person, error) {
	email, err := ParseEmail(email)
	if err != nil {
		return org.Person{}, err
	}
	name, err = cleanName(name)
	if err != nil {
		return org.Person{}, err
	}
	return org.Person{ID: a.newID(), Email: email, Name: name, CreatedAt: a.now()}, nil
}

// cleanName returns the name of a person as it is stored. It may be empty.
func cleanName(name string) (string, error) {
	trimmed := strings.TrimSpace(name)
	r, unfit := ubl.UnfitForLine(trimmed)
	switch {
	case name != "" && ubl.IsBlank(name):
		return "", fault.Wrong(fault.Problem{Path: "name", Message: "must contain visible characters", MessageAR: fault.VisibleAR, Code: fault.InvalidCharacters})
	case unfit:
		return "", fault.Wrong(fault.Problem{Path: "name", Message: fmt.Sprintf("must not contain the character %U", r), MessageAR: fmt.Sprintf(fault.CharacterAR, r), Code: fault.InvalidCharacters})
	case utf8.RuneCountInString(trimmed) > 100:
		return "", fault.Wrong(fault.Problem{Path: "name", Message: "must have at most 100 characters", MessageAR: fmt.Sprintf(fault.MaxCharactersAR, 100), Code: fault.TooLong})
	}
	return trimmed, nil
}

// Join makes an existing person a member of the actor's organisation.
func (a *Accounts) Join(ctx context.Context, by org.Actor, email string, role org.Role) (org.Person, error) {
	if err := checkRole(role); err != nil {
		return org.Person{}, err
	}
	p, err := a.person(ctx, email)
	if err != nil {
		return p, err
	}
	return p, a.keep.AddMembership(ctx, by, p.ID, role)
}

// ChangePassword sets a new password and ends all sessions of the person.
func (a *Accounts) ChangePassword(ctx context.Context, by org.Actor, email, password string) error {
	p, err := a.person(ctx, email)
	if err != nil {
		return err
	}
	hashed, err := a.hashed(ctx, password)
	if err != nil {
		return err
	}
	return a.keep.SetPassword(ctx, by, p.ID, hashed)
}

func (a *Accounts) person(ctx context.Context, email string) (org.Person, error) {
	email, err := ParseEmail(email)
	if err != nil {
		return org.Person{}, err
	}
	p, _, err := a.keep.PersonByEmail(ctx, email)
	if errors.Is(err, ErrUnknown) {
		return p, fault.Missing("Person")
	}
	return p, err
}

// Credentials are what a person signs in with.
type Credentials struct {
	Email, Password string
	Code            string    // of a person with a second factor
	Network         string    // made known by the sign-in; empty: none
	CountCode       CountCode // may be nil without a code
}

// SignIn checks the password and the code, and opens a session. For an unknown
// e-mail it returns the same error after the same work as for a wrong password. No
// session exists until the code of a person with a second factor is checked.
func (a *Accounts) SignIn(ctx context.Context, c Credentials) (token string, p org.Person, err error) {
	email, err := ParseEmail(c.Email)
	if err != nil {
		return "", p, err
	}
	p, kept, err := a.keep.PersonByEmail(ctx, email)
	if err != nil && !errors.Is(err, ErrUnknown) {
		return "", p, err
	}
	fits, err := a.fits(ctx, c.Password, kept)
	if err != nil {
		return "", p, err
	}
	if fits && !p.Disabled {
		// The password may have changed while it was hashed.
		o := Opening{Person: p.ID, Password: kept}
		if c.Network != "" {
			o.Network = networkDigest(email, c.Network)
		}
		token, err = a.signIn(ctx, o, c)
		if !errors.Is(err, ErrUnknown) {
			return token, p, err
		}
	}
	return "", org.Person{}, fault.New(fault.WrongPassword, "E-mail or password is wrong.")
}

// signIn opens a session of a person whose password is right.
func (a *Accounts) signIn(ctx context.Context, o Opening, c Credentials) (token string, err error) {
	var back func()
	if o.Prove, back, err = a.factorOf(ctx, o.Person, c); err != nil {
		return "", err
	}
	token, err = a.openSession(ctx, o)
	if errors.Is(err, ErrWrongCode) {
		return "", fault.New(fault.WrongSecondFactor, "The code is wrong or was used before.")
	}
	back()
	return token, err
}

// fits reports whether a password has the stored hash. It does the same work for
// every password.
func (a *Accounts) fits(ctx context.Context, password, kept string) (bool, error) {
	if len(password) > mostPassword {
		password, kept = "", "" // cannot be a password
	}
	return a.hash.fits(ctx, norm.NFC.String(password), kept)
}

// OpenSession opens a session for a person who is already authenticated. It is
// refused if the person has a second factor.
func (a *Accounts) OpenSession(ctx context.Context, person uuid.UUID) (token string, err error) {
	return a.openSession(ctx, Opening{Person: person})
}

func (a *Accounts) openSession(ctx context.Context, o Opening) (token string, err error) {
	token, o, err = a.opening(o)
	if err != nil {
		return "", err
	}
	err = a.keep.AddSession(ctx, o)
	if errors.Is(err, ErrFactor) {
		return "", errFactorRequired()
	}
	return token, err
}

// opening returns the opening with a new token and its times.
func (a *Accounts) opening(o Opening) (token string, _ Opening, err error) {
	token, digest, err := a.newToken()
	now := a.now()
	o.Digest, o.From, o.Until = digest, now, now.Add(SessionLife)
	o.Forget, o.Networks = now.Add(-networkLife), mostNetworks
	return token, o, err
}

// SignOut ends a session. Ending a session that is already over is not an error.
func (a *Accounts) SignOut(ctx context.Context, token string) error {
	return a.keep.EndSession(ctx, digestOf(token))
}

// SignOutEverywhere ends all sessions of a person, because one may still be open
// on a shared computer.
func (a *Accounts) SignOutEverywhere(ctx context.Context, person uuid.UUID) error {
	return a.keep.EndSessions(ctx, person)
}

func (a *Accounts) hashed(ctx context.Context, password string) (string, error) {
	if err := checkPassword(password); err != nil {
		return "", err
	}
	return a.hash.of(ctx, norm.NFC.String(password))
}

func checkPassword(password string) error {
	if n := utf8.RuneCountInString(password); n < leastPassword || len(password) > mostPassword {
		return fault.Wrong(fault.Problem{
			Path:      "password",
			Message:   fmt.Sprintf("must have at least %d characters and at most %d bytes", leastPassword, mostPassword),
			MessageAR: fmt.Sprintf("يجب ألا يقل عدد الحروف عن %d، وألا يزيد الحجم على %d بايت.", leastPassword, mostPassword),
		})
	}
	return nil
}

// ParseEmail returns an e-mail address in its stored form: in lower case and without
// surrounding space.
func ParseEmail(email string) (string, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > 254 {
		return "", fault.Wrong(fault.Problem{Path: "email", Message: "must be an e-mail address such as name@example.com", MessageAR: fault.EmailAR})
	}
	return email, nil
}

func checkRole(role org.Role) error {
	if role == org.Admin || slices.Contains(org.KeyRoles(), role) {
		return nil
	}
	return fault.Wrong(fault.Problem{Path: "role", Message: "must be one of " + list(org.KeyRoles()) + ", Admin", MessageAR: fmt.Sprintf(fault.OneOfAR, list(org.KeyRoles())+", Admin")})
}
