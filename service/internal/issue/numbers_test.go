package issue_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// Numbers of each kind have no gaps and restart every year in Riyadh time.
func TestDecisions_Numbers(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		second := h.Issuing(h.Org, nil)
		n := 0
		next := func(change servicetest.Fields) string {
			n++
			if a := shop.Create(shop.Standard(change, servicetest.Fields{"payment_means_type_code": "30"})); a.Status != http.StatusBadRequest { // uses no number
				t.Fatalf("refused create: got %d %s, want 400", a.Status, a.Body)
			}
			body := shop.Standard(change, servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))})
			promised := shown(shop, body)["ref_num"]
			got := shop.Full(shop.Created(body))["ref_num"]
			servicetest.Same(t, "number of the preview", promised, got)
			return fmt.Sprint(got)
		}
		servicetest.Same(t, "first", next(nil), "INV-2026-000001")
		servicetest.Same(t, "of another device", next(servicetest.Fields{"device": second.ID}), "INV-2026-000002")
		servicetest.Same(t, "advance", next(servicetest.Fields{"type_code": 386}), "ADV-2026-000001")
		servicetest.Same(t, "simplified", next(servicetest.Fields{"transaction_code": "0200000"}), "INV-2026-000003")

		midnight := time.Date(2026, 12, 31, 21, 0, 0, 0, time.UTC) // in Riyadh
		h.Clock.Advance(midnight.Add(-time.Second).Sub(h.Clock.Now()))
		servicetest.Same(t, "the last second of the year", next(nil), "INV-2026-000004")
		h.Clock.Advance(time.Second)
		servicetest.Same(t, "the first of the next year", next(nil), "INV-2027-000001")
		servicetest.Same(t, "the second of the next year", next(servicetest.Fields{"device": second.ID}), "INV-2027-000002")
		servicetest.Same(t, "the first advance of the next year", next(servicetest.Fields{"type_code": 386}), "ADV-2027-000001")
		servicetest.Same(t, "year", shop.Full(shop.Created(shop.Simplified()))["issue_date"], any("2027-01-01"))

		other := h.SellerOf(h.Organisation("Other Trading", "business"))
		a := h.As(h.NewKey(other.Org, org.CreateInvoice), http.MethodPost, shop.Address, other.Standard())
		servicetest.Same(t, "another organisation", a.Wants(t, http.StatusAccepted)["ref_num"], any("INV-2027-000001"))
		h.CheckChains(h.Org)
	})
}

// A device of a branch issues with the branch's registration number and
// address, and with the name and VAT number of the organisation.
func TestDecisions_BranchDevice(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		branch := org.Branch{
			ID: h.Service.NewID(), Name: "Jeddah branch", Identification: org.Identification{Type: "MLS", Value: "4030000000"}, CreatedAt: h.Clock.Now(),
			Address: org.Address{Street: "Corniche", BuildingNumber: "4321", District: "Al Balad", City: "Jeddah", PostalCode: "54321", CountryCode: "SA"},
		}
		if err := h.Service.Store().AddBranch(t.Context(), h.Operator(h.Org), branch); err != nil {
			t.Fatal(err)
		}
		d := h.Issuing(h.Org, func(d *device.Device) { d.Branch = &branch.ID })
		id := shop.Created(shop.Standard(servicetest.Fields{"device": d.ID}))
		got := shop.Full(id)
		holds(t, "seller", servicetest.Inner(t, got, "seller"), servicetest.Record{
			"uuid": h.Org.ID.String(), "name": "Khatm Trading", "vat_registration_number": "399999999900003",
			"additional_seller_id": servicetest.Record{"type_id": "MLS", "value": "4030000000"}, "street": "Corniche", "building_number": "4321",
			"district": "Al Balad", "city": "Jeddah", "postal_code": "54321", "country_code": "SA",
		})
		servicetest.Same(t, "branch_id", servicetest.Inner(t, got, "device")["branch_id"], any(branch.ID.String()))
		holds(t, "seller at the head office", servicetest.Inner(t, shown(shop, shop.Standard()), "seller"), servicetest.Record{"city": "Riyadh", "additional_seller_id": servicetest.Record{"type_id": "CRN", "value": "1010010000"}})
		h.CheckChains(h.Org)
	})
}
