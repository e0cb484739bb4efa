package issue_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"khatm/money"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/trade"
)

// grossLine returns a line with a price including VAT.
func grossLine(t *servicetest.Seller, price string, quantity any) servicetest.Fields {
	return t.Line(servicetest.Fields{"item_net_price": servicetest.Unsent, "item_gross_price": price, "invoiced_quantity": quantity})
}

// TestInterface_2_2_ShelfPrices checks prices including VAT: the preview, the record
// and the signed document have both prices, and the payable amount is exactly the sum
// of the prices.
func TestInterface_2_2_ShelfPrices(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		for _, c := range []struct {
			name, price      string
			quantity         any
			unit, net, total string // of the line
			vat, rounding    string // of the document
		}{
			{"10 × 10.00", "10.00", 10, "8.696", "86.96", "100.00", "13.04", "0.00"},
			{"3 × 9.99", "9.99", 3, "8.686667", "26.06", "29.97", "3.91", "0.00"},
			{"0.35 × 49.00", "49.00", json.Number("0.35"), "42.60", "14.91", "17.15", "2.24", "0.00"},
			{"1 × 10.00", "10.00", 1, "8.70", "8.70", "10.00", "1.31", "-0.01"},
		} {
			body := shop.Simplified(servicetest.Fields{"form_lines": []any{grossLine(shop, c.price, c.quantity)}, "expected_payable_amount": c.total})
			preview, full := shown(shop, body), shop.Full(shop.Created(body))
			for what, got := range map[string]servicetest.Record{"preview": preview, "record": full} {
				holds(t, c.name+", "+what, got, servicetest.Record{
					"invoice_payable_amount": c.total, "invoice_total_vat_amount": c.vat, "payable_rounding_amount": c.rounding, "invoice_total_amount_without_vat": c.net,
				})
				holds(t, c.name+", line of the "+what, servicetest.First(t, got["lines"]), servicetest.Record{
					"item_gross_price": c.price, "item_net_price": c.unit, "line_net_amount": c.net, "line_total_amount": c.total,
				})
			}
		}
	})
}

// TestInterface_2_2_ShelfPriceBounds checks that exactly one of the two prices must be
// sent, and that the price including VAT has the bounds of the other.
func TestInterface_2_2_ShelfPriceBounds(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		for _, price := range []any{0, "0.00", -1, "1.001", "1000000000", true, "", "1,000"} {
			body := withLine(shop, servicetest.Fields{"item_net_price": servicetest.Unsent, "item_gross_price": price})
			refusesField(shop, servicetest.AsJSON(t, price), "form_lines.0.item_gross_price", body)
		}
		refusesField(shop, "both", "form_lines.0.item_gross_price", withLine(shop, servicetest.Fields{"item_gross_price": "4830.00"}))
		refusesField(shop, "both null", "form_lines.0.item_net_price", withLine(shop, servicetest.Fields{"item_net_price": nil, "item_gross_price": nil}))
		refusesField(shop, "neither", "form_lines.1.item_net_price", shop.Standard(servicetest.Fields{
			"form_lines": []any{shop.Line(nil), shop.Line(servicetest.Fields{"item_net_price": servicetest.Unsent})},
		}))
		refusesField(shop, "another expected amount", "expected_payable_amount", shop.Standard(servicetest.Fields{
			"form_lines": []any{grossLine(shop, "10.00", 1)}, "expected_payable_amount": "10.01",
		}))
		shown(shop, withLine(shop, servicetest.Fields{"item_net_price": nil, "item_gross_price": "999999999.99"}))
		shown(shop, withLine(shop, servicetest.Fields{"item_gross_price": nil}))
	})
}

