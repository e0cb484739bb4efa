package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// PasswordLink is the purpose of a link that sets a new password.
const PasswordLink LinkPurpose = "password"

// ResetLife is the lifetime of a link that sets a new password.
const ResetLife = time.Hour

// DayResets is the number of such links that are sent to a person in 24 hours.
const DayResets = 10

// MostResets is the number of requests for new passwords that can wait.
const MostResets = 200

// ResetKeeper stores requests for new passwords and the links that answer them.
type ResetKeeper interface {
	// AddReset stores a request. It returns a ServerBusy fault if MostResets wait.
	AddReset(ctx context.Context, r Reset) error
	// Resets returns the requests that wait, the oldest first.
	Resets(ctx context.Context) ([]Reset, error)
	// EndReset deletes a request that gets no e-mail.
	EndReset(ctx context.Context, id uuid.UUID) error
	// AddPasswordLink stores a link that sets a new password and queues its e-mail,
	// unless DayResets links were stored in the last 24 hours. It revokes the previous
	// link and deletes the request; if there is no request, it does nothing. It
	// returns ErrUnknown if the account is disabled.
	AddPasswordLink(ctx context.Context, by org.Actor, link AccessLink, letter mail.Letter) error
	// ResetPassword uses a link, sets the password and ends all sessions of the
	// person. It returns ErrUnknown if the link does not work.
	ResetPassword(ctx context.Context, by org.Actor, digest []byte, password string, at time.Time) error
}

// Reset is a request for a link that sets a new password.
type Reset struct {
	ID       uuid.UUID
	At       time.Time
	Email    string // as ParseEmail returns it
	Language string // of the e-mail: ar or en
	Address  string // IP address of the caller
	Request  string
}

// AskReset stores a request, without ID and At. It does not look up the account, so
// that the response depends neither in its content nor in its time on whether the
// account exists. SendResets answers the request.
func (a *Accounts) AskReset(ctx context.Context, r Reset) error {
	r.ID, r.At = a.newID(), a.now()
	return a.keep.AddReset(ctx, r)
}

// SendResets answers the requests that wait. Those that could not be answered within
// ResetLife are dropped.
func (a *Accounts) SendResets(ctx context.Context) error {
	waiting, err := a.keep.Resets(ctx)
	for _, r := range waiting {
		if ctx.Err() != nil {
			break
		}
		if a.now().Before(r.At.Add(ResetLife)) {
			err = errors.Join(err, a.sendReset(ctx, r))
		} else {
			err = errors.Join(err, a.keep.EndReset(ctx, r.ID))
		}
	}
	return err
}

// sendReset e-mails a link that sets a new password, if the e-mail address belongs
// to an account that is not disabled. The previous link stops working. For other
// addresses it only deletes the request.
func (a *Accounts) sendReset(ctx context.Context, r Reset) error {
	p, _, err := a.keep.PersonByEmail(ctx, r.Email)
	known := err == nil && !p.Disabled
	if err != nil && !errors.Is(err, ErrUnknown) {
		return err
	}
	by := org.Actor{Kind: org.SystemActor, Name: "password reset", Address: r.Address, Request: r.Request}
	token, link, err := a.newLink(by, PasswordLink, ResetLife)
	if err != nil {
		return err
	}
	link.Person, link.Email, link.Request = p.ID, r.Email, r.ID
	text := wordsIn(r.Language).password
	letter, err := a.letter(org.Tenant{}, r.Email, r.Language, AboutPassword, link.Expires, mail.Text{
		Subject: text.Subject,
		Body:    fmt.Sprintf(text.Body, a.pageOf("password", token)),
	})
	if err != nil {
		return err
	}
	if known {
		if err := a.keep.AddPasswordLink(ctx, by, link, letter); !errors.Is(err, ErrUnknown) {
			return err
		}
		// It was disabled meanwhile.
	}
	return a.keep.EndReset(ctx, r.ID)
}

// UseReset sets a new password with the token of a link and ends all sessions of
// the person. It opens no session. The password is hashed only if the link works.
// by has the address and the request of the caller.
func (a *Accounts) UseReset(ctx context.Context, by org.Actor, token, password string) error {
	digest := digestOf(token)
	link, err := a.link(ctx, digest, PasswordLink)
	if err != nil {
		return err
	}
	hashed, err := a.hashed(ctx, password)
	if err != nil {
		return err
	}
	by.Kind, by.ID, by.Name = org.PersonActor, link.Person, link.Email
	err = a.keep.ResetPassword(ctx, by, digest, hashed, a.now())
	if errors.Is(err, ErrUnknown) {
		return ErrLink()
	}
	return err
}

// ReplacePassword sets a new password of a signed-in person who knows the current
// one. It ends all sessions of the person and opens a new one, which makes the
// network known.
func (a *Accounts) ReplacePassword(ctx context.Context, by org.Actor, current, wanted, network string) (session string, err error) {
	if problems := problemsOf(checkPassword(wanted)); problems != nil {
		return "", fault.Wrong(below("new_", problems)...)
	}
	p, kept, err := a.keep.PersonByEmail(ctx, by.Name)
	if err != nil && !errors.Is(err, ErrUnknown) {
		return "", err
	}
	fits, err := a.fits(ctx, current, kept)
	if err != nil {
		return "", err
	}
	if !fits || p.ID != by.ID {
		return "", errCurrentPassword()
	}
	hashed, err := a.hashed(ctx, wanted)
	if err != nil {
		return "", err
	}
	// The password may have changed while it was hashed.
	err = a.keep.ReplacePassword(ctx, by, p.ID, kept, hashed)
	if err == nil {
		session, err = a.openSession(ctx, Opening{Person: p.ID, Password: hashed, Proven: true, Network: networkDigest(p.Email, network)})
	}
	if errors.Is(err, ErrUnknown) {
		return "", errCurrentPassword()
	}
	return session, err
}

func errCurrentPassword() error {
	return fault.New(fault.WrongCurrentPassword, "The current password is wrong.")
}

// Rename changes the name of a signed-in person.
func (a *Accounts) Rename(ctx context.Context, by org.Actor, name string) (org.Person, error) {
	name, err := cleanName(name)
	if err == nil && name == "" {
		err = fault.Wrong(fault.Problem{Path: "name", Message: "Field required", Code: fault.FieldRequired})
	}
	if err != nil {
		return org.Person{}, err
	}
	return a.keep.RenamePerson(ctx, by, by.ID, name)
}
