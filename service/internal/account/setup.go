package account

import (
	"context"
	"errors"
	"time"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// SetUpLife is the lifetime of a set-up link.
const SetUpLife = 24 * time.Hour

// NewSetUp creates the set-up link of an installation without an organisation and
// returns its token. The previous link stops working.
func (a *Accounts) NewSetUp(ctx context.Context, by org.Actor) (token string, expires time.Time, err error) {
	token, link, err := a.newLink(by, SetUpLink, SetUpLife)
	if err != nil {
		return "", expires, err
	}
	return token, link.Expires, a.keep.AddSetUpLink(ctx, by, link)
}

// SetUp is the first account and organisation of an installation.
type SetUp struct {
	Token                 string
	Email, Name, Password string
	Organisation          org.Organisation
	Environment           device.Environment // empty to choose it later
}

// Founding is a SetUp to be stored.
type Founding struct {
	Digest       []byte // of the token
	At           time.Time
	Person       org.Person
	Password     string // hash
	Organisation org.Organisation
	Environment  device.Environment // empty: not chosen
}

// UseSetUp creates the first account, an Admin of the first organisation, and
// opens a session. The password is hashed only if the link works, so that requests
// without a link cost little. by has the address and the request of the caller.
func (a *Accounts) UseSetUp(ctx context.Context, by org.Actor, s SetUp) (session string, err error) {
	if _, err := a.link(ctx, digestOf(s.Token), SetUpLink); err != nil {
		return "", err
	}
	by, f, err := a.founding(ctx, by, s)
	if err != nil {
		return "", err
	}
	err = a.keep.Found(ctx, by, f)
	if errors.Is(err, ErrUnknown) {
		return "", ErrLink()
	}
	if err != nil {
		return "", err
	}
	return a.openSession(ctx, Opening{Person: f.Person.ID})
}

// link returns a link that works now, or ErrLink.
func (a *Accounts) link(ctx context.Context, digest []byte, purpose LinkPurpose) (AccessLink, error) {
	link, err := a.keep.AccessLink(ctx, digest, purpose, a.now())
	if errors.Is(err, ErrUnknown) {
		return link, ErrLink()
	}
	return link, err
}

// problemsOf returns the problems that an error of a check lists.
func problemsOf(err error) []fault.Problem {
	var wrong *fault.Error
	if errors.As(err, &wrong) {
		return wrong.Problems
	}
	return nil
}

// below returns the problems with a prefix of their paths.
func below(prefix string, problems []fault.Problem) []fault.Problem {
	for i := range problems {
		problems[i].Path = prefix + problems[i].Path
	}
	return problems
}
