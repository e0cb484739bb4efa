package account_test

import (
	"crypto/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// unused returns Accounts on a store without an organisation.
func unused(t *testing.T, c store.Config) fixture {
	t.Helper()
	r := fixture{store: storetest.Open(t, c), clock: storetest.NewClock(), by: org.Operator(org.Tenant{}, "test")}
	r.Accounts = account.New(account.Config{Keeper: r.store, Now: r.clock.Now, NewID: c.NewID, Random: rand.Reader, Cost: account.Cost{Memory: 64, Passes: 1, Lanes: 1}})
	return r
}

func setUp(token string) account.SetUp {
	return account.SetUp{Token: token, Email: "noura@example.sa", Name: "Noura", Password: "correct horse battery", Organisation: business()}
}

// Of 50 concurrent uses of one link exactly one succeeds. The others get the
// response to an unknown link.
func TestK8_SetUpLinkWorksOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		r := unused(t, c)
		token, _, err := r.NewSetUp(t.Context(), r.by)
		if err != nil {
			t.Fatal(err)
		}
		const users = 50
		errs := make([]error, users)
		sessions := make([]string, users)
		var all sync.WaitGroup
		for i := range users {
			all.Go(func() {
				sessions[i], errs[i] = r.UseSetUp(t.Context(), org.Actor{Address: "203.0.113.1"}, setUp(token))
			})
		}
		all.Wait()
		succeeded := 0
		for i, err := range errs {
			if err != nil {
				wantFault(t, err, fault.NotFound, "link_not_available")
				continue
			}
			succeeded++
			v, err := r.Session(t.Context(), sessions[i])
			if err != nil || len(v.Memberships) != 1 || v.Memberships[0].Role != org.Admin {
				t.Errorf("session = %+v, %v, want an Admin of one organisation", v, err)
			}
		}
		found, err := r.store.Organisations(t.Context(), [16]byte{}, 10)
		if succeeded != 1 || err != nil || len(found) != 1 {
			t.Errorf("%d uses succeeded and %d organisations exist (%v), want 1 and 1", succeeded, len(found), err)
		}
		_, _, err = r.NewSetUp(t.Context(), r.by)
		wantFault(t, err, fault.Conflict, "setup_done")
	})
}

// Unknown, replaced, expired and used links get the same error, also if the rest
// of the request is invalid.
func TestK8_SetUpLinksThatDoNotWorkAreAlike(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		r := unused(t, c)
		link := func() string {
			token, _, err := r.NewSetUp(t.Context(), r.by)
			if err != nil {
				t.Fatal(err)
			}
			return token
		}
		replaced := link()
		expired := link()
		r.clock.Advance(account.SetUpLife + time.Second)
		var told []string
		use := func(s account.SetUp) {
			t.Helper()
			_, err := r.UseSetUp(t.Context(), org.Actor{}, s)
			wantFault(t, err, fault.NotFound, "link_not_available")
			if err != nil {
				told = append(told, err.Error())
			}
		}
		use(setUp(replaced))
		use(setUp(expired))
		use(setUp(strings.Repeat("A", 43)))
		use(account.SetUp{Token: "unknown"})
		token := link()
		// A refused request does not use up the link.
		_, err := r.UseSetUp(t.Context(), org.Actor{}, account.SetUp{Token: token, Email: "noura@example.sa", Password: "short", Organisation: business()})
		wantFault(t, err, fault.Invalid, "")
		if _, err := r.UseSetUp(t.Context(), org.Actor{}, setUp(token)); err != nil {
			t.Fatal(err)
		}
		use(setUp(token))
		for _, one := range told {
			if one != told[0] {
				t.Errorf("error %q differs from %q", one, told[0])
			}
		}
	})
}

func TestK8_SetUpIsRefusedOnceAnOrganisationExists(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		r := unused(t, c)
		token, _, err := r.NewSetUp(t.Context(), r.by)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.AddOrganisation(t.Context(), r.by, business()); err != nil {
			t.Fatal(err)
		}
		_, err = r.UseSetUp(t.Context(), org.Actor{}, setUp(token))
		wantFault(t, err, fault.Conflict, "setup_done")
	})
}
