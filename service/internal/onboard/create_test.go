package onboard_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
)

func TestCreateFillsInWhatIsLeftOut(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *fixture) {
		d := h.device(device.Both)
		if got := h.kept(d.ID); got.Status != device.CSRPending || got.LastHash != device.GenesisHash || got.Token != "" || got.Counter != 0 {
			t.Errorf("stored device is %+v, want a new device without documents", got)
		}
		for _, c := range []struct{ what, got, want string }{
			{"serial number", d.SerialNumber, "1-Khatm|2-1.0|3-" + d.ID.String()},
			{"unit name", d.UnitName, "شركة ختم للتجارة"},
			{"location", d.Location, "8091 طريق الملك فهد العليا الرياض"},
		} {
			if c.got != c.want {
				t.Errorf("the %s is %q, want %q", c.what, c.got, c.want)
			}
		}
	})
}

func TestDecisions_ADeviceOfABranchBearsItsName(t *testing.T) {
	h := lite(t)
	b := org.Branch{
		ID: h.config.NewID(), Name: "فرع جدة & الساحل", Identification: org.Identification{Type: "CRN", Value: "4030000001"},
		Address: org.Address{Street: "شارع التحلية", BuildingNumber: "2222", District: "الروضة", City: "جدة", PostalCode: "23432", CountryCode: "SA"}, Active: true, CreatedAt: h.config.Now(),
	}
	if err := h.store.AddBranch(h.ctx, h.by, b); err != nil {
		t.Fatal(err)
	}
	order := wanted(device.Both)
	order.Branch = &b.ID
	d, err := h.onboarding(h.store, nil).Create(h.ctx, h.by, order)
	if err != nil {
		t.Fatal(err)
	}
	if d.UnitName != "فرع جدة الساحل" || d.Location != "2222 شارع التحلية الروضة جدة" {
		t.Errorf("unit name is %q, location %q, want those of the branch", d.UnitName, d.Location)
	}
	if _, err := h.onboard(d, h.otp()); err != nil {
		t.Error(err)
	}
	if _, err := h.store.ChangeBranch(h.ctx, h.by, b.ID, func(b *org.Branch) error { b.Active = false; return nil }); err != nil {
		t.Fatal(err)
	}
	_, err = h.onboarding(h.store, nil).Create(h.ctx, h.by, order)
	wrongAt(t, err, "branch_id")
	unknown := uuid.New()
	order.Branch = &unknown
	if _, err := h.onboarding(h.store, nil).Create(h.ctx, h.by, order); fault.KindOf(err) != fault.NotFound {
		t.Errorf("unknown branch: error is %v, want NotFound", err)
	}
}

// TestFacts_2_1_AVATGroupNamesItsMember checks that the unit name of a VAT
// group must be the member's TIN. The 11th digit of a group's VAT number is 1.
func TestFacts_2_1_AVATGroupNamesItsMember(t *testing.T) {
	h := lite(t)
	h.by, h.owner = h.register("310175397410003")
	_, err := h.onboarding(h.store, nil).Create(h.ctx, h.by, wanted(device.SimplifiedOnly))
	wrongAt(t, err, "unit_name")
	order := wanted(device.SimplifiedOnly)
	order.UnitName = "3101753974"
	d, err := h.onboarding(h.store, nil).Create(h.ctx, h.by, order)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.onboard(d, h.otp()); err != nil {
		t.Error(err)
	}
}

