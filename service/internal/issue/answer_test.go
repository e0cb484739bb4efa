package issue_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/ledger"
	"khatm/service/internal/servicetest"
)

// answerFields are the fields of every invoice in a response: those of
// docs/contract.md section 2.7, those of the request, and further ones of the
// record.
var answerFields = strings.Fields(`
	uuid ref_num device issue_date issue_time is_sample_invoice add_prepaid_amount authority_submitted_at authority_response_received_at
	authority_response_status authority_response_code due_date payment_status balance refund_due settled_by_credit invoice_pdf_url qr_code share_link
	invoice_total_amount_without_vat invoice_total_vat_amount invoice_payable_amount vat_breakdown lines buyer seller
	type_code transaction_code supply_date supply_end_date currency exchange_rate payment_means_type_code notes document_level_allowances document_level_charges
	prepaid_invoices prepaid_amounts reason_id original_invoice_reference payment_terms invoice_total_line_net_amount
	invoice_total_document_level_allowance_amount invoice_total_amount_with_vat prepaid_amount payable_rounding_amount
	invoice_total_vat_amount_sar counter invoice_hash previous_invoice_hash idempotency_key created_at`)

func keysOf(r servicetest.Record) []string { return slices.Sorted(maps.Keys(r)) }

func TestInterface_2_7_EveryFieldOfTheAnswer(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		preview := shown(shop, shop.Standard())
		created := shop.CreateAs("ticket-1", shop.Standard()).Wants(t, http.StatusAccepted)
		servicetest.Same(t, "create", keysOf(created), []string{"invoice_uuid", "location", "message", "qr_code", "ref_num", "task_id"})
		id := servicetest.IssuedID(t, created)
		servicetest.Same(t, "location", created["location"], any("/api/invoices/"+id+"/"))
		full, listed := shop.Read(t, "/api/invoices/"+id+"/"), shop.Listed("")

		want := slices.Sorted(slices.Values(answerFields))
		servicetest.Same(t, "fields of a preview", keysOf(preview), want)
		servicetest.Same(t, "fields in a list", keysOf(listed), want)
		servicetest.Same(t, "fields of a full invoice", keysOf(full), slices.Sorted(slices.Values(append(slices.Clone(want), "authority_response_data"))))
		holds(t, "preview", preview, servicetest.Record{
			"uuid": nil, "ref_num": created["ref_num"], "device": shop.Device.ID.String(), "qr_code": nil, "share_link": nil, "counter": nil,
			"invoice_hash": nil, "previous_invoice_hash": nil, "created_at": nil, "idempotency_key": nil, "payment_status": "Pending",
		})
		holds(t, "full", full, servicetest.Record{
			"uuid": id, "ref_num": "INV-2026-000001", "authority_response_status": nil, "authority_response_code": nil, "authority_response_data": nil,
			"authority_submitted_at": nil, "authority_response_received_at": nil, "invoice_pdf_url": nil, "payment_status": "Pending", "counter": servicetest.Number(1),
			"idempotency_key": "ticket-1", "created_at": "2026-11-15T12:00:00+03:00",
		})
		holds(t, "device", servicetest.Inner(t, full, "device"), servicetest.Record{
			"device_id": shop.Device.ID.String(), "seller_id": shop.Org.ID.String(), "invoice_type": "1100", "common_name": shop.Device.CommonName,
			"serial_number": shop.Device.SerialNumber, "location": "Riyadh", "unit_name": "Head office", "industry": "Retail", "branch_id": nil,
		})
		servicetest.Same(t, "device in a list", listed["device"], any(shop.Device.ID.String()))
		for name, value := range listed { // the list has the same values as the full invoice
			if name != "device" {
				servicetest.Same(t, "list: "+name, value, full[name])
			}
		}
		for name, value := range preview { // the preview has the same values as the created invoice
			if full[name] != nil && value != nil && name != "device" && name != "lines" {
				servicetest.Same(t, "preview: "+name, value, full[name])
			}
		}
		if link, _ := full["share_link"].(string); !strings.Contains(link, "/s/") {
			t.Errorf("share_link = %v, want one with /s/", full["share_link"])
		}
		h.Clock.Advance(30*24*time.Hour + time.Second)
		servicetest.Same(t, "share_link after 30 days", shop.Read(t, "/api/invoices/"+id+"/")["share_link"], nil)
		servicetest.Same(t, "share_link in the list after 30 days", shop.Listed("")["share_link"], nil)
	})
}

