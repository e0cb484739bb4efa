package issue_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"khatm/codes"
	"khatm/service/internal/servicetest"
)

func jsonNumber(text string) any { return json.Number(text) }

func withLine(t *servicetest.Seller, changes servicetest.Fields) string {
	return t.Standard(servicetest.Fields{"form_lines": []any{t.Line(changes)}})
}

func TestInterface_2_2_LineBounds(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		refused := map[string][]any{
			"item_name":                         {"abc", "", nil, servicetest.Unsent, strings.Repeat("x", 51), "e\u0301e\u0301e\u0301", "abc\u0000d", 1234, "    "},
			"item_net_price":                    {0, "0.00", -1, "1.001", "1000000000", "1000000000.00", nil, servicetest.Unsent, true, "", "1,000"},
			"invoiced_quantity":                 {0, -1, "0.0000001", nil, servicetest.Unsent, true, ""},
			"vat_category_code":                 {"X", "s", "", nil, servicetest.Unsent, "AE"},
			"vat_rate":                          {0, -1, "100.01", nil, servicetest.Unsent, true, ""},
			"vat_exemption_reason_code":         {"VATEX-SA-32", strings.Repeat("x", 51)},
			"vat_exemption_reason_text":         {strings.Repeat("x", 1001)},
			"invoice_line_id":                   {"x", 1},
			"invoiced_quantity_unit_of_measure": {strings.Repeat("x", 128)},
		}
		for name, values := range refused {
			for _, value := range values {
				refusesField(shop, name+" "+servicetest.AsJSON(t, value), "form_lines.0."+name, withLine(shop, servicetest.Fields{name: value}))
			}
		}
		servicetest.Same(t, "price times quantity", refuses(shop, "price times quantity", withLine(shop, servicetest.Fields{"item_net_price": "100000000", "invoiced_quantity": 100000})),
			[]string{"invoice_schema_data.form_lines.0.invoiced_quantity: times the price must stay below 10000000000000"})
		accepted := []servicetest.Fields{
			{"item_name": "abcd"}, {"item_name": strings.Repeat("ص", 50)}, {"item_name": strings.Repeat("e\u0301", 50)},
			{"item_net_price": "0.01"}, {"item_net_price": "999999999.99"}, {"item_net_price": 12.5},
			{"invoiced_quantity": "0.000001"}, {"invoiced_quantity": 1.25}, {"item_net_price": "99999999.99", "invoiced_quantity": 100000},
		}
		for _, change := range accepted {
			shown(shop, withLine(shop, change))
		}
		// All problems of all lines are reported at once.
		servicetest.Same(t, "several", len(refuses(shop, "several", shop.Standard(servicetest.Fields{"form_lines": []any{
			shop.Line(servicetest.Fields{"item_name": "abc", "vat_rate": 101}), shop.Line(nil), shop.Line(servicetest.Fields{"item_net_price": 0}),
		}}))), 3)
	})
}

func TestInterface_2_2_LineAmounts(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		line := servicetest.First(t, shop.Full(shop.Created(withLine(shop, servicetest.Fields{"item_net_price": "3.33", "invoiced_quantity": "1.5"})))["lines"])
		if servicetest.IDOf(line) == "" {
			t.Error("the line has no uuid")
		}
		delete(line, "uuid")
		servicetest.Same(t, "line", line, servicetest.Record{
			"item_id": nil, "item_name": "Laptop 15 inch", "item_net_price": "3.33", "item_gross_price": nil, "invoiced_quantity": "1.5", "invoiced_quantity_unit_of_measure": "PCE",
			"vat_category_code": "S", "vat_rate": "15", "vat_exemption_reason_code": "", "vat_exemption_reason_text": "", "invoice_line_id": nil,
			"line_net_amount": "5.00", "line_vat_amount": "0.75", "line_total_amount": "5.75",
		})
	})
}

