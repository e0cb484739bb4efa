package account_test

import (
	"crypto/rand"
	"errors"
	"io"
	"testing"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/vault"
)

// fixture holds Accounts on a real store with one organisation.
type fixture struct {
	*account.Accounts
	store *store.Store
	clock *storetest.Clock
	by    org.Actor
	vault *vault.Ring // nil if no e-mails are written
}

// each runs a test on SQLite and on PostgreSQL.
func each(t *testing.T, test func(t *testing.T, r fixture)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) { test(t, newFixture(t, c, rand.Reader)) })
}

// onSQLite runs a test on SQLite only. The tests of package store cover the SQL on
// both engines.
func onSQLite(t *testing.T, test func(t *testing.T, r fixture)) {
	t.Helper()
	t.Parallel()
	test(t, newFixture(t, storetest.SQLite(t), rand.Reader))
}

func newFixture(t *testing.T, c store.Config, random io.Reader) fixture {
	t.Helper()
	r := fixture{store: storetest.Open(t, c), clock: storetest.NewClock()}
	r.Accounts = account.New(account.Config{Keeper: r.store, Now: r.clock.Now, NewID: c.NewID, Random: random, Cost: account.Cost{Memory: 64, Passes: 1, Lanes: 1}})
	o, err := r.AddOrganisation(t.Context(), org.Operator(org.Tenant{}, "test"), business())
	if err != nil {
		t.Fatal(err)
	}
	r.by = org.Operator(org.TenantOf(o.ID), "test")
	return r
}

// business returns a valid organisation.
func business() org.Organisation {
	return org.Organisation{
		Name: "Khatm Trading", NameArabic: "شركة ختم", VATNumber: "399999999900003", Identification: org.Identification{Type: "CRN", Value: "1010010000"},
		Address: org.Address{Street: "King Fahd Road", BuildingNumber: "1234", District: "Al Olaya", City: "Riyadh", PostalCode: "12345"},
		Plan:    "business",
	}
}

// wantFault checks the kind of an error, and its code unless code is empty.
func wantFault(t *testing.T, err error, kind fault.Kind, code string) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind() != kind || code != "" && string(e.Code()) != code {
		t.Errorf("error = %v, want kind %d and code %q", err, kind, code)
	}
}