func TestCreateRefuses(t *testing.T) {
	h := lite(t)
	long := strings.Repeat("م", 33) // 66 bytes
	for _, c := range []struct {
		name   string
		change func(*onboard.NewDevice)
		path   string
	}{
		{"no name", func(d *onboard.NewDevice) { d.CommonName = " " }, "common_name"},
		{"a long name", func(d *onboard.NewDevice) { d.CommonName = long }, "common_name"},
		{"a symbol", func(d *onboard.NewDevice) { d.CommonName = "Till #1" }, "common_name"},
		{"no industry", func(d *onboard.NewDevice) { d.Industry = "" }, "industry"},
		{"a symbol in the industry", func(d *onboard.NewDevice) { d.Industry = "Food + drink" }, "industry"},
		{"a long location", func(d *onboard.NewDevice) { d.Location = long }, "location"},
		{"an invalid type", func(d *onboard.NewDevice) { d.InvoiceType = "0011" }, "invoice_type"},
		{"no type", func(d *onboard.NewDevice) { d.InvoiceType = "" }, "invoice_type"},
		{"a malformed serial", func(d *onboard.NewDevice) { d.SerialNumber = "4711" }, "serial_number"},
		{"a serial with an empty part", func(d *onboard.NewDevice) { d.SerialNumber = "1-A|2-|3-B" }, "serial_number"},
		{"a long serial", func(d *onboard.NewDevice) { d.SerialNumber = "1-A|2-B|3-" + strings.Repeat("x", 60) }, "serial_number"},
		{"an unknown environment", func(d *onboard.NewDevice) { d.Environment = "moon" }, "environment"},
	} {
		t.Run(c.name, func(t *testing.T) {
			order := wanted(device.Both)
			c.change(&order)
			_, err := h.onboarding(h.store, nil).Create(h.ctx, h.by, order)
			wrongAt(t, err, c.path)
		})
	}
}

// TestCreateRefusesASerialNumberTwice checks that serial numbers are unique,
// because the authority identifies devices by them.
func TestCreateRefusesASerialNumberTwice(t *testing.T) {
	each(t, func(t *testing.T, h *fixture) {
		order := wanted(device.Both)
		order.SerialNumber = "1-Khatm|2-1|3-4711"
		if _, err := h.onboarding(h.store, nil).Create(h.ctx, h.by, order); err != nil {
			t.Fatal(err)
		}
		if _, err := h.onboarding(h.store, nil).Create(h.ctx, h.by, order); fault.KindOf(err) != fault.Invalid {
			t.Errorf("second device with the same serial number: error is %v, want Invalid", err)
		}
	})
}

// TestNamesAreMadeToFitACertificate checks that a name of any form is shortened
// to fit a certificate.
func TestNamesAreMadeToFitACertificate(t *testing.T) {
	for _, c := range []struct{ name, arabic, want string }{
		{"Acme", "", "Acme"},
		{"Acme", "شركة القمة", "شركة القمة"},
		{"Acme", "شركة القمة & أولاده", "Acme"},
		{"Acme & Sons", "شركة القمة و أولاده المحدودة للتجارة والمقاولات العامة والصيانة", "شركة القمة و أولاده المحدودة"},
		{"Acme & Sons <Trading>", "", "Acme Sons Trading>"},
		{strings.Repeat("A", 127), "", strings.Repeat("A", 64)},
	} {
		h := lite(t)
		o := h.owner
		o.Name, o.NameArabic = c.name, c.arabic
		if err := h.record(o); err != nil {
			t.Fatal(err)
		}
		if d := h.device(device.SimplifiedOnly); d.UnitName != c.want {
			t.Errorf("names %q and %q: unit name is %q (%d bytes), want %q", c.name, c.arabic, d.UnitName, len(d.UnitName), c.want)
		}
	}
}

// wrongAt checks for an Invalid fault with a problem in a field.
func wrongAt(t testing.TB, err error, path string) {
	t.Helper()
	var told *fault.Error
	if !errors.As(err, &told) || told.Kind() != fault.Invalid {
		t.Fatalf("error is %v, want an Invalid fault about %s", err, path)
	}
	if !slices.ContainsFunc(told.Problems, func(p fault.Problem) bool { return p.Path == path && p.Message != "" }) {
		t.Errorf("problems are %v, want one at %s", told.Problems, path)
	}
}
