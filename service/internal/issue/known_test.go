package issue_test

import (
	"net/http"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// A document shows the organisation and the device as they are, although both are
// kept from the document before. The change is written by another process, which
// this one does not notice.
func TestChangedSellerIsShown(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.create(standard(priced("1")))
	s.book.organisation.Name = "Renamed Trading"
	second := s.create(standard(priced("2")))
	chain := s.book.devices[firstDevice]
	chain.Location = "JJJD1111"
	s.book.devices[firstDevice] = chain
	third := s.create(standard(priced("3")))
	same(t, "seller before the change", first.Record.Seller.Name != "Renamed Trading", true)
	same(t, "seller", second.Record.Seller.Name, "Renamed Trading")
	same(t, "location before the change", second.Record.Device.Location != "JJJD1111", true)
	same(t, "location", third.Record.Device.Location, "JJJD1111")
	same(t, "counter", third.Counter, 3)
}

// A device that was retired or released by another process is refused or accepted
// at once.
func TestChangedDeviceIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.create(standard(priced("1")))
	retire := func(retired bool) {
		chain := s.book.devices[firstDevice]
		chain.Retired = retired
		s.book.devices[firstDevice] = chain
	}
	retire(true)
	if err := s.refused(standard(priced("2"))); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a retired device: error %v, want a refusal", err)
	}
	retire(false)
	s.create(standard(priced("2")))
}

// A change between the preparation of a document and its append is seen.
func TestChangeBeforeTheAppendIsShown(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.create(standard(priced("1")))
	s.book.taking = func() { s.book.organisation.Name = "Renamed Trading" }
	same(t, "seller", s.create(standard(priced("2"))).Record.Seller.Name, "Renamed Trading")
}

func TestChangedOrganisationIsShown(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		sell := func(note string) {
			shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(note)})).Wants(t, http.StatusAccepted)
		}
		sell("first")
		if _, err := h.Service.Store().ChangeOrganisation(t.Context(), h.Operator(h.Org), func(o *org.Organisation) error {
			o.Name = "Renamed Trading"
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		sell("second")
		names := map[string]int{}
		for _, i := range h.AllInvoices(h.Org) {
			names[i.Record.Seller.Name]++
		}
		if names["Renamed Trading"] != 1 || len(names) != 2 {
			t.Errorf("invoices by the name of the seller: %v, want one of the new name and one of the old", names)
		}
	})
}
