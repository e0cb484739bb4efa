package service_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
)

// Numbers have no gaps, by kind of document, and begin anew with a year of
// Riyadh.
func TestDecisions_Numbers(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		second := h.issuing(h.org, nil)
		n := 0
		next := func(change fields) string {
			n++
			if a := shop.create(shop.standard(change, fields{"payment_means_type_code": "30"})); a.status != http.StatusBadRequest { // takes no number
				t.Fatalf("%d %s", a.status, a.body)
			}
			body := shop.standard(change, fields{"notes": note(fmt.Sprint(n))})
			promised := shop.shown(body)["ref_num"]
			got := shop.full(shop.created(body))["ref_num"]
			same(t, "what the preview showed", promised, got)
			return fmt.Sprint(got)
		}
		same(t, "first", next(nil), "INV-2026-000001")
		same(t, "of another device", next(fields{"device": second.ID}), "INV-2026-000002")
		same(t, "advance", next(fields{"type_code": 386}), "ADV-2026-000001")
		same(t, "simplified", next(fields{"transaction_code": "0200000"}), "INV-2026-000003")

		midnight := time.Date(2026, 12, 31, 21, 0, 0, 0, time.UTC) // in Riyadh
		h.clock.Advance(midnight.Add(-time.Second).Sub(h.clock.Now()))
		same(t, "the last second of the year", next(nil), "INV-2026-000004")
		h.clock.Advance(time.Second)
		same(t, "the first of the next", next(nil), "INV-2027-000001")
		same(t, "and on", next(fields{"device": second.ID}), "INV-2027-000002")
		same(t, "each kind", next(fields{"type_code": 386}), "ADV-2027-000001")
		same(t, "year", shop.full(shop.created(shop.simplified()))["issue_date"], any("2027-01-01"))

		other := h.tillOf(h.organisation("Other Trading", "business"))
		a := h.as(h.newKey(other.org, org.CreateInvoice), http.MethodPost, shop.address, other.standard())
		same(t, "another organisation", a.wants(t, http.StatusAccepted)["ref_num"], any("INV-2027-000001"))
		h.provesChains(h.org)
	})
}

// A device of a branch issues with the branch's number and address, under the
// organisation's name and VAT number.
func TestDecisions_BranchDevice(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		branch := org.Branch{
			ID: h.service.NewID(), Name: "Jeddah branch", Identification: org.Identification{Type: "MLS", Value: "4030000000"}, CreatedAt: h.clock.Now(),
			Address: org.Address{Street: "Corniche", BuildingNumber: "4321", District: "Al Balad", City: "Jeddah", PostalCode: "54321", CountryCode: "SA"},
		}
		if err := h.service.Store().AddBranch(t.Context(), h.operator(h.org), branch); err != nil {
			t.Fatal(err)
		}
		d := h.issuing(h.org, func(d *device.Device) { d.Branch = &branch.ID })
		id := shop.created(shop.standard(fields{"device": d.ID}))
		got := shop.full(id)
		holds(t, "seller", inner(t, got, "seller"), record{
			"uuid": h.org.ID.String(), "name": "Khatm Trading", "vat_registration_number": "399999999900003",
			"additional_seller_id": record{"type_id": "MLS", "value": "4030000000"}, "street": "Corniche", "building_number": "4321",
			"district": "Al Balad", "city": "Jeddah", "postal_code": "54321", "country_code": "SA",
		})
		same(t, "branch_id", inner(t, got, "device")["branch_id"], any(branch.ID.String()))
		holds(t, "of the head office", inner(t, shop.shown(shop.standard()), "seller"), record{"city": "Riyadh", "additional_seller_id": record{"type_id": "CRN", "value": "1010010000"}})
		h.provesChains(h.org)
	})
}
