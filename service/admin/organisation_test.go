package admin_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"khatm/service/admin"
	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
)

func TestOrganisationRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, d *installation) {
		made := d.organisation("Khatm Trading")
		want := record("Khatm Trading")
		want.ID, want.Status, want.CreatedAt, want.CountryCode = made.ID, "active", made.CreatedAt, "SA"
		if diff := cmp.Diff(want, made); diff != "" {
			t.Errorf("created organisation (-want +got):\n%s", diff)
		}
		read := must[admin.Organisation](t)(d.Organisation(t.Context(), made.ID.String()))
		if diff := cmp.Diff(made, read); diff != "" {
			t.Errorf("stored organisation (-want +got):\n%s", diff)
		}
		second := d.organisation("Second")
		all := must[[]admin.Organisation](t)(d.Organisations(t.Context()))
		if diff := cmp.Diff([]admin.Organisation{made, second}, all); diff != "" {
			t.Errorf("list of organisations (-want +got):\n%s", diff)
		}
	})
}

func TestTrailNamesTheOperator(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o := d.organisation("Khatm Trading")
		id := o.ID.String()
		for _, c := range []struct {
			action string
			do     func() error
		}{
			{"organisation.create", func() error { return nil }},
			{"organisation.change", func() error {
				_, err := d.ChangeOrganisation(t.Context(), id, func(o *admin.Organisation) error { o.City = "Jeddah"; return nil })
				return err
			}},
			{"organisation.suspended", func() error { _, err := d.Suspend(t.Context(), id); return err }},
			{"organisation.deactivated", func() error { _, err := d.Deactivate(t.Context(), id); return err }},
			{"organisation.active", func() error { _, err := d.Activate(t.Context(), id); return err }},
			{"organisation.plan", func() error { _, err := d.Subscribe(t.Context(), id, "free"); return err }},
			{"key.create", func() error { _, err := d.CreateKey(t.Context(), id, "Till", "", nil); return err }},
			{"reason.create", func() error { _, err := d.CreateReason(t.Context(), id, "thirty days", nil); return err }},
			{"branch.create", func() error {
				_, err := d.CreateBranch(t.Context(), id, admin.Branch{Name: "Jeddah", Identification: o.Identification, Address: o.Address})
				return err
			}},
			{"member.add", func() error {
				_, _, err := d.CreatePerson(t.Context(), id, admin.Person{Email: "a@example.sa", Role: "Admin"}, "")
				return err
			}},
		} {
			if err := c.do(); err != nil {
				t.Fatalf("%s: %v", c.action, err)
			}
			e := d.lastEvent(o)
			if e.Action != c.action || e.Kind != org.OperatorActor || e.Actor != "layla" {
				t.Errorf("last entry of the trail = %s by %s %q, want %s by operator layla", e.Action, e.Kind, e.Actor, c.action)
			}
		}
	})
}

const mostOfASecret = "0123456789abcdefghijABCDEFGHIJ0123456789-_" // one character too short

func TestErrorsChangeNothing(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o := d.organisation("Khatm Trading")
		id, unknown := o.ID.String(), uuid.Max.String()
		before := d.lastEvent(o).ID
		for _, c := range []struct {
			name string
			do   func() error
			want string
		}{
			{"invalid organisation id", func() error { _, err := d.Organisation(t.Context(), "x"); return err }, "is not an organisation ID"},
			{"suspend an unknown organisation", func() error { _, err := d.Suspend(t.Context(), unknown); return err }, "there is no organisation"},
			{"key for an unknown organisation", func() error { _, err := d.CreateKey(t.Context(), unknown, "Till", "", nil); return err }, "there is no organisation"},
			{"user for an unknown organisation", func() error {
				_, _, err := d.CreatePerson(t.Context(), unknown, admin.Person{Email: "a@example.sa", Role: "Admin"}, "")
				return err
			}, "there is no organisation"},
			{"unknown plan", func() error { _, err := d.Subscribe(t.Context(), id, "golden"); return err }, "there is no plan"},
			{"organisation on an unknown plan", func() error {
				r := record("Third")
				r.Plan = "golden"
				_, err := d.CreateOrganisation(t.Context(), r)
				return err
			}, "there is no plan"},
			{"change of the status", func() error {
				_, err := d.ChangeOrganisation(t.Context(), id, func(o *admin.Organisation) error { o.Status = "suspended"; return nil })
				return err
			}, "cannot be changed here"},
			{"logo for an unknown organisation", func() error { _, err := d.SetLogo(t.Context(), unknown, admin.Logo{}); return err }, "there is no organisation"},
			{"mistyped key", func() error { return d.RevokeKey(t.Context(), id, "svc_ab12cd3_"+mostOfASecret) }, "has no key svc_ab12cd3_:"},
			{"key with a space", func() error { return d.RevokeKey(t.Context(), id, " svc_ab12cd3_"+mostOfASecret+"x") }, "has no key svc_ab12cd3_:"},
			{"unknown key id", func() error { return d.RevokeKey(t.Context(), id, unknown) }, "has no key " + unknown + ":"},
		} {
			err := c.do()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.want)
			}
		}
		if after := d.lastEvent(o).ID; after != before {
			t.Errorf("last entry of the trail after the failed operations = %s, want %s", after, before)
		}
		if all := must[[]admin.Organisation](t)(d.Organisations(t.Context())); len(all) != 1 {
			t.Errorf("number of organisations = %d, want 1", len(all))
		}
	})
}

