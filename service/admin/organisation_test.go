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
			t.Errorf("made: %s", diff)
		}
		read := must[admin.Organisation](t)(d.Organisation(t.Context(), made.ID.String()))
		if diff := cmp.Diff(made, read); diff != "" {
			t.Errorf("read: %s", diff)
		}
		second := d.organisation("Second")
		all := must[[]admin.Organisation](t)(d.Organisations(t.Context()))
		if diff := cmp.Diff([]admin.Organisation{made, second}, all); diff != "" {
			t.Errorf("listed: %s", diff)
		}
	})
}

func TestDeedsNameTheOperator(t *testing.T) {
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
			{"reason.create", func() error { _, err := d.CreateReason(t.Context(), id, "thirty days"); return err }},
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
				t.Errorf("got %s by %s %q, want %s by operator layla", e.Action, e.Kind, e.Actor, c.action)
			}
		}
	})
}

const mostOfASecret = "0123456789abcdefghijABCDEFGHIJ0123456789-_" // a character short

func TestRefusalsLeaveNothing(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o := d.organisation("Khatm Trading")
		id, nobody := o.ID.String(), uuid.Max.String()
		before := d.lastEvent(o).ID
		for _, c := range []struct {
			name string
			do   func() error
			want string
		}{
			{"an id that is none", func() error { _, err := d.Organisation(t.Context(), "x"); return err }, "is no id of an organisation"},
			{"nobody's id", func() error { _, err := d.Suspend(t.Context(), nobody); return err }, "there is no organisation"},
			{"a key for nobody", func() error { _, err := d.CreateKey(t.Context(), nobody, "Till", "", nil); return err }, "there is no organisation"},
			{"a person for nobody", func() error {
				_, _, err := d.CreatePerson(t.Context(), nobody, admin.Person{Email: "a@example.sa", Role: "Admin"}, "")
				return err
			}, "there is no organisation"},
			{"a plan that is none", func() error { _, err := d.Subscribe(t.Context(), id, "golden"); return err }, "there is no plan"},
			{"an organisation on no plan", func() error {
				r := record("Third")
				r.Plan = "golden"
				_, err := d.CreateOrganisation(t.Context(), r)
				return err
			}, "there is no plan"},
			{"another status by the record", func() error {
				_, err := d.ChangeOrganisation(t.Context(), id, func(o *admin.Organisation) error { o.Status = "suspended"; return nil })
				return err
			}, "are not changed by the record"},
			{"a logo for nobody", func() error { _, err := d.SetLogo(t.Context(), nobody, admin.Logo{}); return err }, "there is no organisation"},
			{"a key that is mistyped", func() error { return d.RevokeKey(t.Context(), id, "svc_ab12cd3_"+mostOfASecret) }, "has no key svc_ab12cd3_:"},
			{"a key with a space", func() error { return d.RevokeKey(t.Context(), id, " svc_ab12cd3_"+mostOfASecret+"x") }, "has no key svc_ab12cd3_:"},
			{"an id of no key", func() error { return d.RevokeKey(t.Context(), id, nobody) }, "has no key " + nobody + ":"},
		} {
			err := c.do()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", c.name, err, c.want)
			}
		}
		if after := d.lastEvent(o).ID; after != before {
			t.Errorf("a refused deed is in the audit trail")
		}
		if all := must[[]admin.Organisation](t)(d.Organisations(t.Context())); len(all) != 1 {
			t.Errorf("there are %d organisations, want 1", len(all))
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
			t.Errorf("got %v, want %v", fields, want)
		}
	})
	if got := admin.Problems(nil); got != nil {
		t.Errorf("no error has the problems %v", got)
	}
}

// TestOrganisationsAreAllListed when there are more than one read brings.
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
		t.Errorf("%d are listed, %d of them once, want %d", len(all), len(seen), many)
	}
}

// Changes at once are made one after the other, and none is lost.
func TestChangesAtOnceAreAllMade(t *testing.T) {
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
			t.Errorf("the postal code is %s", o.PostalCode)
		}
		if got := starter(t, d); got != before+many {
			t.Errorf("the plan has %d invoices, want %d", got, before+many)
		}
	})
}

// starter is how many invoices the plan of this name has.
func starter(t *testing.T, d *installation) int {
	t.Helper()
	for _, p := range must[[]admin.Plan](t)(d.Plans(t.Context())) {
		if p.Slug == "starter" {
			return p.Invoices
		}
	}
	t.Fatal("there is no such plan")
	return 0
}
