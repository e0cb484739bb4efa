package account_test

import (
	"context"
	"crypto/rand"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
)

const secret = "correct horse battery"

func (r fixture) add(t *testing.T, email, password string) org.Person {
	t.Helper()
	p, err := r.AddPerson(t.Context(), r.by, email, "Noura", password, org.Admin)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// usualCost returns Accounts that hash passwords with the default cost.
func usualCost(r fixture) *account.Accounts {
	return account.New(account.Config{Keeper: r.store, Now: r.clock.Now, NewID: uuid.New, Random: rand.Reader})
}

func TestPasswordIsStoredAsArgon2id(t *testing.T) {
	onSQLite(t, func(t *testing.T, r fixture) {
		r.Accounts = usualCost(r)
		r.add(t, "noura@example.com", secret)
		r.add(t, "sara@example.com", secret)
		_, one, err := r.store.PersonByEmail(t.Context(), "noura@example.com")
		if err != nil {
			t.Fatal(err)
		}
		_, two, err := r.store.PersonByEmail(t.Context(), "sara@example.com")
		if err != nil {
			t.Fatal(err)
		}
		// 19 MiB, two passes, one lane: OWASP's minimum for argon2id.
		if !strings.HasPrefix(one, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("stored hash = %s, want argon2id with m=19456,t=2,p=1", one)
		}
		if one == two {
			t.Error("two people with the same password have the same hash")
		}
	})
}

func TestSignIn(t *testing.T) {
	onSQLite(t, func(t *testing.T, r fixture) {
		longest := strings.Repeat("كلمة", 25) // 200 bytes
		r.add(t, "noura@example.com", secret)
		r.add(t, "sara@example.com", longest)
		gone := r.add(t, "gone@example.com", secret)
		if err := r.store.DisablePerson(t.Context(), r.by, gone.ID, true); err != nil {
			t.Fatal(err)
		}
		cases := []struct {
			name, email, password string
			ok                    bool
		}{
			{"correct", "noura@example.com", secret, true},
			{"e-mail in capitals, with spaces", "  NOURA@Example.COM ", secret, true},
			{"wrong password", "noura@example.com", secret + "!", false},
			{"password in capitals", "noura@example.com", strings.ToUpper(secret), false},
			{"empty password", "noura@example.com", "", false},
			{"unknown e-mail", "nobody@example.com", secret, false},
			{"disabled account", "gone@example.com", secret, false},
			{"password of 200 bytes", "sara@example.com", longest, true},
			{"password of 201 bytes", "sara@example.com", longest + "x", false},
			{"password of a megabyte", "sara@example.com", strings.Repeat(longest, 5000), false},
		}
		for _, c := range cases {
			token, p, err := r.SignIn(t.Context(), account.Credentials{Email: c.email, Password: c.password, Network: "203.0.113.1"})
			if c.ok {
				visitor, sessionErr := r.Session(t.Context(), token)
				if err != nil || sessionErr != nil || visitor.Person != p {
					t.Errorf("%s: session = %+v, SignIn error %v, Session error %v; want a session", c.name, visitor, err, sessionErr)
				}
				continue
			}
			if err == nil || err.Error() != "E-mail or password is wrong." || token != "" || p != (org.Person{}) {
				t.Errorf("%s: SignIn = %q, %+v, %v; want the error for a wrong password", c.name, token, p, err)
			}
			wantFault(t, err, fault.Unauthenticated, "")
		}
	})
}

// Signing in with an unknown e-mail must hash the password too, which shows in the
// allocated memory.
func TestUnknownEmailDoesTheSameWork(t *testing.T) {
	// The test measures allocations of the whole process, so it must not be parallel.
	r := newFixture(t, storetest.SQLite(t), rand.Reader)
	r.Accounts = usualCost(r)
	r.add(t, "noura@example.com", secret)
	const leastWork = 19 << 20
	for _, email := range []string{"noura@example.com", "nobody@example.com"} {
		for _, password := range []string{"wrong horse battery", "", strings.Repeat("x", 201)} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := r.SignIn(t.Context(), account.Credentials{Email: email, Password: password, Network: "203.0.113.1"})
			runtime.ReadMemStats(&after)
			if work := after.TotalAlloc - before.TotalAlloc; work < leastWork {
				t.Errorf("SignIn of %s with %.5q allocated %d bytes, want at least %d", email, password, work, leastWork)
			}
			wantFault(t, err, fault.Unauthenticated, "")
		}
	}
}

