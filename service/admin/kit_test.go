package admin_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"

	"khatm/service/admin"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/vault"
)

// installation is an open installation with the store that a server would use.
type installation struct {
	*admin.Admin
	t      *testing.T
	config admin.Config
	clock  *storetest.Clock
	store  *store.Store
}

// each runs a test on both engines.
func each(t *testing.T, test func(t *testing.T, d *installation)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) { test(t, install(t, c)) })
}

// onSQLite runs a test on SQLite only. Package store tests the SQL on both engines.
func onSQLite(t *testing.T, test func(t *testing.T, d *installation)) {
	t.Helper()
	t.Parallel()
	test(t, install(t, storetest.SQLite(t)))
}

// install creates and opens an installation as a server leaves it after its first
// start.
func install(t *testing.T, c store.Config) *installation {
	t.Helper()
	d := &installation{t: t, clock: storetest.NewClock()}
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	if err := os.Chmod(c.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	c.Now = d.clock.Now
	d.config = admin.Config{
		Data: c.Dir, Database: c.URL, Operator: "layla", Now: c.Now, NewID: c.NewID, Random: rand.Reader,
	}
	d.store = storetest.Open(t, c)
	if err := d.store.Stamp(t.Context(), device.Sandbox); err != nil {
		t.Fatal(err)
	}
	if err := d.ring(true).Tie(t.Context(), d.store); err != nil {
		t.Fatal(err)
	}
	var err error
	if d.Admin, err = admin.Open(t.Context(), d.config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Admin.Close)
	return d
}

// ring loads the master keys as a server does.
func (d *installation) ring(create bool) *vault.Ring {
	d.t.Helper()
	ring, err := vault.Load(vault.Config{
		File: filepath.Join(d.config.Data, "master.key"), Create: create, Random: rand.Reader, Now: d.clock.Now,
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return ring
}

// organisation registers an organisation.
func (d *installation) organisation(name string) admin.Organisation {
	d.t.Helper()
	o, err := d.CreateOrganisation(context.Background(), record(name))
	if err != nil {
		d.t.Fatal(err)
	}
	return o
}

func record(name string) admin.Organisation {
	return admin.Organisation{
		Name: name, NameArabic: "شركة ختم", VATNumber: "399999999900003",
		Identification: admin.Identification{Type: "CRN", Value: "1010010000"},
		Address:        admin.Address{Street: "King Fahd Road", BuildingNumber: "1234", District: "Al Olaya", City: "Riyadh", PostalCode: "12345"},
		Plan:           "business",
	}
}

// of returns the tenant of an organisation.
func of(o admin.Organisation) org.Tenant { return org.TenantOf(o.ID) }

// lastEvent returns the newest entry of an organisation's audit trail.
func (d *installation) lastEvent(o admin.Organisation) org.Event {
	d.t.Helper()
	events, err := d.store.Events(context.Background(), of(o), 1)
	if err != nil || len(events) != 1 {
		d.t.Fatalf("Events returned %v, %v, want one event", events, err)
	}
	return events[0]
}

// must returns a function that returns the value of a call, or fails the test if
// the call returned an error.
func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
