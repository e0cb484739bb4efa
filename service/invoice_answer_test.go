package service_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/ledger"
)

// answerFields are those of every answer: interface 2.7, the request's, and
// what the record has besides.
var answerFields = strings.Fields(`
	uuid ref_num device issue_date issue_time is_sample_invoice add_prepaid_amount authority_submitted_at authority_response_received_at
	authority_response_status authority_response_code payment_status invoice_pdf_url qr_code share_link
	invoice_total_amount_without_vat invoice_total_vat_amount invoice_payable_amount vat_breakdown lines buyer seller
	type_code transaction_code supply_date supply_end_date currency exchange_rate payment_means_type_code notes document_level_allowances
	prepaid_invoices reason_id original_invoice_reference payment_terms invoice_total_line_net_amount
	invoice_total_document_level_allowance_amount invoice_total_amount_with_vat prepaid_amount payable_rounding_amount
	invoice_total_vat_amount_sar counter invoice_hash previous_invoice_hash idempotency_key created_at`)

func keysOf(r record) []string { return slices.Sorted(maps.Keys(r)) }

// listed is the first invoice of a list.
func (t *till) listed(query string) record {
	t.t.Helper()
	return first(t.t, t.read(t.t, "/api/invoices/"+query)["invoices"])
}

func TestInterface_2_7_EveryFieldOfTheAnswer(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		preview := shop.shown(shop.standard())
		created := shop.createAs("ticket-1", shop.standard()).wants(t, http.StatusAccepted)
		same(t, "create", keysOf(created), []string{"invoice_uuid", "location", "message", "qr_code", "ref_num", "task_id"})
		id := issuedID(t, created)
		same(t, "location", created["location"], any("/api/invoices/"+id+"/"))
		full, listed := shop.read(t, "/api/invoices/"+id+"/"), shop.listed("")

		want := slices.Sorted(slices.Values(answerFields))
		same(t, "fields of a preview", keysOf(preview), want)
		same(t, "fields in a list", keysOf(listed), want)
		same(t, "fields of a full invoice", keysOf(full), slices.Sorted(slices.Values(append(slices.Clone(want), "authority_response_data"))))
		holds(t, "preview", preview, record{
			"uuid": nil, "ref_num": created["ref_num"], "device": shop.device.ID.String(), "qr_code": nil, "share_link": nil, "counter": nil,
			"invoice_hash": nil, "previous_invoice_hash": nil, "created_at": nil, "idempotency_key": nil, "payment_status": "Pending",
		})
		holds(t, "full", full, record{
			"uuid": id, "ref_num": "INV-2026-000001", "authority_response_status": nil, "authority_response_code": nil, "authority_response_data": nil,
			"authority_submitted_at": nil, "authority_response_received_at": nil, "invoice_pdf_url": nil, "payment_status": "Pending", "counter": number(1),
			"idempotency_key": "ticket-1", "created_at": "2026-11-15T12:00:00+03:00",
		})
		holds(t, "device", inner(t, full, "device"), record{
			"device_id": shop.device.ID.String(), "seller_id": shop.org.ID.String(), "invoice_type": "1100", "common_name": shop.device.CommonName,
			"serial_number": shop.device.SerialNumber, "location": "Riyadh", "unit_name": "Head office", "industry": "Retail", "branch_id": nil,
		})
		same(t, "device in a list", listed["device"], any(shop.device.ID.String()))
		for name, value := range listed { // a list says what the full read says
			if name != "device" {
				same(t, "list: "+name, value, full[name])
			}
		}
		for name, value := range preview { // a preview says what the create makes
			if full[name] != nil && value != nil && name != "device" && name != "lines" {
				same(t, "preview: "+name, value, full[name])
			}
		}
		if link, _ := full["share_link"].(string); !strings.Contains(link, "/s/") {
			t.Errorf("share_link is %v", full["share_link"])
		}
		h.clock.Advance(30*24*time.Hour + time.Second)
		same(t, "share_link after 30 days", shop.read(t, "/api/invoices/"+id+"/")["share_link"], nil)
		same(t, "share_link in the list after 30 days", shop.listed("")["share_link"], nil)
	})
}

