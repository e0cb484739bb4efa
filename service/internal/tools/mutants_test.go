package tools_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/service/internal/servicetest"
)

// mutation is a valid invoice with one wrong value, and the rule that must fail.
type mutation struct {
	base  string // name of the sample
	path  string
	value any
	want  string
	blame string // field named by the result, if it is not the path
}

// nobody means that the result names no field, because the value is missing from
// the whole document.
const nobody = "nobody"

// long returns a text of n characters.
func long(n int) string { return strings.Repeat("ن", n) }

// The samples that mutations are based on.
const (
	onCredit = "credit"
	atATill  = "till"
	noted    = "381-standard-s15-sar"
	abroad   = "388-export-z32-usd"
	dollars  = "388-standard-s15-usd"
	advanced = "388-standard-s15-sar-advance-one"
	lowered  = "388-standard-s15-z-sar-discount"
	exempt   = "388-standard-e-sar"
	outside  = "388-standard-o-sar"
)

// mutations change facts; amounts are calculated from them.
var mutations = []mutation{
	{onCredit, "ref_num", "", "BR-02", ""},
	{onCredit, "ref_num", long(128), "BR-KSA-F-06-C1", ""},
	{onCredit, "uuid", "", "BR-KSA-03", ""},
	{onCredit, "issue_date", "", "BR-03", ""},
	{onCredit, "issue_date", "2026-13-40", "BR-KSA-F-01", ""},
	{onCredit, "issue_date", "15/11/2026", "BR-KSA-F-01", ""},
	{onCredit, "issue_date", "yesterday", "UBL-TYPE", ""},
	{onCredit, "issue_date", "1999-12-31", "BR-KSA-F-01", ""},
	{onCredit, "issue_date", "2026-11-17", "BR-KSA-04", "issue_date"},
	{onCredit, "issue_time", "", "BR-KSA-70", ""},
	{onCredit, "issue_time", "25:00:00", "UBL-TYPE", ""},
	{onCredit, "issue_time", "noon", "BR-KSA-70", ""},
	{onCredit, "issue_time", "9:15", "BR-KSA-70", ""},
	{onCredit, "type_code", 0, "BR-CL-01", ""},
	{onCredit, "type_code", 380, "BR-KSA-05", ""},
	{onCredit, "type_code", 999, "BR-CL-01", ""},
	{onCredit, "type_code", -388, "BR-CL-01", ""},
	{onCredit, "transaction_code", "0300000", "BR-KSA-06", ""},
	{onCredit, "transaction_code", "0100002", "BR-KSA-06", ""},
	{onCredit, "transaction_code", "01", "BR-KSA-F-06-C40", ""},
	{onCredit, "transaction_code", "standard", "BR-KSA-06", ""},
	{onCredit, "transaction_code", "", "BR-KSA-06", ""},
	{onCredit, "transaction_code", "0100101", "BR-KSA-07", ""},
	{atATill, "transaction_code", "0200001", "BR-KSA-31", ""},
	{onCredit, "supply_date", "", "BR-KSA-15", ""},
	{onCredit, "supply_date", "2026-02-30", "BR-KSA-F-01", ""},
	{onCredit, "supply_date", "soon", "UBL-TYPE", ""},
	{onCredit, "supply_end_date", "2026-11-01", "BR-KSA-36", ""},
	{onCredit, "currency", "", "BR-05", ""},
	{onCredit, "currency", "SRL", "BR-CL-04", ""},
	{onCredit, "currency", "sar", "BR-CL-04", ""},
	{dollars, "currency", "XXY", "BR-KSA-CL-01", ""},
	{dollars, "exchange_rate", "3.12345678901234", "BR-KSA-90", ""},
	{dollars, "exchange_rate", "1", "BR-KSA-97", ""},
	{onCredit, "payment_means_type_code", "999", "BR-CL-16", ""},
	{onCredit, "payment_means_type_code", "cash", "BR-KSA-16", ""},
	{onCredit, "payment_means_type_code", "", "BR-49", ""},
	{onCredit, "payment_terms", long(1001), "BR-KSA-F-06-C14", ""},
	{onCredit, "notes.0.note", long(1001), "BR-KSA-F-06-C2", "notes"},
	{noted, "reason", "", "BR-KSA-17", ""},
	{noted, "reason", long(1001), "BR-KSA-F-06-C13", ""},
	{noted, "original_invoice_reference", []any{}, "BR-KSA-56", ""},
	{noted, "original_invoice_reference.0.ref_num", "", "BR-55", ""},
	{noted, "original_invoice_reference.0.issue_date", "2027-01-01", "BR-KSA-04", ""},

	{onCredit, "seller.vat_registration_number", "", "BR-KSA-39", ""},
	{onCredit, "seller.vat_registration_number", "123", "BR-KSA-40", "seller.vat_registration_number"},
	{onCredit, "seller.vat_registration_number", "110175397400003", "BR-KSA-40", ""},
	{onCredit, "seller.vat_registration_number", "310175397400001", "BR-KSA-40", ""},
	{onCredit, "seller.vat_registration_number", "31017539740000A", "BR-KSA-40", ""},
	{onCredit, "seller.vat_registration_number", "311287654900003", "BR-CUSTOM-VALIDATION-01", "buyer.vat_registration_number"},
	{onCredit, "seller.additional_seller_id", nil, "BR-KSA-08", "seller.additional_seller_id.value"},
	{onCredit, "seller.additional_seller_id.type_id", "XYZ", "BR-KSA-08", ""},
	{onCredit, "seller.additional_seller_id.value", "", "BR-KSA-08", ""},
	{onCredit, "seller.additional_seller_id.value", "12345", "BR-KSA-F-08", ""},
	{onCredit, "seller.additional_seller_id.value", "1111111111", "BR-KSA-F-13", ""},
	{onCredit, "seller.name_arabic", long(1001), "BR-KSA-F-06-C10", "seller.name_arabic"},
	{onCredit, "seller.street", "", "BR-KSA-09", ""},
	{onCredit, "seller.street", long(1001), "BR-KSA-F-06-C4", ""},
	{onCredit, "seller.additional_street", long(128), "BR-KSA-F-06-C6", ""},
	{onCredit, "seller.building_number", "12", "BR-KSA-37", ""},
	{onCredit, "seller.building_number", "", "BR-KSA-37", ""},
	{onCredit, "seller.district", "", "BR-KSA-09", ""},
	{onCredit, "seller.district", long(128), "BR-KSA-F-06-C9", ""},
	{onCredit, "seller.city", "", "BR-KSA-09", ""},
	{onCredit, "seller.city", long(128), "BR-KSA-F-06-C7", ""},
	{onCredit, "seller.province_state", long(128), "BR-KSA-F-06-C8", ""},
	{onCredit, "seller.postal_code", "1234", "BR-KSA-66", ""},
	{onCredit, "seller.postal_code", "", "BR-KSA-09", ""},
	{onCredit, "seller.country_code", "ZZ", "BR-CL-14", ""},
	{onCredit, "seller.country_code", "", "BR-09", ""},

	{onCredit, "buyer", nil, "BR-KSA-10", "buyer.street"},
	{onCredit, "buyer.vat_registration_number", "999", "BR-KSA-44", ""},
	{onCredit, "buyer.vat_registration_number", "310175397400003", "BR-CUSTOM-VALIDATION-01", ""},
	{onCredit, "buyer.additional_buyer_id.0.type_id", "XYZ", "BR-KSA-14", ""},
	{onCredit, "buyer.additional_buyer_id.0.value", "1", "BR-KSA-F-08", ""},
	{onCredit, "buyer.additional_buyer_id.0", servicetest.Record{"type_id": "NAT", "value": "2083726154"}, "BR-KSA-F-10", "buyer.additional_buyer_id.0.value"},
	{onCredit, "buyer.additional_buyer_id.0", servicetest.Record{"type_id": "IQA", "value": "1083726154"}, "BR-KSA-F-11", "buyer.additional_buyer_id.0.value"},
	{onCredit, "buyer.additional_buyer_id.0", servicetest.Record{"type_id": "TIN", "value": "1083726154"}, "BR-KSA-F-07", "buyer.additional_buyer_id.0.value"},
	{onCredit, "buyer.additional_buyer_id.0", servicetest.Record{"type_id": "700", "value": "1083726154"}, "BR-KSA-F-09", "buyer.additional_buyer_id.0.value"},
	{onCredit, "buyer.street", "", "BR-KSA-10", ""},
	{onCredit, "buyer.street", long(1001), "BR-KSA-F-06-C23", ""},
	{onCredit, "buyer.additional_street", long(128), "BR-KSA-F-06-C11", ""},
	{onCredit, "buyer.city", "", "BR-KSA-F-06-C25", ""},
	{onCredit, "buyer.city", long(128), "BR-KSA-F-06-C26", ""},
	{onCredit, "buyer.district", "", "BR-KSA-F-06-C28", ""},
	{onCredit, "buyer.district", long(128), "BR-KSA-F-06-C29", ""},
	{onCredit, "buyer.province_state", long(128), "BR-KSA-F-06-C27", ""},
	{onCredit, "buyer.building_number", "", "BR-KSA-63", ""},
	{onCredit, "buyer.postal_code", "ABCDE", "BR-KSA-67", "buyer.postal_code"},
	{onCredit, "buyer.country_code", "saudi", "BR-CL-14", ""},
	{onCredit, "buyer.country_code", "", "BR-KSA-10", ""},

	{onCredit, "lines", []any{}, "BR-16", ""},
	{onCredit, "lines.0.item_name", "", "BR-25", ""},
	{onCredit, "lines.0.item_name", "ab", "BR-KSA-F-06-C19", ""},
	{onCredit, "lines.0.item_name", "12345", "BR-KSA-F-C-01", ""},
	{onCredit, "lines.0.item_name", long(1001), "BR-KSA-F-06-C19", ""},
	{onCredit, "lines.0.item_net_price", "-5", "BR-KSA-F-04", ""},
	{onCredit, "lines.0.invoiced_quantity", "0", "BR-22", "lines.0.invoiced_quantity"},
	{onCredit, "lines.0.invoiced_quantity", "-2", "BR-KSA-F-04", ""},
	{onCredit, "lines.0.invoiced_quantity_unit_of_measure", long(128), "BR-KSA-F-06-C18", ""},
	{onCredit, "lines.0.vat_category_code", "X", "BR-KSA-18", ""},
	{onCredit, "lines.0.vat_category_code", "", "BR-CO-04", ""},
	{onCredit, "lines.0.vat_category_code", "AE", "BR-KSA-18", ""},
	{onCredit, "lines.0.vat_rate", "10", "BR-KSA-84", "lines.0.vat_rate"},
	{onCredit, "lines.0.vat_rate", "0", "BR-S-05", ""},
	{onCredit, "lines.0.vat_rate", "-15", "BR-KSA-DEC-02", ""},
	{onCredit, "lines.0.vat_rate", "150", "BR-KSA-DEC-02", ""},
	{onCredit, "lines.0.vat_rate", "15.005", "BR-KSA-DEC-02", ""},
	{onCredit, "lines.0.vat_exemption_reason_code", "VATEX-SA-32", "BR-S-10", "lines.0"},
	{abroad, "lines.0.vat_rate", "15", "BR-Z-05", ""},
	{abroad, "lines.0.vat_exemption_reason_code", "", "BR-KSA-69", ""},
	{abroad, "lines.0.vat_exemption_reason_code", "VATEX-SA-30", "BR-KSA-CL-04", ""},
	{abroad, "lines.0.vat_exemption_reason_text", "", "BR-KSA-83", ""},
	{abroad, "lines.0.vat_exemption_reason_text", long(1001), "BR-KSA-F-06-C16", ""},
	{exempt, "lines.0.vat_rate", "5", "BR-E-05", ""},
	{exempt, "lines.0.vat_exemption_reason_code", "", "BR-KSA-23", ""},
	{outside, "lines.0.vat_rate", "5", "BR-KSA-11", ""},
	{outside, "lines.0.vat_exemption_reason_code", "", "BR-KSA-24", ""},

	{lowered, "document_level_allowances.0.allowance_amount", "1.005", "BR-DEC-01", ""},
	{lowered, "document_level_allowances.0.allowance_amount", "-1", "BR-KSA-F-04", ""},
	{lowered, "document_level_allowances.0.vat_category_code", "E", "BR-E-01", nobody},
	{lowered, "document_level_allowances.0.vat_category_code", "X", "BR-KSA-18", ""},
	{lowered, "document_level_allowances.0.vat_rate", "0", "BR-S-06", ""},
	{lowered, "document_level_allowances.0.vat_rate", "7", "BR-KSA-84", ""},
	{lowered, "document_level_allowances.0.reason", long(1001), "BR-KSA-F-06-C35", ""},
	{lowered, "document_level_allowances.1.vat_rate", "15", "BR-Z-06", ""},

	{advanced, "prepaid_invoices.0.ref_num", "", "BR-KSA-73", "prepaid_invoices.0"},
	{advanced, "prepaid_invoices.0.issue_date", "", "BR-KSA-73", "prepaid_invoices.0"},
	{advanced, "prepaid_invoices.0.issue_date", "some day", "BR-KSA-F-01", ""},
	{advanced, "prepaid_invoices.0.issue_time", "", "BR-KSA-73", "prepaid_invoices.0"},
	{advanced, "prepaid_invoices.0.issue_time", "late", "BR-KSA-F-05", ""},
	{advanced, "prepaid_invoices.0.vat_breakdown.0.vat_category_tax_amount", "1", "BR-KSA-79", ""},
	{advanced, "prepaid_invoices.0.vat_breakdown.0.vat_category_taxable_amount", "40.005", "BR-KSA-DEC-06", ""},
	{advanced, "prepaid_invoices.0.vat_breakdown.0.vat_rate", "7", "BR-KSA-84", ""},
}

