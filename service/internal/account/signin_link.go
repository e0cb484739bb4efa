package account

import (
	"context"
	"errors"
	"strings"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// SignInLink is the purpose of a link that signs a person in.
const SignInLink LinkPurpose = "sign_in"

// SignInLife is the lifetime of a link that signs a person in.
const SignInLife = 10 * time.Minute

// SignInKeeper stores links that sign people in.
type SignInKeeper interface {
	// AddSignInLink stores a link and revokes the previous one of the person. It
	// returns ErrUnknown if the account is disabled, and ErrFactor if it has a second
	// factor.
	AddSignInLink(ctx context.Context, by org.Actor, link AccessLink) error
	// UseSignInLink uses the link with the digest and stores a session of its person.
	// It returns ErrUnknown if the link does not work, and ErrFactor if the person has
	// a second factor.
	UseSignInLink(ctx context.Context, by org.Actor, digest []byte, o Opening) error
}

// NewSignIn creates a link that signs a person in once, and returns its token. The
// previous link stops working. Only the operator's programs call it: no request
// creates such a link. It returns ErrFactor if the person has a second factor, which
// a link does not replace.
func (a *Accounts) NewSignIn(ctx context.Context, by org.Actor, email string) (token string, expires time.Time, err error) {
	p, _, err := a.keep.PersonByEmail(ctx, strings.ToLower(strings.TrimSpace(email)))
	if err == nil {
		var link AccessLink
		if token, link, err = a.newLink(by, SignInLink, SignInLife); err != nil {
			return "", expires, err
		}
		link.Person, link.Email, expires = p.ID, p.Email, link.Expires
		err = a.keep.AddSignInLink(ctx, by, link)
	}
	if errors.Is(err, ErrUnknown) {
		err = fault.Missing("Person")
	}
	if err != nil {
		return "", time.Time{}, err
	}
	return token, expires, nil
}

// UseSignIn opens a session with the token of a link. by has the address and the
// request of the caller. The link of a person who has added a second factor does not
// work.
func (a *Accounts) UseSignIn(ctx context.Context, by org.Actor, token string) (session string, err error) {
	digest := digestOf(token)
	link, err := a.link(ctx, digest, SignInLink)
	if err != nil {
		return "", err
	}
	session, o, err := a.opening(Opening{Person: link.Person})
	if err != nil {
		return "", err
	}
	by.Kind, by.ID, by.Name = org.PersonActor, link.Person, link.Email
	err = a.keep.UseSignInLink(ctx, by, digest, o)
	switch {
	case errors.Is(err, ErrUnknown), errors.Is(err, ErrFactor):
		return "", ErrLink()
	case err != nil:
		return "", err
	}
	return session, nil
}
