package service_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// quantity is a body's one line with another quantity.
func (t *till) quantity(n any) fields {
	return fields{"form_lines": []any{t.line(fields{"invoiced_quantity": n})}}
}

// on makes a body a note on originals.
func (t *till) on(kind int, originals ...uuid.UUID) fields {
	return fields{"type_code": kind, "original_invoice_reference": originals, "reason_id": t.reason.ID}
}

func TestDecisions_CreditAndDebitNotes(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		one := shop.accepted(shop.created(shop.standard(fields{"notes": note("one")})))
		two := shop.accepted(shop.created(shop.standard(fields{"notes": note("two")})))
		line := idOf(first(t, shop.full(one)["lines"]))
		got := shop.full(shop.created(shop.standard(shop.on(381, one), fields{"form_lines": []any{
			shop.line(fields{"invoice_line_id": line, "invoiced_quantity": 1, "item_name": "Another name", "item_net_price": "1.00"}),
		}})))
		holds(t, "credit note", got, record{
			"type_code": jsonNumber("381"), "original_invoice_reference": []any{one.String()}, "reason_id": shop.reason.ID.String(), "payment_terms": "", "invoice_payable_amount": "1.15",
		})
		same(t, "its line", first(t, got["lines"])["invoice_line_id"], any(line))
		same(t, "a line of another invoice", shop.refuses("line", shop.standard(shop.on(381, two), fields{"form_lines": []any{shop.line(fields{"invoice_line_id": line})}})),
			[]string{"invoice_line_id " + line + " is not a line of the original invoices."})

		// What is left of an original is what no credit note has taken.
		shop.created(shop.standard(shop.on(381, one), shop.quantity(1)))
		same(t, "one", shop.refuses("one", shop.standard(shop.on(381, one), shop.quantity(1), fields{"notes": note("again")})),
			[]string{"The credit of 4830.00 is more than the 4828.85 that is left of the original invoices."})
		shop.created(shop.standard(shop.on(381, one, two), shop.quantity("2.5"))) // all that is left of one, and some of two
		same(t, "two", shop.refuses("two", shop.standard(shop.on(381, two), shop.quantity(1))),
			[]string{"The credit of 4830.00 is more than the 2413.85 that is left of the original invoices."})
		// A debit note is bounded by nothing, and can be credited itself.
		debit := shop.accepted(shop.created(shop.standard(shop.on(383, one, two), shop.quantity(50))))
		holds(t, "debit note", shop.full(debit), record{"ref_num": "DBN-2026-000001", "original_invoice_reference": []any{one.String(), two.String()}})
		shop.created(shop.standard(shop.on(381, debit), shop.quantity(50)))
		shop.refuses("a credited debit note", shop.standard(shop.on(381, debit), shop.quantity("0.01")))
		shop.provesChains(shop.org)
	})
}

// A note is of the sort of its original.
func TestDecisions_NotesAreOfTheirOriginalsSort(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		standard := shop.accepted(shop.created(shop.standard()))
		simplified := shop.accepted(shop.created(shop.simplified()))
		for what, c := range map[string]struct{ body, field string }{
			"simplified on standard": {shop.simplified(shop.on(381, standard), fields{"buyer": shop.buyer.ID}), "transaction_code"},
			"standard on simplified": {shop.standard(shop.on(383, simplified)), "transaction_code"},
			"another currency":       {shop.standard(shop.on(381, standard), fields{"currency": "USD", "exchange_rate": "3.75"}), "currency"},
			"another buyer":          {shop.simplified(shop.on(381, simplified), fields{"buyer": shop.buyer.ID}), "buyer"},
		} {
			told := shop.refuses(what, c.body)
			if len(told) != 1 || !strings.HasSuffix(told[0], " has another "+c.field+" than the note.") {
				t.Errorf("%s: told %q", what, told)
			}
		}
		got := shop.full(shop.created(shop.simplified(shop.on(381, simplified))))
		if got["qr_code"] == nil {
			t.Error("a simplified credit note has no qr_code")
		}
		// Paid by credit transfer, the reason is the terms too.
		holds(t, "terms", shop.shown(shop.standard(shop.on(381, standard), fields{"payment_means_type_code": "30"})), record{"payment_terms": "Payment within 30 days"})
	})
}

// An original that is named twice is credited once.
func TestDecisions_OriginalNamedTwice(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		original := shop.accepted(shop.created(shop.standard()))
		for _, kind := range []int{381, 383} {
			for _, n := range []int{1, 4} {
				same(t, fmt.Sprint(kind, n), shop.refuses(fmt.Sprint(kind), shop.standard(shop.on(kind, original, original), shop.quantity(n))),
					[]string{"original_invoice_reference names INV-2026-000001 twice."})
			}
		}
	})
}

func deducting(advances ...any) fields {
	return fields{"add_prepaid_amount": true, "prepaid_invoices": advances}
}

