package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Person is a user who can sign in, as a member of an organisation.
type Person struct {
	ID        uuid.UUID `json:"uuid"`
	Email     string    `json:"email"`
	Name      string    `json:"name"`
	Role      string    `json:"role"`
	Disabled  bool      `json:"disabled"`
	CreatedAt time.Time `json:"created_at"`
}

func personOf(p org.Person, role org.Role) Person {
	return Person{ID: p.ID, Email: p.Email, Name: p.Name, Role: string(role), Disabled: p.Disabled, CreatedAt: riyadh(p.CreatedAt)}
}

// CreatePerson creates an account and makes it a member of an organisation. If
// password is empty, it generates one and returns it; only its hash is stored.
func (a *Admin) CreatePerson(ctx context.Context, organisation string, p Person, password string) (made Person, generated string, err error) {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return Person{}, "", err
	}
	if password == "" {
		if generated, err = generatePassword(a.config.Random); err != nil {
			return Person{}, "", err
		}
		password = generated
	}
	kept, err := a.accounts.AddPerson(ctx, by, p.Email, p.Name, password, org.Role(p.Role))
	if err != nil {
		return Person{}, "", err
	}
	return personOf(kept, org.Role(p.Role)), generated, nil
}

// Join adds a user with an account to an organisation, or changes the role of a
// member.
func (a *Admin) Join(ctx context.Context, organisation, email, role string) (Person, error) {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return Person{}, err
	}
	p, err := a.accounts.Join(ctx, by, email, org.Role(role))
	return personOf(p, org.Role(role)), knownPerson(err, email)
}

// People returns the members of an organisation.
func (a *Admin) People(ctx context.Context, organisation string) ([]Person, error) {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return nil, err
	}
	list := []Person{}
	members, err := a.store.Members(ctx, by.Tenant)
	for _, m := range members {
		list = append(list, personOf(m.Person, m.Role))
	}
	return list, err
}

// SetPassword sets the password of an account and ends its sessions. If password
// is empty, it generates one and returns it.
func (a *Admin) SetPassword(ctx context.Context, email, password string) (generated string, err error) {
	if password == "" {
		if generated, err = generatePassword(a.config.Random); err != nil {
			return "", err
		}
		password = generated
	}
	err = a.accounts.ChangePassword(ctx, a.by(org.Tenant{}), email, password)
	return generated, knownPerson(err, email)
}

// SetDisabled disables or enables an account.
func (a *Admin) SetDisabled(ctx context.Context, email string, disabled bool) error {
	p, _, err := a.store.PersonByEmail(ctx, strings.ToLower(strings.TrimSpace(email)))
	if errors.Is(err, account.ErrUnknown) {
		err = fault.Missing("Person")
	}
	if err != nil {
		return knownPerson(err, email)
	}
	return a.store.DisablePerson(ctx, a.by(org.Tenant{}), p.ID, disabled)
}

// DropSecondFactor removes the second factor of an account and ends its sessions.
func (a *Admin) DropSecondFactor(ctx context.Context, email string) error {
	return knownPerson(a.accounts.DropFactor(ctx, a.by(org.Tenant{}), email), email)
}

// knownPerson replaces a not-found error by one that tells the operator what to
// do.
func knownPerson(err error, email string) error {
	if fault.KindOf(err) == fault.NotFound {
		return fmt.Errorf("there is no account with the e-mail address %s: see khatm user list --org ID", email)
	}
	return err
}

// generatePassword returns a random password of 100 bits, in letters and digits
// that cannot be confused with each other.
func generatePassword(random io.Reader) (string, error) {
	const letters = "abcdefghijkmnpqrstuvwxyz23456789"
	raw := make([]byte, 20)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", fmt.Errorf("generate a password: %w", err)
	}
	var text strings.Builder
	for i, b := range raw {
		if i > 0 && i%5 == 0 {
			text.WriteByte('-')
		}
		text.WriteByte(letters[int(b)%len(letters)])
	}
	return text.String(), nil
}

// ErrSecondFactor is returned by NewSignIn if the account has a second factor.
var ErrSecondFactor = errors.New("the account has a second factor")

// NewSignIn creates a link that signs a person in once, within ten minutes, and
// returns its token. The previous link stops working. It returns ErrSecondFactor if
// the account has a second factor, which a link does not replace.
func (a *Admin) NewSignIn(ctx context.Context, email string) (token string, expires time.Time, err error) {
	token, expires, err = a.accounts.NewSignIn(ctx, a.by(org.Tenant{}), email)
	if errors.Is(err, account.ErrFactor) {
		return "", expires, ErrSecondFactor
	}
	return token, riyadh(expires), knownPerson(err, email)
}