// TestInterface_2_2_ShelfPricesOfNotes credits an invoice at prices including VAT with
// the same lines: nothing is left of it.
func TestInterface_2_2_ShelfPricesOfNotes(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		s := h.Scenario()
		lines := servicetest.Fields{"form_lines": []any{grossLine(s.Seller, "10.00", 1), grossLine(s.Seller, "9.99", 3)}}
		note := servicetest.Fields{"type_code": 381, "original_invoice_reference": []any{s.Original}, "reason_id": s.Reason.ID}
		got := s.Full(s.Created(s.Standard(lines, note)))
		holds(t, "note", got, servicetest.Record{"invoice_payable_amount": "39.97", "invoice_total_amount_without_vat": "34.76", "invoice_total_vat_amount": "5.21", "payable_rounding_amount": "0.00"})
		holds(t, "line", servicetest.First(t, got["lines"]), servicetest.Record{"item_gross_price": "10.00", "item_net_price": "8.70"})

		// Two units of 10.00 are 17.39 and 2.61 of VAT, one unit is 8.70 and 1.31.
		sale := s.Accepted(s.Created(s.Standard(servicetest.Fields{"form_lines": []any{grossLine(s.Seller, "10.00", 2)}})))
		one := func(text string) servicetest.Answer {
			return s.Create(s.Standard(servicetest.Fields{
				"type_code": 381, "original_invoice_reference": []any{sale}, "reason_id": s.Reason.ID,
				"form_lines": []any{grossLine(s.Seller, "10.00", 1)}, "notes": servicetest.Note(text),
			}))
		}
		for _, unit := range []string{"first unit", "second unit"} {
			id := servicetest.Parsed(t, servicetest.IssuedID(t, one(unit).Wants(t, http.StatusAccepted)))
			holds(t, unit, s.Full(id), servicetest.Record{"invoice_payable_amount": "10.00", "payable_rounding_amount": "-0.01"})
		}
		servicetest.Same(t, "a third unit", one("third unit").Wants(t, http.StatusBadRequest)["code"], any("credit_exceeds_original"))
	})
}

// TestInterface_2_1_LongNumbers checks numbers of programs that compute in floating
// point: the exchange rate and quantities are rounded, and the record shows the values
// of the document.
func TestInterface_2_1_LongNumbers(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		for _, rate := range []any{json.Number("3.7509377344336086"), "3.7509377344336086"} {
			got := shop.Full(shop.Created(shop.Standard(servicetest.Fields{"currency": "USD", "exchange_rate": rate, "payment_means_type_code": "48"}, note48(rate))))
			holds(t, "rate", got, servicetest.Record{"exchange_rate": "3.750937734434", "invoice_total_vat_amount_sar": "4726.18"}) // 1260 × 3.750937734434
		}
		// Decimal types of other languages have 28 digits.
		got := shop.Full(shop.Created(withLine(shop, servicetest.Fields{"item_net_price": "3.00", "invoiced_quantity": "0.3333333333333333333333333333"})))
		holds(t, "long quantity", servicetest.First(t, got["lines"]), servicetest.Record{"invoiced_quantity": "0.333333", "line_net_amount": "1.00"})
		got = shop.Full(shop.Created(shop.Standard(servicetest.Fields{"currency": "USD", "exchange_rate": "3.7509377344336084021005251313"})))
		holds(t, "long rate", got, servicetest.Record{"exchange_rate": "3.750937734434"})
		for _, rate := range []any{"0.0000000000009", "100000000000000", "99999999999999.5"} {
			refusesField(shop, servicetest.AsJSON(t, rate), "exchange_rate", shop.Standard(servicetest.Fields{"currency": "USD", "exchange_rate": rate}))
		}
		got = shop.Full(shop.Created(withLine(shop, servicetest.Fields{"item_net_price": "10.00", "invoiced_quantity": json.Number("0.30000000000000004")})))
		holds(t, "quantity", servicetest.First(t, got["lines"]), servicetest.Record{"invoiced_quantity": "0.3", "line_net_amount": "3.00"})

		few := shop.Stocked("Dates", func(i *trade.Item) { one := money.FromInt(1); i.Stock = &one })
		got = shop.Full(shop.Created(shop.Standard(itemLines(few.ID, json.Number("0.30000000000000004")))))
		holds(t, "catalogue line", servicetest.First(t, got["lines"]), servicetest.Record{"invoiced_quantity": "0.3"})
		servicetest.Same(t, "stock", left(shop, few.ID), any("0.7"))
	})
}

// note48 returns a note that makes two otherwise equal requests different.
func note48(text any) servicetest.Fields {
	kind := "text"
	if _, number := text.(json.Number); number {
		kind = "number"
	}
	return servicetest.Fields{"notes": []any{servicetest.Fields{"language_id": "en", "note": strings.ToUpper(kind)}}}
}