// An advance is deducted whole and once, less its credit notes.
func TestDecisions_Advances(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		advance := func(n any, text string) uuid.UUID {
			return shop.accepted(shop.created(shop.standard(shop.quantity(n), fields{"type_code": 386, "notes": note(text)})))
		}
		one, two := advance(1, "one"), advance("0.5", "two")
		shop.created(shop.standard(shop.on(381, two), shop.quantity("0.1"))) // 2100 less 420, and VAT
		got := shop.full(shop.created(shop.standard(deducting(one, two))))
		holds(t, "invoice", got, record{
			"add_prepaid_amount": true, "prepaid_invoices": []any{one.String(), two.String()}, "invoice_total_amount_with_vat": "9660.00",
			"prepaid_amount": "6762.00", "invoice_payable_amount": "2898.00", "invoice_total_vat_amount": "1260.00",
		})
		for _, again := range []uuid.UUID{one, two} {
			told := shop.refuses("again", shop.standard(deducting(again), fields{"notes": note("again")}))
			if len(told) != 1 || !strings.HasSuffix(told[0], "has been deducted already, or nothing is left of it.") {
				t.Errorf("told %q", told)
			}
		}
		large := advance(3, "large")
		same(t, "more than the invoice", shop.refuses("more", shop.standard(deducting(large))),
			[]string{"invoice_schema_data.prepaid_invoices: the advances are 14490.00, more than the invoice of 9660.00"})
		holds(t, "all of it", shop.shown(shop.standard(deducting(large), shop.quantity(3))), record{"prepaid_amount": "14490.00", "invoice_payable_amount": "0.00"})
		shop.created(shop.standard(shop.on(381, large), shop.quantity(3)))
		if told := shop.refuses("nothing left", shop.standard(deducting(large))); len(told) != 1 || !strings.HasPrefix(told[0], "The advance payment invoice ADV-2026-000003 has been deducted already") {
			t.Errorf("told %q", told)
		}
		same(t, "not agreed", shop.refuses("not agreed", shop.standard(fields{"add_prepaid_amount": false, "prepaid_invoices": []any{large}})),
			[]string{"add_prepaid_amount and prepaid_invoices do not agree."})
		shop.provesChains(shop.org)
	})
}

// A credit note takes of an advance what the advance has, category by category:
// what is left would not be known otherwise.
func TestDecisions_AdvanceIsCreditedByCategory(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		line := func(price, category, code, text string, rate int) fields {
			return shop.line(fields{
				"item_net_price": price, "invoiced_quantity": 1, "vat_category_code": category, "vat_rate": rate,
				"vat_exemption_reason_code": code, "vat_exemption_reason_text": text,
			})
		}
		rated := func(price string) fields { return line(price, "S", "", "", 15) }
		medicine := func(price string) fields { return line(price, "Z", "VATEX-SA-35", "Medicine", 0) }
		with := func(lines ...any) fields { return fields{"form_lines": lines} }
		advance := shop.accepted(shop.created(shop.standard(with(rated("100.00"), medicine("100.00")), fields{"type_code": 386})))
		for what, lines := range map[string]fields{
			"more of a category":    with(medicine("100.01")),
			"another rate":          with(line("10.00", "S", "", "", 5)),
			"another category":      with(line("10.00", "O", "VATEX-SA-OOS", "Outside", 0)),
			"another reason's text": with(line("10.00", "Z", "VATEX-SA-35", "Pills", 0)),
		} {
			told := shop.refuses(what, shop.standard(shop.on(381, advance), lines))
			if len(told) != 1 || !strings.Contains(told[0], "more than is left of the advance payment invoice ADV-2026-000001") {
				t.Errorf("%s: told %q", what, told)
			}
		}
		shop.created(shop.standard(shop.on(381, advance), with(medicine("60.00"))))
		if told := shop.refuses("the rest", shop.standard(shop.on(381, advance), with(medicine("40.01")))); len(told) != 1 || !strings.Contains(told[0], "ADV-2026-000001") {
			t.Errorf("told %q", told)
		}
		shop.created(shop.standard(shop.on(381, advance), with(medicine("40.00"), rated("50.00"))))
		holds(t, "deducted", shop.create(shop.standard(deducting(advance))).wants(t, http.StatusAccepted), record{"ref_num": "INV-2026-000001"})
		holds(t, "deducted", shop.listed(""), record{"prepaid_amount": "57.50"})

		// Of those that come together only what is there is given.
		other := shop.accepted(shop.created(shop.standard(with(rated("100.00"), medicine("100.00")), fields{"type_code": 386, "notes": note("other")})))
		answers := atOnce(10, func(n int) answer {
			return shop.create(shop.standard(shop.on(381, other), with(medicine("50.00")), fields{"notes": note(fmt.Sprint(n))}))
		})
		same(t, "at once", statuses(answers), map[int]int{http.StatusAccepted: 2, http.StatusBadRequest: 8})
		shop.provesChains(shop.org)
	})
}
