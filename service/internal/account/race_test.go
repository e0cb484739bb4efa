package account_test

import (
	"context"
	"crypto/rand"
	"testing"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// slow is a store with somebody else at work while a password is hashed.
type slow struct {
	*store.Store
	meanwhile func()
}

func (s slow) PersonByEmail(ctx context.Context, email string) (org.Person, string, error) {
	p, kept, err := s.Store.PersonByEmail(ctx, email)
	s.meanwhile()
	return p, kept, err
}

// Whoever signs in while the password is changed, or the account closed, has no
// session afterwards, not when the account is opened again either.
func TestK8_SignInWhileThePasswordIsChanged(t *testing.T) {
	const stolen = "the stolen password"
	storetest.Each(t, func(t *testing.T, c store.Config) {
		r := newFixture(t, c, rand.Reader)
		for email, meanwhile := range map[string]func(org.Person) error{
			"changed@example.com": func(p org.Person) error { return r.ChangePassword(t.Context(), r.by, p.Email, "another password!") },
			"closed@example.com":  func(p org.Person) error { return r.store.DisablePerson(t.Context(), r.by, p.ID, true) },
		} {
			p, err := r.AddPerson(t.Context(), r.by, email, "Noura", stolen, org.Admin)
			if err != nil {
				t.Fatal(err)
			}
			keeper := slow{r.store, func() {
				if err := meanwhile(p); err != nil {
					t.Fatal(err)
				}
			}}
			thief := account.New(account.Config{Keeper: keeper, Now: r.clock.Now, NewID: c.NewID, Random: rand.Reader})
			token, _, err := thief.SignIn(t.Context(), email, stolen)
			if fault.KindOf(err) != fault.Unauthenticated || token != "" {
				t.Errorf("%s: signed in, %v", email, err)
			}
			if err := r.store.DisablePerson(t.Context(), r.by, p.ID, false); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Session(t.Context(), token); err == nil {
				t.Errorf("%s: the session goes on", email)
			}
		}
	})
}
