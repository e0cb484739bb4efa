package store_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

func TestOrganisationIsReadAsItWasWritten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		bare := org.Organisation{
			ID: s.config.NewID(), Name: "bare", VATNumber: "300000000000003", Address: org.Address{CountryCode: "SA"},
			Status: org.Active, Plan: "free", CreatedAt: instantOf(0),
		}
		full := sampleOrganisation(s.config.NewID())
		filled(t, full)
		for _, o := range []org.Organisation{bare, full} {
			ok(t, s.AddOrganisation(s.ctx, org.Operator(org.Tenant{}, "me"), o))
			same(t, o)(s.Organisation(s.ctx, org.TenantOf(o.ID)))
		}
	})
}

func TestOrganisationChanges(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		id := s.by.Tenant.ID()
		ok(t, s.SetStatus(s.ctx, s.by, org.Suspended))
		before, err := s.Organisation(s.ctx, s.by.Tenant)
		ok(t, err)
		untouched, err := s.Organisation(s.ctx, s.other.Tenant)
		ok(t, err)
		want := sampleOrganisation(id)
		want.Name, want.Logo, want.City = "another name", "another logo", "another city"
		changed := want
		// A change does not affect fields that have their own methods.
		changed.ID, changed.Status, changed.Plan = s.other.Tenant.ID(), org.Deactivated, "enterprise"
		seen := org.Organisation{}
		same(t, want)(s.ChangeOrganisation(s.ctx, s.by, func(o *org.Organisation) error {
			seen, *o = *o, changed
			return nil
		}))
		same(t, before)(seen, nil)
		same(t, want)(s.Organisation(s.ctx, s.by.Tenant))

		ok(t, s.SetStatus(s.ctx, s.by, org.Deactivated))
		ok(t, s.Subscribe(s.ctx, s.by, "business"))
		want.Status, want.Plan = org.Deactivated, "business"
		same(t, want)(s.Organisation(s.ctx, s.by.Tenant))
		same(t, untouched)(s.Organisation(s.ctx, s.other.Tenant))
	})
}

// A VAT number that is in the certificate of a device cannot be changed. A retired
// device does not count.
func TestCompanyKeepsTheVATNumberOfACertificate(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		before, err := s.Organisation(s.ctx, s.by.Tenant)
		ok(t, err)
		change := func(vat string) error {
			_, err := s.ChangeCompany(s.ctx, s.by, func(o *org.Organisation) error { o.VATNumber = vat; return nil })
			return err
		}
		foreign, fresh := sampleDevice(s.config.NewID(), nil), sampleDevice(s.config.NewID(), nil)
		foreign.Retired = false
		ok(t, s.AddDevice(s.ctx, s.other, foreign))
		fresh.Token, fresh.Retired = "", false
		ok(t, s.AddDevice(s.ctx, s.by, fresh))
		same(t, false)(s.Certified(s.ctx, s.by.Tenant))
		ok(t, change("311111111100003"))
		ok(t, change(before.VATNumber))
		certified := sampleDevice(s.config.NewID(), nil)
		certified.Retired = false
		ok(t, s.AddDevice(s.ctx, s.by, certified))
		same(t, true)(s.Certified(s.ctx, s.by.Tenant))
		refused(t, change("311111111100003"), fault.Conflict, fault.VATNumberFixed.Entry().Says)
		ok(t, change(before.VATNumber))
		same(t, before)(s.Organisation(s.ctx, s.by.Tenant))
		s.execute(`UPDATE device SET retired_at = 1 WHERE id = $1`, certified.ID)
		same(t, false)(s.Certified(s.ctx, s.by.Tenant))
		ok(t, change("311111111100003"))
	})
}

func TestUnknownOrganisation(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		unknown := org.Operator(org.TenantOf(s.config.NewID()), "me")
		const missing = "Organisation not found"
		_, err := s.Organisation(s.ctx, unknown.Tenant)
		refused(t, err, fault.NotFound, missing)
		_, err = s.ChangeOrganisation(s.ctx, unknown, func(*org.Organisation) error { return errStopped })
		refused(t, err, fault.NotFound, missing)
		refused(t, s.SetStatus(s.ctx, unknown, org.Active), fault.NotFound, missing)
		refused(t, s.Subscribe(s.ctx, unknown, "free"), fault.NotFound, missing)
		_, err = s.Usage(s.ctx, unknown.Tenant, s.config.Now())
		refused(t, err, fault.NotFound, missing)
		refused(t, s.Subscribe(s.ctx, s.by, "gold"), fault.NotFound, "Plan not found")
	})
}