// statedMutations send a wrong amount instead of the calculated one.
var statedMutations = []mutation{
	{onCredit, "invoice_total_line_net_amount", "1", "BR-CO-10", ""},
	{onCredit, "invoice_total_line_net_amount", "2424.005", "BR-DEC-09", ""},
	{onCredit, "invoice_total_amount_without_vat", "1", "BR-CO-13", ""},
	{onCredit, "invoice_total_amount_without_vat", "2424.001", "BR-DEC-12", ""},
	{onCredit, "invoice_total_vat_amount", "1", "BR-CO-14", ""},
	{onCredit, "invoice_total_vat_amount", "363.601", "BR-DEC-13", ""},
	{dollars, "invoice_total_vat_amount_sar", "1.005", "BR-DEC-15", ""},
	{onCredit, "invoice_total_amount_with_vat", "1", "BR-CO-15", ""},
	{onCredit, "invoice_total_amount_with_vat", "2787.601", "BR-DEC-14", ""},
	{onCredit, "prepaid_amount", "100", "BR-KSA-73", "lines.0"},
	{advanced, "prepaid_amount", "1", "BR-KSA-80", ""},
	{onCredit, "payable_rounding_amount", "0.50", "BR-CO-16", "invoice_gross_total"},
	{onCredit, "payable_rounding_amount", "0.005", "BR-DEC-17", ""},
	{onCredit, "invoice_gross_total", "1", "BR-CO-16", ""},
	{onCredit, "invoice_gross_total", "2787.601", "BR-DEC-18", ""},
	{lowered, "invoice_total_document_level_allowance_amount", "1", "BR-CO-11", ""},
	{onCredit, "lines.0.line_net_amount", "1", "BR-KSA-EN16931-11", ""},
	{onCredit, "lines.0.line_vat_amount", "1", "BR-KSA-51", "lines.0.line_total_amount"},
	{onCredit, "lines.0.line_total_amount", "1", "BR-KSA-51", ""},
	{onCredit, "lines.1.line_vat_amount", "22.505", "BR-KSA-DEC-03", ""},
	{onCredit, "vat_breakdown.0.vat_category_taxable_amount", "1", "BR-S-08", ""},
	{onCredit, "vat_breakdown.0.vat_category_tax_amount", "1", "BR-S-09", ""},
	{onCredit, "vat_breakdown.0.vat_category_tax_amount", "363.605", "BR-DEC-20", ""},
	{onCredit, "vat_breakdown.0.vat_rate", "5", "BR-S-09", "vat_breakdown.0.vat_category_tax_amount"},
	{onCredit, "vat_breakdown.0.vat_category_code", "Z", "BR-Z-09", "vat_breakdown.0.vat_category_tax_amount"},
}