func TestAddPersonRefusesInvalidInput(t *testing.T) {
	each(t, func(t *testing.T, r fixture) {
		r.add(t, "noura@example.com", secret)
		cases := []struct {
			name, email, password string
			role                  org.Role
			path                  string // of the problem; empty for a general message
		}{
			{"no e-mail", "", secret, org.Admin, "email"},
			{"not an address", "noura", secret, org.Admin, "email"},
			{"with a name", "Noura <noura@example.com>", secret, org.Admin, "email"},
			{"two addresses", "a@example.com, b@example.com", secret, org.Admin, "email"},
			{"a line break", "a@example.com\nb", secret, org.Admin, "email"},
			{"too long", strings.Repeat("a", 250) + "@b.sa", secret, org.Admin, "email"},
			{"taken", "Noura@example.com", secret, org.Admin, ""},
			{"a short password", "sara@example.com", "123456789", org.Admin, "password"},
			{"a long password", "sara@example.com", strings.Repeat("x", 201), org.Admin, "password"},
			{"no role", "sara@example.com", secret, "", "role"},
			{"an unknown role", "sara@example.com", secret, "Owner", "role"},
		}
		for _, c := range cases {
			_, err := r.AddPerson(t.Context(), r.by, c.email, "Noura", c.password, c.role)
			wantFault(t, err, fault.Invalid, "")
			if err == nil || !strings.HasPrefix(err.Error(), c.path) {
				t.Errorf("%s: error = %v, want a problem of field %q", c.name, err, c.path)
			}
		}
		for _, name := range []string{"No\x00ura", "Noura\n", "Noura \xff", strings.Repeat("ن", 101)} {
			_, err := r.AddPerson(t.Context(), r.by, "sara@example.com", name+".", secret, org.Admin)
			wantFault(t, err, fault.Invalid, "")
		}
		if members, err := r.store.Members(t.Context(), r.by.Tenant); err != nil || len(members) != 1 {
			t.Errorf("organisation has %d members, %v; want 1", len(members), err)
		}
	})
}

func TestSessionExpires(t *testing.T) {
	each(t, func(t *testing.T, r fixture) {
		p := r.add(t, "noura@example.com", secret)
		token, err := r.OpenSession(t.Context(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		r.clock.Advance(account.SessionLife - time.Millisecond)
		if _, err := r.Session(t.Context(), token); err != nil {
			t.Errorf("session in its last millisecond: %v", err)
		}
		r.clock.Advance(time.Millisecond)
		_, err = r.Session(t.Context(), token)
		wantFault(t, err, fault.Unauthenticated, "")
		if err := r.SignOut(t.Context(), token); err != nil {
			t.Errorf("SignOut of an expired session: %v", err)
		}
	})
}

func TestSignOutEverywhereLeavesOthersSignedIn(t *testing.T) {
	onSQLite(t, func(t *testing.T, r fixture) {
		noura, sara := r.add(t, "noura@example.com", secret), r.add(t, "sara@example.com", secret)
		tokens := map[string]bool{} // whether each must still work afterwards
		for _, p := range []org.Person{noura, noura, sara} {
			token, err := r.OpenSession(t.Context(), p.ID)
			if err != nil {
				t.Fatal(err)
			}
			tokens[token] = p == sara
		}
		if err := r.SignOutEverywhere(t.Context(), noura.ID); err != nil {
			t.Fatal(err)
		}
		for token, works := range tokens {
			if _, err := r.Session(t.Context(), token); (err == nil) != works {
				t.Errorf("after SignOutEverywhere: session error %v, want it to work: %v", err, works)
			}
		}
	})
}

// Keyboards may encode é as one character or as two.
func TestPasswordMatchesInAnyUnicodeForm(t *testing.T) {
	onSQLite(t, func(t *testing.T, r fixture) {
		one, two := "caf\u00e9 au lait", "cafe\u0301 au lait"
		r.add(t, "noura@example.com", one)
		r.add(t, "sara@example.com", two)
		for _, email := range []string{"noura@example.com", "sara@example.com"} {
			for _, password := range []string{one, two} {
				if _, _, err := r.SignIn(t.Context(), account.Credentials{Email: email, Password: password, Network: "203.0.113.1"}); err != nil {
					t.Errorf("SignIn of %s with %+q: %v", email, password, err)
				}
			}
		}
	})
}

func TestChangePasswordAndJoinOfUnknownPerson(t *testing.T) {
	onSQLite(t, func(t *testing.T, r fixture) {
		wantFault(t, r.ChangePassword(t.Context(), r.by, "nobody@example.com", secret), fault.NotFound, "")
		_, err := r.Join(t.Context(), r.by, "nobody@example.com", org.Admin)
		wantFault(t, err, fault.NotFound, "")
	})
}

// apart is a Keeper that cannot add a membership to an existing person.
type apart struct{ account.Keeper }

func (apart) AddMembership(context.Context, org.Actor, uuid.UUID, org.Role) error {
	return errors.New("the database went away")
}

// An account and its membership are written together: a failure between two
// writes would leave a person without an organisation.
func TestPersonIsAddedWithTheMembership(t *testing.T) {
	onSQLite(t, func(t *testing.T, r fixture) {
		accounts := account.New(account.Config{Keeper: apart{r.store}, Now: r.clock.Now, NewID: uuid.New, Random: rand.Reader})
		p, err := accounts.AddPerson(t.Context(), r.by, "noura@example.com", "Noura", secret, org.Accountant)
		if err != nil {
			t.Fatal(err)
		}
		members, err := r.store.Members(t.Context(), r.by.Tenant)
		if err != nil || len(members) != 1 || members[0].ID != p.ID || members[0].Role != org.Accountant {
			t.Errorf("members = %+v, %v; want the new person as Accountant", members, err)
		}
	})
}