// TestInterface_2_4_Categories issues an invoice with every reason of every
// category, and checks that each is refused in other categories.
func TestInterface_2_4_Categories(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		reasoned := func(category, code, text string, rate any) string {
			return withLine(shop, servicetest.Fields{"vat_category_code": category, "vat_rate": rate, "vat_exemption_reason_code": code, "vat_exemption_reason_text": text})
		}
		const at = "form_lines.0."
		for _, reason := range codes.Reasons() {
			if strings.HasPrefix(reason.Code, "VATEX-SA-EDU") || strings.HasPrefix(reason.Code, "VATEX-SA-HEA") {
				told := shop.Create(reasoned(reason.Category, reason.Code, "Because", 0)).Wants(t, http.StatusBadRequest)
				servicetest.Same(t, reason.Code+": rule", told["rule_id"], any("BR-KSA-49"))
				continue
			}
			got := servicetest.First(t, shown(shop, reasoned(reason.Category, reason.Code, "Because", 0))["vat_breakdown"])
			holds(t, reason.Code, got, servicetest.Record{
				"vat_category_code": reason.Category, "vat_rate": "0", "vat_category_taxable_amount": "8400.00", "vat_category_tax_amount": "0.00",
				"vat_exemption_reason_code": reason.Code, "vat_exemption_reason_text": "Because",
			})
			for _, category := range []string{"Z", "E", "O"} {
				if category != reason.Category {
					refusesField(shop, reason.Code, at+"vat_exemption_reason_code", reasoned(category, reason.Code, "Because", 0))
				}
			}
		}
		for category, code := range map[string]string{"Z": "VATEX-SA-35", "E": "VATEX-SA-29", "O": "VATEX-SA-OOS"} {
			refusesField(shop, category+" at 15", at+"vat_rate", reasoned(category, code, "Because", 15))
			refusesField(shop, category+" without a text", at+"vat_exemption_reason_text", reasoned(category, code, "", 0))
			refusesField(shop, category+" without a code", at+"vat_exemption_reason_code", reasoned(category, "", "Because", 0))
		}
		// Only an impossible rate is refused.
		for _, rate := range []any{15, 5, "15.0", 10, "0.01", 100} {
			shown(shop, withLine(shop, servicetest.Fields{"vat_rate": rate}))
		}
	})
}

// lineIn returns a function that returns a line with one piece in a VAT category.
func lineIn(shop *servicetest.Seller) func(price, category, code, text string, rate int) servicetest.Fields {
	return func(price, category, code, text string, rate int) servicetest.Fields {
		return shop.Line(servicetest.Fields{
			"item_net_price": price, "invoiced_quantity": 1, "vat_category_code": category, "vat_rate": rate,
			"vat_exemption_reason_code": code, "vat_exemption_reason_text": text,
		})
	}
}

func TestDecisions_BreakdownByCategoryRateAndReason(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		line := lineIn(shop)
		got := shop.Full(shop.Created(shop.Standard(servicetest.Fields{"form_lines": []any{
			line("100.00", "S", "", "", 15), line("50.00", "S", "", "", 5), line("0.10", "S", "", "", 15),
			line("10.00", "Z", "VATEX-SA-35", "Medicine", 0), line("20.00", "O", "VATEX-SA-OOS", "Outside", 0),
		}})))
		var rows [][3]any
		for _, row := range servicetest.List(t, got, "vat_breakdown") {
			r, _ := row.(servicetest.Record)
			rows = append(rows, [3]any{r["vat_category_code"], r["vat_category_taxable_amount"], r["vat_category_tax_amount"]})
		}
		servicetest.Same(t, "rows", rows, [][3]any{{"S", "100.10", "15.02"}, {"S", "50.00", "2.50"}, {"Z", "10.00", "0.00"}, {"O", "20.00", "0.00"}})
		holds(t, "totals", got, servicetest.Record{"invoice_total_amount_without_vat": "180.10", "invoice_total_vat_amount": "17.52", "invoice_payable_amount": "197.62"})
	})
}