// TestInterface_4_7_ValidateZATCA_Mutants checks that a wrong value fails its rule
// with a fix, and that the same rules fail as for the XML of the same facts, built
// by the library.
func TestInterface_4_7_ValidateZATCA_Mutants(t *testing.T) {
	h := openTools(t)
	samples := sampleFacts()
	for _, m := range testtool.Spread(mutations, 0, 3) {
		t.Run(m.base+" "+m.path+" "+m.want, func(t *testing.T) {
			in := invoiceJSON(samples[m.base])
			set(t, in, m.path, m.value)
			v := m.fails(t, h, servicetest.AsJSON(t, in))
			if m.path == "transaction_code" {
				return // facts cannot represent an invalid code
			}
			facts, err := invoice.Parse([]byte(servicetest.AsJSON(t, in)))
			if err != nil {
				t.Fatal(err)
			}
			d, _ := invoice.ComputeUnchecked(facts)
			want := failuresOf(h, t, d, facts.Identity)
			if !slices.Equal(failed(v), want) {
				t.Errorf("invoice fails %v, want %v as its XML does", failed(v), want)
			}
		})
	}
}

// TestInterface_4_7_ValidateZATCA_StatedAmounts checks that an amount that is sent is
// checked instead of the calculated one, and that its field is named.
func TestInterface_4_7_ValidateZATCA_StatedAmounts(t *testing.T) {
	h := openTools(t)
	samples := sampleFacts()
	for _, m := range statedMutations {
		t.Run(m.base+" "+m.path+" "+m.want, func(t *testing.T) {
			in, _ := h.Tool("export", servicetest.AsJSON(t, servicetest.Record{"invoice": invoiceJSON(samples[m.base])})).Branded(t)["invoice"].(servicetest.Record)
			if ids := failed(h.Tool("validate-zatca", servicetest.AsJSON(t, in)).Verdict(t)); len(ids) > 0 {
				t.Fatalf("invoice with correct amounts fails %v, want none", ids)
			}
			set(t, in, m.path, m.value)
			m.fails(t, h, servicetest.AsJSON(t, in))
		})
	}
}

