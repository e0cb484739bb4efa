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

// Person is somebody who can sign in, as a member of an organisation.
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

// CreatePerson makes an account and a member of an organisation. Without a
// password one is drawn and returned; it is kept nowhere.
func (a *Admin) CreatePerson(ctx context.Context, organisation string, p Person, password string) (made Person, drawn string, err error) {
	by, err := a.acting(ctx, organisation)
	if err != nil {
		return Person{}, "", err
	}
	if password == "" {
		if drawn, err = drawPassword(a.config.Random); err != nil {
			return Person{}, "", err
		}
		password = drawn
	}
	kept, err := a.accounts.AddPerson(ctx, by, p.Email, p.Name, password, org.Role(p.Role))
	if err != nil {
		return Person{}, "", err
	}
	return personOf(kept, org.Role(p.Role)), drawn, nil
}

// Join makes somebody who has an account a member of an organisation too, or
// gives a member another role.
func (a *Admin) Join(ctx context.Context, organisation, email, role string) (Person, error) {
	by, err := a.acting(ctx, organisation)
	if err != nil {
		return Person{}, err
	}
	p, err := a.accounts.Join(ctx, by, email, org.Role(role))
	return personOf(p, org.Role(role)), knownPerson(err, email)
}

// People lists an organisation's members.
func (a *Admin) People(ctx context.Context, organisation string) ([]Person, error) {
	by, err := a.acting(ctx, organisation)
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

// SetPassword gives somebody another password, drawn if none is given, and
// ends their sessions.
func (a *Admin) SetPassword(ctx context.Context, email, password string) (drawn string, err error) {
	if password == "" {
		if drawn, err = drawPassword(a.config.Random); err != nil {
			return "", err
		}
		password = drawn
	}
	err = a.accounts.ChangePassword(ctx, a.by(org.Tenant{}), email, password)
	return drawn, knownPerson(err, email)
}

// SetDisabled closes somebody's account or opens it again.
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

// knownPerson says of somebody who is not there what to do.
func knownPerson(err error, email string) error {
	if fault.KindOf(err) == fault.NotFound {
		return fmt.Errorf("nobody has an account with the address %s: khatm user list --org ID shows who has", email)
	}
	return err
}

// drawPassword draws a hundred bits in letters that cannot be mistaken for one
// another when they are read out.
func drawPassword(random io.Reader) (string, error) {
	const letters = "abcdefghijkmnpqrstuvwxyz23456789"
	raw := make([]byte, 20)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", fmt.Errorf("draw a password: %w", err)
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
