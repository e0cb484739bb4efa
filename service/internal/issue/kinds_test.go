package issue_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/servicetest"
)

// quantity returns a single line with a quantity.
func quantity(t *servicetest.Seller, n any) servicetest.Fields {
	return servicetest.Fields{"form_lines": []any{t.Line(servicetest.Fields{"invoiced_quantity": n})}}
}

// on returns the fields that turn a body into a note on originals.
func on(t *servicetest.Seller, kind int, originals ...uuid.UUID) servicetest.Fields {
	return servicetest.Fields{"type_code": kind, "original_invoice_reference": originals, "reason_id": t.Reason.ID}
}

func TestDecisions_CreditAndDebitNotes(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		one := shop.Accepted(shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note("one")})))
		two := shop.Accepted(shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note("two")})))
		line := servicetest.IDOf(servicetest.First(t, shop.Full(one)["lines"]))
		got := shop.Full(shop.Created(shop.Standard(on(shop, 381, one), servicetest.Fields{"form_lines": []any{
			shop.Line(servicetest.Fields{"invoice_line_id": line, "invoiced_quantity": 1, "item_name": "Another name", "item_net_price": "1.00"}),
		}})))
		holds(t, "credit note", got, servicetest.Record{
			"type_code": jsonNumber("381"), "original_invoice_reference": []any{one.String()}, "reason_id": shop.Reason.ID.String(), "payment_terms": "", "invoice_payable_amount": "1.15",
		})
		servicetest.Same(t, "its line", servicetest.First(t, got["lines"])["invoice_line_id"], any(line))
		servicetest.Same(t, "a line of another invoice", refuses(shop, "line", shop.Standard(on(shop, 381, two), servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"invoice_line_id": line})}})),
			[]string{"invoice_line_id " + line + " is not a line of the original invoices."})

		// The remainder of an original is what no credit note has credited.
		shop.Created(shop.Standard(on(shop, 381, one), quantity(shop, 1)))
		servicetest.Same(t, "one", refuses(shop, "one", shop.Standard(on(shop, 381, one), quantity(shop, 1), servicetest.Fields{"notes": servicetest.Note("again")})),
			[]string{"The credit of 4830.00 is more than the 4828.85 that is left of the original invoices."})
		shop.Created(shop.Standard(on(shop, 381, one, two), quantity(shop, "2.5"))) // the remainder of one, and a part of two
		servicetest.Same(t, "two", refuses(shop, "two", shop.Standard(on(shop, 381, two), quantity(shop, 1))),
			[]string{"The credit of 4830.00 is more than the 2413.85 that is left of the original invoices."})
		// A debit note has no limit, and can be credited itself.
		debit := shop.Accepted(shop.Created(shop.Standard(on(shop, 383, one, two), quantity(shop, 50))))
		holds(t, "debit note", shop.Full(debit), servicetest.Record{"ref_num": "DBN-2026-000001", "original_invoice_reference": []any{one.String(), two.String()}})
		shop.Created(shop.Standard(on(shop, 381, debit), quantity(shop, 50)))
		refuses(shop, "a credited debit note", shop.Standard(on(shop, 381, debit), quantity(shop, "0.01")))
		shop.CheckChains(shop.Org)
	})
}

// A note must have the buyer, currency and kind of its original.
func TestDecisions_NotesMatchTheirOriginals(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		standard := shop.Accepted(shop.Created(shop.Standard()))
		simplified := shop.Accepted(shop.Created(shop.Simplified()))
		for what, c := range map[string]struct{ body, field string }{
			"simplified on standard": {shop.Simplified(on(shop, 381, standard), servicetest.Fields{"buyer": shop.Buyer.ID}), "transaction_code"},
			"standard on simplified": {shop.Standard(on(shop, 383, simplified)), "transaction_code"},
			"another currency":       {shop.Standard(on(shop, 381, standard), servicetest.Fields{"currency": "USD", "exchange_rate": "3.75"}), "currency"},
			"another buyer":          {shop.Simplified(on(shop, 381, simplified), servicetest.Fields{"buyer": shop.Buyer.ID}), "buyer"},
		} {
			told := refuses(shop, what, c.body)
			if len(told) != 1 || !strings.HasSuffix(told[0], " and the note differ in "+c.field+".") {
				t.Errorf("%s: refused with %q, want a difference in %s", what, told, c.field)
			}
		}
		got := shop.Full(shop.Created(shop.Simplified(on(shop, 381, simplified))))
		if got["qr_code"] == nil {
			t.Error("a simplified credit note has no qr_code")
		}
		// If a note is paid by credit transfer, the reason is also its payment terms.
		holds(t, "terms", shown(shop, shop.Standard(on(shop, 381, standard), servicetest.Fields{"payment_means_type_code": "30"})), servicetest.Record{"payment_terms": "Payment within 30 days"})
	})
}

// An original may be listed only once.
func TestDecisions_OriginalNamedTwice(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		original := shop.Accepted(shop.Created(shop.Standard()))
		for _, kind := range []int{381, 383} {
			for _, n := range []int{1, 4} {
				servicetest.Same(t, fmt.Sprint(kind, n), refuses(shop, fmt.Sprint(kind), shop.Standard(on(shop, kind, original, original), quantity(shop, n))),
					[]string{"original_invoice_reference contains INV-2026-000001 twice."})
			}
		}
	})
}

func deducting(advances ...any) servicetest.Fields {
	return servicetest.Fields{"add_prepaid_amount": true, "prepaid_invoices": advances}
}

