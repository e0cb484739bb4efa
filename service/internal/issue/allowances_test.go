package issue_test

import (
	"net/http"
	"slices"
	"testing"

	"khatm/service/internal/servicetest"
)

func discount(changes servicetest.Fields) servicetest.Fields {
	d := servicetest.Fields{"allowance_amount": "400.00", "vat_category_code": "S", "vat_rate": 15}
	for name, value := range changes {
		d[name] = value
	}
	return servicetest.Fields{"document_level_allowances": []any{d}}
}

func TestInterface_2_1_Allowances(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		got := shop.Full(shop.Created(shop.Standard(discount(nil))))
		holds(t, "discount", got, servicetest.Record{
			"invoice_total_line_net_amount": "8400.00", "invoice_total_document_level_allowance_amount": "400.00", "invoice_total_amount_without_vat": "8000.00",
			"invoice_total_vat_amount": "1200.00", "invoice_total_amount_with_vat": "9200.00", "invoice_payable_amount": "9200.00",
			"document_level_allowances": []any{servicetest.Record{"allowance_amount": "400.00", "reason_code": "95", "reason": "", "vat_category_code": "S", "vat_rate": "15"}},
			"vat_breakdown": []any{servicetest.Record{
				"vat_category_code": "S", "vat_rate": "15", "vat_category_taxable_amount": "8000.00", "vat_category_tax_amount": "1200.00",
				"vat_exemption_reason_code": "", "vat_exemption_reason_text": "",
			}},
		})
		for what, c := range map[string]struct{ sent, want servicetest.Record }{
			"a reason code":  {servicetest.Record{"reason_code": "64"}, servicetest.Record{"reason_code": "64", "reason": ""}},
			"a reason alone": {servicetest.Record{"reason": "Damaged"}, servicetest.Record{"reason_code": "", "reason": "Damaged"}},
			"zero amount":    {servicetest.Record{"allowance_amount": 0}, servicetest.Record{"reason_code": "", "reason": ""}},
		} {
			holds(t, what, servicetest.First(t, shown(shop, shop.Standard(discount(servicetest.Fields(c.sent))))["document_level_allowances"]), c.want)
		}
		const at = "document_level_allowances.0."
		for _, c := range []struct {
			path   string
			change servicetest.Fields
		}{
			{at + "allowance_amount", servicetest.Fields{"allowance_amount": "-1"}}, {at + "allowance_amount", servicetest.Fields{"allowance_amount": "1.001"}},
			{at + "allowance_amount", servicetest.Fields{"allowance_amount": nil}},
			{at + "reason_code", servicetest.Fields{"reason_code": "999"}}, {at + "vat_category_code", servicetest.Fields{"vat_category_code": "X"}},
			{at + "vat_category_code", servicetest.Fields{"vat_category_code": "Z", "vat_rate": 0}}, {at + "vat_category_code", servicetest.Fields{"vat_rate": 5}},
			{at + "vat_rate", servicetest.Fields{"vat_rate": 101}}, {at + "vat_rate", servicetest.Fields{"vat_category_code": "E", "vat_rate": 15}},
		} {
			refusesField(shop, servicetest.AsJSON(t, c.change), c.path, shop.Standard(discount(c.change)))
		}
		told := refuses(shop, "more than the lines", shop.Standard(discount(servicetest.Fields{"allowance_amount": "8400.01"})))
		if want := "invoice_schema_data." + at + "allowance_amount: is 0.01 more than the lines of category S at 15 percent"; !slices.Contains(told, want) {
			t.Errorf("problems %q, want %q", told, want)
		}
	})
}

func TestDecisions_ExpectedPayable(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		sale := func(expected string, lines int) string {
			all := make([]any, lines)
			for n := range all {
				all[n] = shop.Line(servicetest.Fields{"item_net_price": "8.70", "invoiced_quantity": 1})
			}
			return shop.Simplified(servicetest.Fields{"form_lines": all, "expected_payable_amount": expected})
		}
		holds(t, "a cent less", shop.Full(shop.Created(sale("10.00", 1))), servicetest.Record{
			"invoice_total_amount_with_vat": "10.01", "payable_rounding_amount": "-0.01", "invoice_payable_amount": "10.00",
		})
		holds(t, "two cents on two lines", shown(shop, sale("20.03", 2)), servicetest.Record{"payable_rounding_amount": "0.02", "invoice_payable_amount": "20.03"})
		holds(t, "the same", shown(shop, sale("10.01", 1)), servicetest.Record{"payable_rounding_amount": "0.00", "invoice_payable_amount": "10.01"})
		servicetest.Same(t, "more", refuses(shop, "more", sale("9.99", 1)),
			[]string{"invoice_schema_data.expected_payable_amount: is 9.99, but the invoice comes to 10.01: more than 0.01 a line apart"})
		if a := shop.Create(sale("9.99", 3)); a.Status != http.StatusBadRequest {
			t.Errorf("expected_payable_amount that differs too much: got %d %s, want 400", a.Status, a.Body)
		}
	})
}
