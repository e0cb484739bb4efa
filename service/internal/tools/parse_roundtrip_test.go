package tools_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

// issuedKind is a kind of document that the round trip issues.
type issuedKind struct {
	name string
	body func(shop *servicetest.Seller, n int) string
}

// roundTripKinds returns every kind of document that the service issues. The
// parameter n of body makes each document different.
func roundTripKinds(original, advance uuid.UUID) []issuedKind {
	price := func(n int) string { return fmt.Sprintf("%d.%02d", 100+n, n%100) }
	zero := servicetest.Fields{"vat_category_code": "Z", "vat_rate": 0, "vat_exemption_reason_code": "VATEX-SA-34-1", "vat_exemption_reason_text": "The international transport of passengers"}
	exempt := servicetest.Fields{"vat_category_code": "E", "vat_rate": 0, "vat_exemption_reason_code": "VATEX-SA-30", "vat_exemption_reason_text": "Real estate transactions mentioned in Article 30 of the VAT Regulations"}
	export := servicetest.Fields{"vat_category_code": "Z", "vat_rate": 0, "vat_exemption_reason_code": "VATEX-SA-32", "vat_exemption_reason_text": "Export of goods"}
	lines := func(shop *servicetest.Seller, n int, of ...servicetest.Fields) servicetest.Fields {
		all := []any{}
		for i, f := range of {
			line := shop.Line(f)
			line["item_net_price"] = price(n + i)
			all = append(all, line)
		}
		return servicetest.Fields{"form_lines": all}
	}
	note := func(kind int) func(*servicetest.Seller, int) string {
		return func(shop *servicetest.Seller, n int) string {
			return shop.Standard(lines(shop, n, servicetest.Fields{"invoiced_quantity": 1}), servicetest.Fields{"type_code": kind, "original_invoice_reference": []uuid.UUID{original}, "reason_id": shop.Reason.ID})
		}
	}
	return []issuedKind{
		{"standard", func(s *servicetest.Seller, n int) string { return s.Standard(lines(s, n, nil)) }},
		{"simplified", func(s *servicetest.Seller, n int) string { return s.Simplified(lines(s, n, nil)) }},
		{"simplified with a buyer", func(s *servicetest.Seller, n int) string {
			return s.Simplified(lines(s, n, nil), servicetest.Fields{"buyer": s.Buyer.ID})
		}},
		{"many lines", func(s *servicetest.Seller, n int) string {
			return s.Simplified(lines(s, n, nil, nil, servicetest.Fields{"invoiced_quantity": "0.333"}, servicetest.Fields{"invoiced_quantity": 1000}, nil))
		}},
		{"two rates", func(s *servicetest.Seller, n int) string {
			return s.Standard(lines(s, n, nil, servicetest.Fields{"vat_rate": 5}))
		}},
		{"zero-rated", func(s *servicetest.Seller, n int) string { return s.Standard(lines(s, n, zero)) }},
		{"exempt", func(s *servicetest.Seller, n int) string { return s.Standard(lines(s, n, exempt, nil)) }},
		{"export", func(s *servicetest.Seller, n int) string {
			return s.Standard(lines(s, n, export), servicetest.Fields{"transaction_code": "0100100"})
		}},
		{"discount", func(s *servicetest.Seller, n int) string {
			return s.Standard(lines(s, n, nil), servicetest.Fields{"document_level_allowances": []any{servicetest.Fields{"allowance_amount": "10.50", "vat_category_code": "S", "vat_rate": 15}}})
		}},
		{"foreign currency", func(s *servicetest.Seller, n int) string {
			return s.Standard(lines(s, n, nil), servicetest.Fields{"currency": "USD", "exchange_rate": "3.75"})
		}},
		{"on credit, with notes", func(s *servicetest.Seller, n int) string {
			return s.Standard(lines(s, n, nil), servicetest.Fields{"payment_means_type_code": "30", "reason_id": s.Reason.ID, "notes": []any{
				servicetest.Fields{"language_id": "ar", "note": fmt.Sprint("ملاحظة رقم ", n)}, servicetest.Fields{"language_id": "en", "note": "Note <&> " + fmt.Sprint(n)}}})
		}},
		{"advance", func(s *servicetest.Seller, n int) string {
			return s.Standard(lines(s, n, nil), servicetest.Fields{"type_code": 386})
		}},
		{"deducting an advance", func(s *servicetest.Seller, n int) string {
			return s.Standard(lines(s, n, nil), servicetest.Fields{"add_prepaid_amount": true, "prepaid_invoices": []uuid.UUID{advance}})
		}},
		{"credit note", note(381)},
		{"debit note", note(383)},
	}
}

