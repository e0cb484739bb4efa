package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// SignUpLink is the purpose of a link that creates an account and an organisation.
const SignUpLink LinkPurpose = "signup"

// SignUpLife is the lifetime of a sign-up link.
const SignUpLife = 24 * time.Hour

// DaySignUps is the number of e-mails about signing up that are sent to an address
// in 24 hours.
const DaySignUps = 5

// SignUpKeeper stores sign-ups.
type SignUpKeeper interface {
	// AddSignUpLink stores a link and queues its e-mail, unless DaySignUps of them were
	// sent to the address. The previous link of the address stops working.
	AddSignUpLink(ctx context.Context, by org.Actor, l AccessLink, letter mail.Letter) error
	// FoundAnother uses a sign-up link, and stores an organisation and its Admin. It
	// returns ErrUnknown if the link does not work.
	FoundAnother(ctx context.Context, by org.Actor, f Founding) error
}

// AskSignUp e-mails a link that creates an account and an organisation. An address
// that has an account gets an e-mail that says so. The work is the same for both: a
// link and an e-mail are stored, but the token of the link is only sent to an
// address without an account.
func (a *Accounts) AskSignUp(ctx context.Context, by org.Actor, email, language string) error {
	email, err := ParseEmail(email)
	if err != nil {
		return err
	}
	_, _, err = a.keep.PersonByEmail(ctx, email)
	if err != nil && !errors.Is(err, ErrUnknown) {
		return err
	}
	by.Kind, by.Name = org.SystemActor, "sign-up"
	token, link, failed := a.newLink(by, SignUpLink, SignUpLife)
	if failed != nil {
		return failed
	}
	link.Email = email
	text, page := wordsIn(language).signUp, a.pageOf("signup", token)
	if err == nil {
		text, page = wordsIn(language).known, a.url
	}
	letter, err := a.letter(org.Tenant{}, email, language, AboutSignUp, link.Expires, mail.Text{Subject: text.Subject, Body: fmt.Sprintf(text.Body, page)})
	if err != nil {
		return err
	}
	return a.keep.AddSignUpLink(ctx, by, link, letter)
}

// UseSignUp creates an account with the e-mail address of a sign-up link and an
// organisation whose Admin it is, and opens a session. It ignores Email and
// Environment. The password is hashed only if the link works. by has the address and
// the request of the caller.
func (a *Accounts) UseSignUp(ctx context.Context, by org.Actor, s SetUp) (session string, err error) {
	digest := digestOf(s.Token)
	link, err := a.link(ctx, digest, SignUpLink)
	if err != nil {
		return "", err
	}
	s.Email, s.Environment = link.Email, ""
	by, f, err := a.founding(ctx, by, s)
	if err != nil {
		return "", err
	}
	err = a.keep.FoundAnother(ctx, by, f)
	if errors.Is(err, ErrUnknown) {
		return "", ErrLink()
	}
	if err != nil {
		return "", err
	}
	return a.openSession(ctx, Opening{Person: f.Person.ID})
}

// founding checks an account and an organisation and hashes the password.
func (a *Accounts) founding(ctx context.Context, by org.Actor, s SetUp) (org.Actor, Founding, error) {
	var problems []fault.Problem
	p, err := a.newPerson(s.Email, s.Name)
	problems = append(problems, below("account.", problemsOf(err))...)
	problems = append(problems, below("account.", problemsOf(checkPassword(s.Password)))...)
	o := s.Organisation
	problems = append(problems, below("organisation.", o.Check())...)
	if problems != nil {
		return by, Founding{}, fault.Wrong(problems...)
	}
	o.ID, o.Status, o.CreatedAt = a.newID(), org.Active, a.now()
	hashed, err := a.hashed(ctx, s.Password)
	by.Kind, by.ID, by.Name, by.Role = org.PersonActor, p.ID, p.Email, org.Admin
	return by, Founding{Digest: digestOf(s.Token), At: a.now(), Person: p, Password: hashed, Organisation: o, Environment: s.Environment}, err
}
