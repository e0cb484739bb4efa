package tools_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

// TestInterface_4_7_CalculateVAT_ShelfPrices checks lines with prices including VAT:
// the payable amount is the sum of the prices.
func TestInterface_4_7_CalculateVAT_ShelfPrices(t *testing.T) {
	h := openTools(t)
	line := func(price, quantity string) string {
		return `{"item_name":"a","item_gross_price":"` + price + `","invoiced_quantity":"` + quantity + `","vat_rate":"15"}`
	}
	for _, c := range []struct{ lines, net, vat, gross, rounding, payable string }{
		{line("10.00", "10"), "86.96", "13.04", "100.00", "0.00", "100.00"},
		{line("9.99", "3"), "26.06", "3.91", "29.97", "0.00", "29.97"},
		{line("49.00", "0.35"), "14.91", "2.24", "17.15", "0.00", "17.15"},
		{line("10.00", "1"), "8.70", "1.31", "10.01", "-0.01", "10.00"},
		{line("10.00", "1") + `,{"item_name":"b","item_net_price":"8.70","vat_rate":"15"}`, "17.40", "2.61", "20.01", "0.00", "20.01"},
	} {
		got := h.Tool("calculate-vat", `{"lines":[`+c.lines+`]}`).Branded(t)
		for name, want := range map[string]string{
			"invoice_total_amount_without_vat": c.net, "invoice_total_vat_amount": c.vat, "invoice_gross_total": c.gross,
			"payable_rounding_amount": c.rounding, "invoice_payable_amount": c.payable,
		} {
			servicetest.Equal(t, c.lines+": "+name, got[name], any(want))
		}
	}
	for body, want := range map[string]string{
		`{"lines":[{"item_name":"a","vat_rate":"15"}]}`:                                                `"lines.0.item_net_price: Field required"`,
		`{"lines":[{"item_name":"a","vat_rate":"15","item_net_price":null,"item_gross_price":null}]}`:  `"lines.0.item_net_price: Field required"`,
		`{"lines":[{"item_name":"a","vat_rate":"15","item_net_price":"1","item_gross_price":"1.15"}]}`: `lines.0.item_gross_price: must not be sent together with item_net_price`,
		`{"lines":[{"item_name":"a","vat_rate":"15","item_gross_price":"-1"}]}`:                        `lines.0.item_gross_price: must not be negative`,
	} {
		if got := h.Tool("calculate-vat", body); got.Status != http.StatusBadRequest || !strings.Contains(got.Body, want) {
			t.Errorf("%s: got %d %s, want 400 with %s", body, got.Status, got.Body, want)
		}
	}
}

// TestInterface_4_7_ExportShelfPrices exports an invoice at prices including VAT. The
// result has both prices, can be sent back unchanged, and is refused if the two prices
// do not belong together.
func TestInterface_4_7_ExportShelfPrices(t *testing.T) {
	h := openTools(t)
	body := func(lines string) string {
		return `{"invoice":` + strings.Replace(servicetest.Least, `{"item_name":"Arabic coffee","item_net_price":"8.70"}`, lines, 1) + `}`
	}
	got := h.Tool("export", body(`{"item_name":"Arabic coffee","item_gross_price":"10.00"},{"item_name":"Dates","item_gross_price":"9.99","invoiced_quantity":3}`)).Branded(t)
	exported, _ := got["invoice"].(servicetest.Record)
	servicetest.Equal(t, "payable", exported["invoice_gross_total"], any("39.97"))
	lines, _ := exported["lines"].([]any)
	for i, want := range []servicetest.Record{
		{"item_gross_price": "10.00", "item_net_price": "8.70", "line_net_amount": "8.70", "line_total_amount": "10.00"},
		{"item_gross_price": "9.99", "item_net_price": "8.686667", "line_net_amount": "26.06", "line_total_amount": "29.97"},
	} {
		line, _ := lines[i].(servicetest.Record)
		for name, value := range want {
			servicetest.Equal(t, name, line[name], value)
		}
	}
	again := h.Tool("export", `{"invoice":`+servicetest.AsJSON(t, exported)+`}`).Branded(t)
	servicetest.Same(t, "sent back", again, got)

	for lines, want := range map[string]string{
		`{"item_name":"Arabic coffee"}`: "invoice.lines.0.item_net_price: Field required",
		`{"item_name":"Arabic coffee","item_net_price":"8.69","item_gross_price":"10.00"}`: "lines.0.item_net_price: is 8.69, but item_gross_price gives 8.7",
		`{"item_name":"Arabic coffee","item_gross_price":"0"}`:                             "lines.0.item_gross_price: must be greater than 0",
	} {
		if got := h.Tool("export", body(lines)); got.Status != http.StatusBadRequest || !strings.Contains(got.Body, want) {
			t.Errorf("%s: got %d %s, want 400 with %s", lines, got.Status, got.Body, want)
		}
	}
	for format, want := range map[string]string{"csv": ",8.686667,9.99,", "ubl-xml": "<cbc:BaseQuantity unitCode=\"PCE\">3</cbc:BaseQuantity>"} {
		text := strings.TrimSuffix(body(`{"item_name":"Dates","item_gross_price":"9.99","invoiced_quantity":3}`), "}") + `,"format":"` + format + `"}`
		if got := h.Tool("export", text); got.Status != http.StatusOK || !strings.Contains(got.Body, want) {
			t.Errorf("%s: got %d %s, want %s", format, got.Status, got.Body, want)
		}
	}
}
