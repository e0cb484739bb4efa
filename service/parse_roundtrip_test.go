package service_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/server"
	"khatm/simulator"
)

// issuedKind is a kind of document that the round trip issues many of.
type issuedKind struct {
	name string
	body func(shop *till, n int) string
}

// roundTripKinds are documents of every kind that the service issues. Each is
// made a little different by its number.
func roundTripKinds(original, advance uuid.UUID) []issuedKind {
	price := func(n int) string { return fmt.Sprintf("%d.%02d", 100+n, n%100) }
	zero := fields{"vat_category_code": "Z", "vat_rate": 0, "vat_exemption_reason_code": "VATEX-SA-34-1", "vat_exemption_reason_text": "The international transport of passengers"}
	exempt := fields{"vat_category_code": "E", "vat_rate": 0, "vat_exemption_reason_code": "VATEX-SA-30", "vat_exemption_reason_text": "Real estate transactions mentioned in Article 30 of the VAT Regulations"}
	export := fields{"vat_category_code": "Z", "vat_rate": 0, "vat_exemption_reason_code": "VATEX-SA-32", "vat_exemption_reason_text": "Export of goods"}
	lines := func(shop *till, n int, of ...fields) fields {
		all := []any{}
		for i, f := range of {
			line := shop.line(f)
			line["item_net_price"] = price(n + i)
			all = append(all, line)
		}
		return fields{"form_lines": all}
	}
	note := func(kind int) func(*till, int) string {
		return func(shop *till, n int) string {
			return shop.standard(lines(shop, n, fields{"invoiced_quantity": 1}), fields{"type_code": kind, "original_invoice_reference": []uuid.UUID{original}, "reason_id": shop.reason.ID})
		}
	}
	return []issuedKind{
		{"standard", func(s *till, n int) string { return s.standard(lines(s, n, nil)) }},
		{"simplified", func(s *till, n int) string { return s.simplified(lines(s, n, nil)) }},
		{"simplified with a buyer", func(s *till, n int) string { return s.simplified(lines(s, n, nil), fields{"buyer": s.buyer.ID}) }},
		{"many lines", func(s *till, n int) string {
			return s.simplified(lines(s, n, nil, nil, fields{"invoiced_quantity": "0.333"}, fields{"invoiced_quantity": 1000}, nil))
		}},
		{"two rates", func(s *till, n int) string { return s.standard(lines(s, n, nil, fields{"vat_rate": 5})) }},
		{"zero-rated", func(s *till, n int) string { return s.standard(lines(s, n, zero)) }},
		{"exempt", func(s *till, n int) string { return s.standard(lines(s, n, exempt, nil)) }},
		{"export", func(s *till, n int) string {
			return s.standard(lines(s, n, export), fields{"transaction_code": "0100100"})
		}},
		{"discount", func(s *till, n int) string {
			return s.standard(lines(s, n, nil), fields{"document_level_allowances": []any{fields{"allowance_amount": "10.50", "vat_category_code": "S", "vat_rate": 15}}})
		}},
		{"foreign currency", func(s *till, n int) string {
			return s.standard(lines(s, n, nil), fields{"currency": "USD", "exchange_rate": "3.75"})
		}},
		{"on credit, with notes", func(s *till, n int) string {
			return s.standard(lines(s, n, nil), fields{"payment_means_type_code": "30", "reason_id": s.reason.ID, "notes": []any{
				fields{"language_id": "ar", "note": fmt.Sprint("ملاحظة رقم ", n)}, fields{"language_id": "en", "note": "Note <&> " + fmt.Sprint(n)}}})
		}},
		{"advance", func(s *till, n int) string { return s.standard(lines(s, n, nil), fields{"type_code": 386}) }},
		{"deducting an advance", func(s *till, n int) string {
			return s.standard(lines(s, n, nil), fields{"add_prepaid_amount": true, "prepaid_invoices": []uuid.UUID{advance}})
		}},
		{"credit note", note(381)},
		{"debit note", note(383)},
	}
}

// TestInterface_4_7_ParseInvoiceOfWhatWasIssued goes round: issued by the
// service, accepted by the simulator, parsed as archived and as PDF,
// validated, and exported in every format.
func TestInterface_4_7_ParseInvoiceOfWhatWasIssued(t *testing.T) {
	o := openOffice(t, simulator.Config{Mood: "polite", Seed: 1})
	s := o.opens(t, func(c *server.Config) { c.Rates.PublicDaily = 1 << 30 })
	shop := s.shop()
	invoices := 40
	if torturing() {
		invoices = 200
	}
	original := shop.created(shop.standard(fields{"form_lines": []any{shop.line(fields{"item_net_price": "900000.00"})}}))
	advance := shop.created(shop.standard(fields{"type_code": 386, "form_lines": []any{shop.line(fields{"item_net_price": "10.00", "invoiced_quantity": 1})}}))
	shop.final(original)
	shop.final(advance)
	kinds := roundTripKinds(original, advance)
	ids := map[uuid.UUID]string{}
	for n := 0; len(ids) < invoices; n++ {
		kind := kinds[n%len(kinds)]
		if kind.name == "deducting an advance" && n >= len(kinds) {
			kind = kinds[0] // an advance is deducted once
		}
		ids[shop.created(kind.body(shop, n))] = kind.name
	}
	for id, kind := range ids {
		full := shop.final(id)
		if status := shop.status(id); !status.Accepted() {
			t.Fatalf("%s: %v, %v", kind, status, full["authority_response_data"])
		}
		text, _ := inner(t, full, "authority_response_data")["clearedInvoice"].(string)
		xml, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(xml) == 0 {
			t.Fatalf("%s: no document: %v", kind, err)
		}
		archived, printed := s.parse(string(xml)), s.parse(shop.pdf(http.MethodGet, id, "").body)
		if archived.status != http.StatusOK || archived.body != printed.body {
			t.Errorf("%s: XML gives %d %.300s, PDF %d %.300s", kind, archived.status, archived.body, printed.status, printed.body)
			continue
		}
		s.goesOn(kind, archived, fmt.Sprint(full["ref_num"]))
	}
}

// goesOn demands that nothing is to be warned of, no rule fails, and the invoice
// is exported.
func (s *sending) goesOn(kind string, parsed answer, refNum string) {
	s.t.Helper()
	got := parsed.json(s.t)
	if warned(got) != "" || got["qr_found"] != true {
		s.t.Errorf("%s: qr_found %v, warned of %s", kind, got["qr_found"], warned(got))
	}
	equal(s.t, kind+": number", inner(s.t, got, "invoice")["ref_num"], any(refNum))
	verdict := s.judged(parsed)
	if verdict.status != http.StatusOK || verdict.json(s.t)["failed"] != number(0) {
		s.t.Errorf("%s: validate answers %d, failed: %v", kind, verdict.status, failedIn(verdict.json(s.t)))
	}
	var read struct{ Invoice json.RawMessage }
	if err := json.Unmarshal([]byte(parsed.body), &read); err != nil {
		s.t.Fatal(err)
	}
	for _, format := range []string{"json", "csv", "ubl-xml", "pdf"} {
		body := fmt.Sprintf(`{"invoice":%s,"format":%q}`, read.Invoice, format)
		if a := s.as("", http.MethodPost, "/v1-3/api/public/export/", body); a.status != http.StatusOK || len(a.body) == 0 {
			s.t.Errorf("%s: export as %s answers %d %.300s", kind, format, a.status, a.body)
		}
	}
}