// Each call returns a new error value, because callers may set its fields.
func TestUnknownOrganisationErrorsAreNotShared(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		unknown := org.TenantOf(uuid.Max)
		_, first := s.Organisation(s.ctx, unknown)
		_, second := s.Organisation(s.ctx, unknown)
		if first == second { //nolint:errorlint // compares identity on purpose
			t.Error("two calls returned the same error value, want two values")
		}
	})
}

func TestOrganisationsAreListedByCreation(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		want := []uuid.UUID{s.by.Tenant.ID(), s.other.Tenant.ID()}
		for range 3 {
			want = append(want, s.register("more").Tenant.ID())
		}
		var got []uuid.UUID
		after := uuid.Nil
		for {
			page, err := s.Organisations(s.ctx, after, 2)
			ok(t, err)
			if len(page) == 0 {
				break
			}
			for _, o := range page {
				got = append(got, o.ID)
			}
			after = got[len(got)-1]
		}
		same(t, want)(got, nil)
	})
}

func TestBranchIsReadAsItWasWritten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		same(t, []org.Branch{})(s.Branches(s.ctx, s.by.Tenant))
		first, second := sampleBranch(s.config.NewID()), sampleBranch(s.config.NewID())
		filled(t, first)
		second.Name, second.Identification, second.Address = "second", org.Identification{}, org.Address{CountryCode: "SA"}
		ok(t, s.AddBranch(s.ctx, s.by, first))
		ok(t, s.AddBranch(s.ctx, s.by, second))
		foreign := sampleBranch(s.config.NewID())
		ok(t, s.AddBranch(s.ctx, s.other, foreign))
		same(t, []org.Branch{first, second})(s.Branches(s.ctx, s.by.Tenant))
		same(t, first)(s.Branch(s.ctx, s.by.Tenant, first.ID))
		same(t, second)(s.Branch(s.ctx, s.by.Tenant, second.ID))
		for _, id := range []uuid.UUID{foreign.ID, uuid.Nil, uuid.Max} {
			_, err := s.Branch(s.ctx, s.by.Tenant, id)
			refused(t, err, fault.NotFound, "Branch not found")
			_, err = s.ChangeBranch(s.ctx, s.by, id, func(*org.Branch) error { return errStopped })
			refused(t, err, fault.NotFound, "Branch not found")
		}
		changed := first
		changed.ID, changed.Name, changed.Active = second.ID, "changed", false
		changed.CreatedAt = second.CreatedAt
		same(t, changed)(s.ChangeBranch(s.ctx, s.by, second.ID, func(b *org.Branch) error { *b = changed; b.ID = first.ID; return nil }))
		_, err := s.ChangeBranch(s.ctx, s.by, first.ID, func(b *org.Branch) error { b.Name = "not kept"; return errStopped })
		if !errors.Is(err, errStopped) {
			t.Errorf("refused change: error = %v, want that of the change", err)
		}
		same(t, []org.Branch{first, changed})(s.Branches(s.ctx, s.by.Tenant))
		page, err := s.BranchPage(s.ctx, s.by.Tenant, org.Page{Size: 1, Number: 1})
		same(t, org.List[org.Branch]{Rows: []org.Branch{changed}, Total: 2, Next: second.ID})(page, err)
		page, err = s.BranchPage(s.ctx, s.by.Tenant, org.Page{Size: 1, After: second.ID})
		same(t, org.List[org.Branch]{Rows: []org.Branch{first}, Total: 2})(page, err)
		same(t, []org.Branch{foreign})(s.Branches(s.ctx, s.other.Tenant))
	})
}

func TestPlans(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		want := org.FirstPlans()
		same(t, want)(s.Plans(s.ctx))
		want[1] = org.Plan{Slug: want[1].Slug, Name: "Another", NameArabic: "أخرى", Invoices: org.Unlimited, Writes: 7, API: true}
		same(t, want[1])(s.ChangePlan(s.ctx, s.by, want[1].Slug, func(p *org.Plan) error {
			*p = want[1]
			p.Slug = "free" // ignored: the slug cannot change
			return nil
		}))
		same(t, want)(s.Plans(s.ctx))
		_, err := s.ChangePlan(s.ctx, s.by, "gold", func(*org.Plan) error { return errStopped })
		refused(t, err, fault.NotFound, "Plan not found")
		if _, err = s.ChangePlan(s.ctx, s.by, "free", func(p *org.Plan) error { p.Name = "x"; return errStopped }); !errors.Is(err, errStopped) {
			t.Errorf("error of a failing change = %v, want %v", err, errStopped)
		}
		same(t, want)(s.Plans(s.ctx))
	})
}
