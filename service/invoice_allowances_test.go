package service_test

import (
	"net/http"
	"slices"
	"testing"
)

func discount(changes fields) fields {
	d := fields{"allowance_amount": "400.00", "vat_category_code": "S", "vat_rate": 15}
	for name, value := range changes {
		d[name] = value
	}
	return fields{"document_level_allowances": []any{d}}
}

func TestInterface_2_1_Allowances(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		got := shop.full(shop.created(shop.standard(discount(nil))))
		holds(t, "discount", got, record{
			"invoice_total_line_net_amount": "8400.00", "invoice_total_document_level_allowance_amount": "400.00", "invoice_total_amount_without_vat": "8000.00",
			"invoice_total_vat_amount": "1200.00", "invoice_total_amount_with_vat": "9200.00", "invoice_payable_amount": "9200.00",
			"document_level_allowances": []any{record{"allowance_amount": "400.00", "reason_code": "95", "reason": "", "vat_category_code": "S", "vat_rate": "15"}},
			"vat_breakdown": []any{record{
				"vat_category_code": "S", "vat_rate": "15", "vat_category_taxable_amount": "8000.00", "vat_category_tax_amount": "1200.00",
				"vat_exemption_reason_code": "", "vat_exemption_reason_text": "",
			}},
		})
		for what, c := range map[string]struct{ sent, want record }{
			"a code of its own": {record{"reason_code": "64"}, record{"reason_code": "64", "reason": ""}},
			"a reason alone":    {record{"reason": "Damaged"}, record{"reason_code": "", "reason": "Damaged"}},
			"nothing off":       {record{"allowance_amount": 0}, record{"reason_code": "", "reason": ""}},
		} {
			holds(t, what, first(t, shop.shown(shop.standard(discount(fields(c.sent))))["document_level_allowances"]), c.want)
		}
		const at = "document_level_allowances.0."
		for _, c := range []struct {
			path   string
			change fields
		}{
			{at + "allowance_amount", fields{"allowance_amount": "-1"}}, {at + "allowance_amount", fields{"allowance_amount": "1.001"}},
			{at + "allowance_amount", fields{"allowance_amount": nil}},
			{at + "reason_code", fields{"reason_code": "999"}}, {at + "vat_category_code", fields{"vat_category_code": "X"}},
			{at + "vat_category_code", fields{"vat_category_code": "Z", "vat_rate": 0}}, {at + "vat_category_code", fields{"vat_rate": 5}},
			{at + "vat_rate", fields{"vat_rate": 101}}, {at + "vat_rate", fields{"vat_category_code": "E", "vat_rate": 15}},
		} {
			shop.refusesField(asJSON(t, c.change), c.path, shop.standard(discount(c.change)))
		}
		told := shop.refuses("more than the lines", shop.standard(discount(fields{"allowance_amount": "8400.01"})))
		if want := "invoice_schema_data." + at + "allowance_amount: is 0.01 more than the lines of category S at 15 percent"; !slices.Contains(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
	})
}

func TestDecisions_ExpectedPayable(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		sale := func(expected string, lines int) string {
			all := make([]any, lines)
			for n := range all {
				all[n] = shop.line(fields{"item_net_price": "8.70", "invoiced_quantity": 1})
			}
			return shop.simplified(fields{"form_lines": all, "expected_payable_amount": expected})
		}
		holds(t, "a cent less", shop.full(shop.created(sale("10.00", 1))), record{
			"invoice_total_amount_with_vat": "10.01", "payable_rounding_amount": "-0.01", "invoice_payable_amount": "10.00",
		})
		holds(t, "two cents on two lines", shop.shown(sale("20.03", 2)), record{"payable_rounding_amount": "0.02", "invoice_payable_amount": "20.03"})
		holds(t, "the same", shop.shown(sale("10.01", 1)), record{"payable_rounding_amount": "0.00", "invoice_payable_amount": "10.01"})
		same(t, "more", shop.refuses("more", sale("9.99", 1)),
			[]string{"invoice_schema_data.expected_payable_amount: is 9.99, but the invoice comes to 10.01: more than 0.01 a line apart"})
		if a := shop.create(sale("9.99", 3)); a.status != http.StatusBadRequest {
			t.Errorf("%d %s", a.status, a.body)
		}
	})
}