// TestInterface_4_7_ParseInvoiceOfWhatWasIssued issues documents, has the simulator
// accept them, parses them as XML and PDF, validates and exports them.
func TestInterface_4_7_ParseInvoiceOfWhatWasIssued(t *testing.T) {
	o := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1})
	s := o.Open(t, func(c *server.Config) { c.Rates.PublicDaily = 1 << 30 })
	shop := s.OnboardedSeller()
	original := shop.Created(shop.Standard(servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"item_net_price": "900000.00"})}}))
	advance := shop.Created(shop.Standard(servicetest.Fields{"type_code": 386, "form_lines": []any{shop.Line(servicetest.Fields{"item_net_price": "10.00", "invoiced_quantity": 1})}}))
	shop.Final(original)
	shop.Final(advance)
	kinds := roundTripKinds(original, advance)
	invoices := testtool.Count(len(kinds), 200)
	ids := map[uuid.UUID]string{}
	for n := 0; len(ids) < invoices; n++ {
		kind := kinds[n%len(kinds)]
		if kind.name == "deducting an advance" && n >= len(kinds) {
			kind = kinds[0] // nothing is left of the advance
		}
		ids[shop.Created(kind.body(shop, n))] = kind.name
	}
	for id, kind := range ids {
		full := shop.Final(id)
		if status := shop.Status(id); !status.Accepted() {
			t.Fatalf("%s: status %v, response %v, want accepted", kind, status, full["authority_response_data"])
		}
		text, _ := servicetest.Inner(t, full, "authority_response_data")["clearedInvoice"].(string)
		xml, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(xml) == 0 {
			t.Fatalf("%s: decode the document: %v", kind, err)
		}
		archived, printed := s.Parse(string(xml)), s.Parse(shop.PDF(http.MethodGet, id, "").Body)
		if archived.Status != http.StatusOK || archived.Body != printed.Body {
			t.Errorf("%s: XML: status %d, body %.300s; PDF: status %d, body %.300s; want the same with status 200", kind, archived.Status, archived.Body, printed.Status, printed.Body)
			continue
		}
		goesOn(s, kind, archived, fmt.Sprint(full["ref_num"]))
	}
}

// goesOn checks that there is no warning, that no rule fails and that the invoice can
// be exported.
func goesOn(s *servicetest.Sending, kind string, parsed servicetest.Answer, refNum string) {
	s.TB.Helper()
	got := parsed.JSON(s.TB)
	if warned(got) != "" || got["qr_found"] != true {
		s.TB.Errorf("%s: qr_found %v, warned of %s; want true and no warning", kind, got["qr_found"], warned(got))
	}
	servicetest.Equal(s.TB, kind+": number", servicetest.Inner(s.TB, got, "invoice")["ref_num"], any(refNum))
	verdict := judged(s.Instance, parsed)
	if verdict.Status != http.StatusOK || verdict.JSON(s.TB)["failed"] != servicetest.Number(0) {
		s.TB.Errorf("%s: validate: status %d, failed rules %v; want 200 and none", kind, verdict.Status, failedIn(verdict.JSON(s.TB)))
	}
	var read struct{ Invoice json.RawMessage }
	if err := json.Unmarshal([]byte(parsed.Body), &read); err != nil {
		s.TB.Fatal(err)
	}
	for _, format := range []string{"json", "csv", "ubl-xml", "pdf"} {
		body := fmt.Sprintf(`{"invoice":%s,"format":%q}`, read.Invoice, format)
		if a := s.As("", http.MethodPost, "/v1-3/api/public/export/", body); a.Status != http.StatusOK || len(a.Body) == 0 {
			s.TB.Errorf("%s: export as %s: status %d, body %.300s; want 200 with a file", kind, format, a.Status, a.Body)
		}
	}
}
