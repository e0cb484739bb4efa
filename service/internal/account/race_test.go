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

// slow is a store that calls meanwhile while a password is being hashed.
type slow struct {
	*store.Store
	meanwhile func()
}

func (s slow) PersonByEmail(ctx context.Context, email string) (org.Person, string, error) {
	p, kept, err := s.Store.PersonByEmail(ctx, email)
	s.meanwhile()
	return p, kept, err
}

// A sign-in that runs while the password is changed or the account is disabled
// must not open a session, not even one that works once the account is enabled
// again.
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
			attacker := account.New(account.Config{Keeper: keeper, Now: r.clock.Now, NewID: c.NewID, Random: rand.Reader})
			token, _, err := attacker.SignIn(t.Context(), account.Credentials{Email: email, Password: stolen, Network: "203.0.113.1"})
			if fault.KindOf(err) != fault.Unauthenticated || token != "" {
				t.Errorf("%s: SignIn error = %v, want unauthenticated without a token", email, err)
			}
			if err := r.store.DisablePerson(t.Context(), r.by, p.ID, false); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Session(t.Context(), token); err == nil {
				t.Errorf("%s: the session still works", email)
			}
		}
	})
}