// The QR code is returned when it may be printed: for a standard invoice once
// it is accepted, for a simplified invoice at once, for a rejected invoice
// never.
func TestInterface_2_7_QRCode(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		cases := []struct {
			simplified   bool
			status       ledger.Status
			before, then bool
		}{
			{false, ledger.Cleared, false, true}, {false, ledger.Reported, false, true}, {false, ledger.NotCleared, false, false}, {false, ledger.NoResponse, false, false},
			{true, ledger.Reported, true, true}, {true, ledger.NotReported, true, false}, {true, ledger.NoResponse, true, true},
		}
		for _, c := range cases {
			change := servicetest.Fields{"notes": servicetest.Note(string(c.status))}
			body := shop.Standard(change)
			if c.simplified {
				body = shop.Simplified(change)
			}
			key := "ticket-" + strings.ReplaceAll(string(c.status), " ", "-") + map[bool]string{true: "-2", false: "-1"}[c.simplified]
			created := shop.CreateAs(key, body).Wants(t, http.StatusAccepted)
			id := servicetest.IssuedID(t, created)
			shows := func(when string, want bool) {
				full, listed := shop.Read(t, "/api/invoices/"+id+"/"), shop.Listed("?uuid="+id)
				if got := full["qr_code"] != nil; got != want || listed["qr_code"] != full["qr_code"] {
					t.Errorf("simplified %v, %s: qr_code = %v, in the list %v; want a code: %v", c.simplified, when, full["qr_code"], listed["qr_code"], want)
				}
			}
			if got := created["qr_code"] != nil; got != c.before {
				t.Errorf("simplified %v: qr_code of the new invoice = %v, want a code: %v", c.simplified, created["qr_code"], c.before)
			}
			shows("unanswered", c.before)
			shop.Answered(servicetest.Parsed(t, id), c.status)
			shows(string(c.status), c.then)
			again := shop.CreateAs(key, body).Wants(t, http.StatusAccepted)
			if got := again["qr_code"] != nil; got != (c.simplified && c.then) {
				t.Errorf("simplified %v, %s: qr_code after a repeated request = %v, want a code: %v", c.simplified, c.status, again["qr_code"], c.simplified && c.then)
			}
			servicetest.Same(t, "status", shop.Read(t, "/api/invoices/"+id+"/")["authority_response_status"], any(string(c.status)))
		}
	})
}

// An issued invoice does not change when its parties and items do.
func TestInterface_2_7_NestedRecordsAsIssued(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		item := shop.Stocked("Paper", nil)
		id := shop.Created(shop.Standard(itemLines(item.ID, 2), servicetest.Fields{"payment_means_type_code": "30", "reason_id": shop.Reason.ID}))
		before, listed := shop.Full(id), shop.Listed("")
		holds(t, "buyer", servicetest.Inner(t, before, "buyer"), servicetest.Record{"uuid": shop.Buyer.ID.String(), "buyer_name": "Buyer Trading", "vat_registration_number": "311111111100003", "city": "Riyadh"})
		holds(t, "seller", servicetest.Inner(t, before, "seller"), servicetest.Record{
			"uuid": shop.Org.ID.String(), "name": "Khatm Trading", "name_arabic": "شركة ختم", "vat_registration_number": "399999999900003",
			"additional_seller_id": servicetest.Record{"type_id": "CRN", "value": "1010010000"}, "street": "King Fahd Road", "city": "Riyadh", "country_code": "SA",
		})
		shop.Change("/api/buyers/"+shop.Buyer.ID.String()+"/", `{"buyer_name":"Renamed","vat_registration_number":"322222222200003","city":"Jeddah"}`).Wants(t, http.StatusOK)
		shop.Change("/api/items/"+item.ID.String()+"/", `{"item_name":"Cardboard","item_net_price":"1.00","is_active":false}`).Wants(t, http.StatusOK)
		for _, query := range []string{
			`UPDATE organisation SET name = 'Other name', street = 'Other street' WHERE id = '` + h.Org.ID.String() + `'`,
			`UPDATE device SET unit_name = 'Other unit', location = 'Jeddah' WHERE id = '` + shop.Device.ID.String() + `'`,
			`UPDATE reason SET description = 'Other terms', active = 0 WHERE id = '` + shop.Reason.ID.String() + `'`,
		} {
			h.Exec(t, query)
		}
		servicetest.Same(t, "the invoice afterwards", shop.Full(id), before)
		servicetest.Same(t, "the list afterwards", shop.Listed(""), listed)
		holds(t, "a new one", servicetest.Inner(t, shown(shop, shop.Standard()), "seller"), servicetest.Record{"name": "Other name", "street": "Other street"})
	})
}
