package service_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
)

// What a refused document took is given back with the verdict: stock, the
// credit on its original, the advance it deducted.
func TestRejectionGivesBack(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		wrong := []any{shop.line(fields{"vat_rate": 10, "item_net_price": "100.00", "invoiced_quantity": 1})}
		right := []any{shop.line(fields{"item_net_price": "100.00", "invoiced_quantity": 1})}

		item := s.addItem(t, with(t, goodItem(), record{"stock": "5", "vat_category_code": "S", "vat_rate": 10, "vat_exemption_reason_code": "", "vat_exemption_reason_text": ""}))
		sold := shop.created(shop.simplified(fields{"form_lines": []any{}, "lines": []any{fields{"item_id": idOf(item), "quantity": 3}}}))
		shop.wantsFinal(sold, "NOT_REPORTED")
		equal(t, "stock", s.read(t, "/api/items/"+idOf(item)+"/")["stock"], any("5"))

		original := shop.created(shop.standard(fields{"form_lines": right}))
		shop.wantsFinal(original, "CLEARED")
		note := func(lines []any) fields {
			return fields{"type_code": 381, "original_invoice_reference": []any{original}, "reason_id": shop.reason.ID, "form_lines": lines}
		}
		shop.wantsFinal(shop.created(shop.standard(note(wrong))), "NOT_CLEARED")
		shop.wantsFinal(shop.created(shop.standard(note(right))), "CLEARED") // the whole can be credited still
		if a := shop.create(shop.standard(note(right), fields{"supply_date": "2026-11-14"})); a.status != http.StatusBadRequest {
			t.Errorf("a second credit of the whole: %d %s", a.status, a.body)
		}

		advance := shop.created(shop.standard(fields{"type_code": 386, "form_lines": right}))
		shop.wantsFinal(advance, "CLEARED")
		deduct := func(lines ...any) fields {
			return fields{"add_prepaid_amount": true, "prepaid_invoices": []any{advance}, "form_lines": lines}
		}
		shop.wantsFinal(shop.created(shop.standard(deduct(append(wrong, right...)...))), "NOT_CLEARED")
		shop.wantsFinal(shop.created(shop.standard(deduct(right...))), "CLEARED")
	})
}

func (t *till) wantsFinal(id uuid.UUID, status string) {
	t.t.Helper()
	if got := t.final(id); got["authority_response_status"] != status {
		t.t.Errorf("%s is %v, want %s: %s", id, got["authority_response_status"], status, asJSON(t.t, got["authority_response_data"]))
	}
}