func TestProblemsNameTheFields(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		r := record("Khatm Trading")
		r.VATNumber, r.PostalCode = "12", "1"
		_, err := d.CreateOrganisation(t.Context(), r)
		var fields []string
		for _, p := range admin.Problems(err) {
			fields = append(fields, p.Field)
		}
		if want := []string{"vat_registration_number", "postal_code"}; !cmp.Equal(fields, want) {
			t.Errorf("fields of the problems = %v, want %v", fields, want)
		}
	})
	if got := admin.Problems(nil); got != nil {
		t.Errorf("Problems(nil) = %v, want nil", got)
	}
}

// Organisations returns all organisations, even if one query does not return all.
func TestOrganisationsAreAllListed(t *testing.T) {
	const many = 1003
	d := install(t, storetest.SQLite(t))
	r := record("One of many")
	var writing sync.WaitGroup
	for range many {
		writing.Go(func() {
			o := org.Organisation{
				ID: d.config.NewID(), Name: r.Name, VATNumber: r.VATNumber, Identification: org.Identification(r.Identification),
				Address: org.Address(r.Address), Status: org.Active, Plan: r.Plan, CreatedAt: d.clock.Now(),
			}
			o.CountryCode = "SA"
			if err := d.store.AddOrganisation(t.Context(), org.Operator(org.Tenant{}, "test"), o); err != nil {
				t.Error(err)
			}
		})
	}
	writing.Wait()
	seen := map[uuid.UUID]bool{}
	all := must[[]admin.Organisation](t)(d.Organisations(t.Context()))
	for _, o := range all {
		seen[o.ID] = true
	}
	if len(all) != many || len(seen) != many {
		t.Errorf("Organisations returned %d organisations, %d of them different, want %d", len(all), len(seen), many)
	}
}

// Concurrent changes are applied one after the other, and none is lost.
func TestConcurrentChanges(t *testing.T) {
	const many = 20
	each(t, func(t *testing.T, d *installation) {
		id := d.organisation("Khatm Trading").ID.String()
		before := starter(t, d)
		next := func(text string) string {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Error(err)
			}
			return strconv.Itoa(n + 1)
		}
		var changing sync.WaitGroup
		for range many {
			changing.Go(func() {
				_, err := d.ChangeOrganisation(t.Context(), id, func(o *admin.Organisation) error { o.PostalCode = next(o.PostalCode); return nil })
				if err != nil {
					t.Error(err)
				}
			})
			changing.Go(func() {
				if _, err := d.SetPlan(t.Context(), "starter", func(p *admin.Plan) { p.Invoices++ }); err != nil {
					t.Error(err)
				}
			})
		}
		changing.Wait()
		if o := must[admin.Organisation](t)(d.Organisation(t.Context(), id)); o.PostalCode != "12365" {
			t.Errorf("postal code after %d increments = %s, want 12365", many, o.PostalCode)
		}
		if got := starter(t, d); got != before+many {
			t.Errorf("invoices of the plan after %d increments = %d, want %d", many, got, before+many)
		}
	})
}

// starter returns the number of invoices of the plan starter.
func starter(t *testing.T, d *installation) int {
	t.Helper()
	for _, p := range must[[]admin.Plan](t)(d.Plans(t.Context())) {
		if p.Slug == "starter" {
			return p.Invoices
		}
	}
	t.Fatal("there is no plan starter")
	return 0
}