// fails validates a mutant and checks the result of its rule.
func (m mutation) fails(t *testing.T, h *servicetest.Instance, body string) servicetest.Verdict {
	t.Helper()
	v := h.Tool("validate-zatca", body).Verdict(t)
	r := v.Results[m.want]
	if servicetest.TextIn(r, "status") != "failed" {
		t.Errorf("status of %s = %v, want failed; failed rules: %v", m.want, r["status"], failed(v))
		return v
	}
	if path, want := cmp.Or(servicetest.TextIn(r, "path"), nobody), cmp.Or(m.blame, m.path); path != want {
		t.Errorf("path of %s = %q, want %q", m.want, path, want)
	}
	for _, field := range []string{"message", "message_ar", "severity", "fix", "fix_ar"} {
		if servicetest.TextIn(r, field) == "" {
			t.Errorf("result of %s has no %s", m.want, field)
		}
	}
	return v
}

// sampleFacts returns the samples by name, issued yesterday.
func sampleFacts() map[string]invoice.Facts {
	all := map[string]invoice.Facts{}
	for _, c := range sample.Every() {
		c.Facts.Identity = invoice.Identity{Number: "INV-2026-000042", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-11-14", IssueTime: "09:15:30"}
		all[c.Name] = c.Facts
	}
	return all
}