// A QR code is shown when it may be printed: a standard one's once it is
// accepted, a simplified one's at once, a rejected one's never.
func TestInterface_2_7_QRCode(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		cases := []struct {
			simplified   bool
			status       ledger.Status
			before, then bool
		}{
			{false, ledger.Cleared, false, true}, {false, ledger.Reported, false, true}, {false, ledger.NotCleared, false, false}, {false, ledger.NoResponse, false, false},
			{true, ledger.Reported, true, true}, {true, ledger.NotReported, true, false}, {true, ledger.NoResponse, true, true},
		}
		for _, c := range cases {
			change := fields{"notes": note(string(c.status))}
			body := shop.standard(change)
			if c.simplified {
				body = shop.simplified(change)
			}
			key := "ticket-" + strings.ReplaceAll(string(c.status), " ", "-") + map[bool]string{true: "-2", false: "-1"}[c.simplified]
			created := shop.createAs(key, body).wants(t, http.StatusAccepted)
			id := issuedID(t, created)
			shows := func(when string, want bool) {
				full, listed := shop.read(t, "/api/invoices/"+id+"/"), shop.listed("?uuid="+id)
				if got := full["qr_code"] != nil; got != want || listed["qr_code"] != full["qr_code"] {
					t.Errorf("simplified %v, %s: qr_code is %v, in the list %v", c.simplified, when, full["qr_code"], listed["qr_code"])
				}
			}
			if got := created["qr_code"] != nil; got != c.before {
				t.Errorf("simplified %v: create shows qr_code %v", c.simplified, created["qr_code"])
			}
			shows("unanswered", c.before)
			shop.answered(parsed(t, id), c.status)
			shows(string(c.status), c.then)
			again := shop.createAs(key, body).wants(t, http.StatusAccepted)
			if got := again["qr_code"] != nil; got != (c.simplified && c.then) {
				t.Errorf("simplified %v, %s: the create answered again shows qr_code %v", c.simplified, c.status, again["qr_code"])
			}
			same(t, "status", shop.read(t, "/api/invoices/"+id+"/")["authority_response_status"], any(string(c.status)))
		}
	})
}

// What was issued stays as it was, whatever changes afterwards.
func TestInterface_2_7_NestedRecordsAsIssued(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		item := shop.stocked("Paper", nil)
		id := shop.created(shop.standard(items(item.ID, 2), fields{"payment_means_type_code": "30", "reason_id": shop.reason.ID}))
		before, listed := shop.full(id), shop.listed("")
		holds(t, "buyer", inner(t, before, "buyer"), record{"uuid": shop.buyer.ID.String(), "buyer_name": "Buyer Trading", "vat_registration_number": "311111111100003", "city": "Riyadh"})
		holds(t, "seller", inner(t, before, "seller"), record{
			"uuid": shop.org.ID.String(), "name": "Khatm Trading", "name_arabic": "شركة ختم", "vat_registration_number": "399999999900003",
			"additional_seller_id": record{"type_id": "CRN", "value": "1010010000"}, "street": "King Fahd Road", "city": "Riyadh", "country_code": "SA",
		})
		shop.change("/api/buyers/"+shop.buyer.ID.String()+"/", `{"buyer_name":"Renamed","vat_registration_number":"322222222200003","city":"Jeddah"}`).wants(t, http.StatusOK)
		shop.change("/api/items/"+item.ID.String()+"/", `{"item_name":"Cardboard","item_net_price":"1.00","is_active":false}`).wants(t, http.StatusOK)
		for _, query := range []string{
			`UPDATE organisation SET name = 'Other name', street = 'Other street' WHERE id = '` + h.org.ID.String() + `'`,
			`UPDATE device SET unit_name = 'Other unit', location = 'Jeddah' WHERE id = '` + shop.device.ID.String() + `'`,
			`UPDATE reason SET description = 'Other terms', active = 0 WHERE id = '` + shop.reason.ID.String() + `'`,
		} {
			h.exec(t, query)
		}
		same(t, "the invoice afterwards", shop.full(id), before)
		same(t, "the list afterwards", shop.listed(""), listed)
		holds(t, "a new one", inner(t, shop.shown(shop.standard()), "seller"), record{"name": "Other name", "street": "Other street"})
	})
}
