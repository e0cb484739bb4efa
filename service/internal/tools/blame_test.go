package tools_test

import (
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

// TestInterface_4_7_ValidateZATCA_BlamesWhatWasSent checks that a result names the
// amount that was sent, never a calculated amount that the caller did not send.
func TestInterface_4_7_ValidateZATCA_BlamesWhatWasSent(t *testing.T) {
	h := openTools(t)
	for members, blamed := range map[string]map[string]string{
		`"vat_breakdown":[{"vat_rate":5,"vat_category_taxable_amount":"8.70","vat_category_tax_amount":"0.44"}]`: {
			"BR-CO-14": "vat_breakdown", "BR-CO-15": "vat_breakdown",
		},
		`"lines":[{"item_name":"Arabic coffee","item_net_price":"8.70","line_net_amount":"9.00"}]`: {
			"BR-CO-10": "lines.0.line_net_amount", "BR-S-08": "lines.0.line_net_amount", "BR-KSA-EN16931-11": "lines.0.line_net_amount",
		},
		`"invoice_total_amount_with_vat":"9.00"`:    {"BR-CO-15": "invoice_total_amount_with_vat", "BR-CO-16": "invoice_total_amount_with_vat"},
		`"invoice_total_amount_without_vat":"9.00"`: {"BR-CO-13": "invoice_total_amount_without_vat", "BR-CO-15": "invoice_total_amount_without_vat"},
		`"invoice_total_vat_amount":"9.00"`:         {"BR-CO-14": "invoice_total_vat_amount"},
		`"invoice_total_line_net_amount":"9.00"`:    {"BR-CO-10": "invoice_total_line_net_amount", "BR-CO-13": "invoice_total_line_net_amount"},
		`"payable_rounding_amount":"0.50"`:          {"BR-CO-16": "payable_rounding_amount"},
		`"currency":"SRA"`:                          {"BR-CL-03": "currency", "BR-CL-04": "currency"},
		`"lines":[]`:                                {"BR-CO-18": "lines", "BR-KSA-EN16931-08": "lines", "BR-KSA-EN16931-09": "lines"},
	} {
		v := h.Tool("validate-zatca", besides(members)).Verdict(t)
		for _, rule := range failed(v) {
			r := v.Results[rule]
			if servicetest.TextIn(r, "path") == "" {
				t.Errorf("%s: result of %s has no path: %v", members, rule, r)
			}
		}
		for rule, want := range blamed {
			r := v.Results[rule]
			servicetest.Equal(t, members+" by "+rule, servicetest.TextIn(r, "path"), want)
			if servicetest.TextIn(r, "status") != "failed" {
				t.Errorf("%s: status of %s = %s, want failed", members, rule, servicetest.TextIn(r, "status"))
			}
			// got and want of a calculated amount must not appear with another field.
			if got := servicetest.TextIn(r, "got"); got != "" && !strings.Contains(members, got) && want != "lines" {
				t.Errorf("%s: result of %s has the values got %s and want %s of a calculated amount", members, rule, got, want)
			}
		}
	}
}