// An advance is deducted up to what is left of it and of the invoice.
func TestDecisions_Advances(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		advance := func(n any, text string) uuid.UUID {
			return shop.Accepted(shop.Created(shop.Standard(quantity(shop, n), servicetest.Fields{"type_code": 386, "notes": servicetest.Note(text)})))
		}
		one, two := advance(1, "one"), advance("0.5", "two")
		shop.Created(shop.Standard(on(shop, 381, two), quantity(shop, "0.1"))) // 2100 less 420, plus VAT
		got := shop.Full(shop.Created(shop.Standard(deducting(one, two))))
		holds(t, "invoice", got, servicetest.Record{
			"add_prepaid_amount": true, "prepaid_invoices": []any{one.String(), two.String()}, "invoice_total_amount_with_vat": "9660.00",
			"prepaid_amount": "6762.00", "invoice_payable_amount": "2898.00", "invoice_total_vat_amount": "1260.00",
		})
		for _, again := range []uuid.UUID{one, two} {
			told := refuses(shop, "again", shop.Standard(deducting(again), servicetest.Fields{"notes": servicetest.Note("again")}))
			if len(told) != 1 || !strings.HasPrefix(told[0], "Nothing is left of the advance payment invoice ADV-2026-00000") {
				t.Errorf("refused with %q, want that the advance is spent", told)
			}
		}
		large := advance(3, "large")
		part := []any{servicetest.Record{"prepaid_invoice": large.String(), "vat_category_code": "S", "vat_rate": "15", "amount": "8400.00", "vat_amount": "1260.00"}}
		holds(t, "more than the invoice", shown(shop, shop.Standard(deducting(large))), servicetest.Record{"prepaid_amount": "9660.00", "invoice_payable_amount": "0.00", "prepaid_amounts": part})
		holds(t, "all of it", shown(shop, shop.Standard(deducting(large), quantity(shop, 3))), servicetest.Record{"prepaid_amount": "14490.00", "invoice_payable_amount": "0.00"})
		shop.Created(shop.Standard(on(shop, 381, large), quantity(shop, 3)))
		if told := refuses(shop, "nothing left", shop.Standard(deducting(large))); len(told) != 1 || told[0] != "Nothing is left of the advance payment invoice ADV-2026-000003." {
			t.Errorf("refused with %q, want that the advance is spent", told)
		}
		servicetest.Same(t, "contradiction", refuses(shop, "contradiction", shop.Standard(servicetest.Fields{"add_prepaid_amount": false, "prepaid_invoices": []any{large}})),
			[]string{"add_prepaid_amount and prepaid_invoices contradict each other."})
		shop.CheckChains(shop.Org)
	})
}

// A credit note on an advance cannot exceed its remainder in any VAT category,
// because the remainder is tracked by category.
func TestDecisions_AdvanceIsCreditedByCategory(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		line := lineIn(shop)
		rated := func(price string) servicetest.Fields { return line(price, "S", "", "", 15) }
		medicine := func(price string) servicetest.Fields { return line(price, "Z", "VATEX-SA-35", "Medicine", 0) }
		with := func(lines ...any) servicetest.Fields { return servicetest.Fields{"form_lines": lines} }
		advance := shop.Accepted(shop.Created(shop.Standard(with(rated("100.00"), medicine("100.00")), servicetest.Fields{"type_code": 386})))
		for what, lines := range map[string]servicetest.Fields{
			"more of a category":    with(medicine("100.01")),
			"another rate":          with(line("10.00", "S", "", "", 5)),
			"another category":      with(line("10.00", "O", "VATEX-SA-OOS", "Outside", 0)),
			"another reason's text": with(line("10.00", "Z", "VATEX-SA-35", "Pills", 0)),
		} {
			told := refuses(shop, what, shop.Standard(on(shop, 381, advance), lines))
			if len(told) != 1 || !strings.Contains(told[0], "that is left of the advance payment invoice ADV-2026-000001") {
				t.Errorf("%s: refused with %q, want the remainder of ADV-2026-000001", what, told)
			}
		}
		shop.Created(shop.Standard(on(shop, 381, advance), with(medicine("60.00"))))
		if told := refuses(shop, "the rest", shop.Standard(on(shop, 381, advance), with(medicine("40.01")))); len(told) != 1 || !strings.Contains(told[0], "ADV-2026-000001") {
			t.Errorf("credit above the remainder: refused with %q, want the remainder of ADV-2026-000001", told)
		}
		shop.Created(shop.Standard(on(shop, 381, advance), with(medicine("40.00"), rated("50.00"))))
		holds(t, "deducted", shop.Create(shop.Standard(deducting(advance))).Wants(t, http.StatusAccepted), servicetest.Record{"ref_num": "INV-2026-000001"})
		holds(t, "deducted", shop.Listed(""), servicetest.Record{"prepaid_amount": "57.50"})

		// Concurrent credit notes cannot exceed the remainder together.
		other := shop.Accepted(shop.Created(shop.Standard(with(rated("100.00"), medicine("100.00")), servicetest.Fields{"type_code": 386, "notes": servicetest.Note("other")})))
		answers := atOnce(10, func(n int) servicetest.Answer {
			return shop.Create(shop.Standard(on(shop, 381, other), with(medicine("50.00")), servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))}))
		})
		servicetest.Same(t, "at once", statuses(answers), map[int]int{http.StatusAccepted: 2, http.StatusBadRequest: 8})
		shop.CheckChains(shop.Org)
	})
}
