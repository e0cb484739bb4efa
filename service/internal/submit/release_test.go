package submit_test

import (
	"net/http"
	"testing"

	"khatm/service/internal/servicetest"
)

// A rejected document returns what it consumed: stock, the credit of its
// original, the deducted advance.
func TestRejectionGivesBack(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		wrong := []any{shop.Line(servicetest.Fields{"vat_rate": 10, "item_net_price": "100.00", "invoiced_quantity": 1})}
		right := []any{shop.Line(servicetest.Fields{"item_net_price": "100.00", "invoiced_quantity": 1})}

		item := s.AddItem(t, servicetest.With(t, servicetest.GoodItem(), servicetest.Record{"stock": "5", "vat_category_code": "S", "vat_rate": 10, "vat_exemption_reason_code": "", "vat_exemption_reason_text": ""}))
		sold := shop.Created(shop.Simplified(servicetest.Fields{"form_lines": []any{}, "lines": []any{servicetest.Fields{"item_id": servicetest.IDOf(item), "quantity": 3}}}))
		shop.WantsFinal(sold, "NOT_REPORTED")
		servicetest.Equal(t, "stock", s.Read(t, "/api/items/"+servicetest.IDOf(item)+"/")["stock"], any("5"))

		original := shop.Created(shop.Standard(servicetest.Fields{"form_lines": right}))
		shop.WantsFinal(original, "CLEARED")
		note := func(lines []any) servicetest.Fields {
			return servicetest.Fields{"type_code": 381, "original_invoice_reference": []any{original}, "reason_id": shop.Reason.ID, "form_lines": lines}
		}
		shop.WantsFinal(shop.Created(shop.Standard(note(wrong))), "NOT_CLEARED")
		shop.WantsFinal(shop.Created(shop.Standard(note(right))), "CLEARED") // the whole amount can still be credited
		if a := shop.Create(shop.Standard(note(right), servicetest.Fields{"supply_date": "2026-11-14"})); a.Status != http.StatusBadRequest {
			t.Errorf("second credit of the whole amount: got %d %s, want 400", a.Status, a.Body)
		}

		advance := shop.Created(shop.Standard(servicetest.Fields{"type_code": 386, "form_lines": right}))
		shop.WantsFinal(advance, "CLEARED")
		deduct := func(lines ...any) servicetest.Fields {
			return servicetest.Fields{"add_prepaid_amount": true, "prepaid_invoices": []any{advance}, "form_lines": lines}
		}
		shop.WantsFinal(shop.Created(shop.Standard(deduct(append(wrong, right...)...))), "NOT_CLEARED")
		shop.WantsFinal(shop.Created(shop.Standard(deduct(right...))), "CLEARED")
	})
}
