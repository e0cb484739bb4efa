package invoice_test

import (
	"strings"
	"testing"

	"khatm/invoice"
)

// The fields of the two golden documents, by type.
var (
	freeTexts = []string{
		"payment_terms", "notes.0.note", "seller.name", "seller.name_arabic", "buyer.buyer_name", "buyer.buyer_name_arabic",
		"seller.street", "seller.additional_street", "seller.building_number", "seller.plot_identification",
		"seller.district", "seller.city", "seller.province_state", "seller.postal_code",
		"buyer.street", "buyer.additional_street", "buyer.building_number", "buyer.plot_identification",
		"buyer.district", "buyer.city", "buyer.province_state", "buyer.postal_code",
		"lines.0.item_name", "lines.0.invoiced_quantity_unit_of_measure", "lines.2.vat_exemption_reason_text",
		"document_level_allowances.1.reason", "prepaid_invoices.0.ref_num", "prepaid_invoices.0.uuid",
		"prepaid_invoices.0.vat_breakdown.1.vat_exemption_reason_text", "ref_num",
	}
	codeTexts = []string{
		"uuid", "issue_date", "issue_time", "previous_invoice_hash", "transaction_code", "supply_date", "supply_end_date",
		"currency", "payment_means_type_code", "notes.1.language_id", "seller.vat_registration_number",
		"seller.additional_seller_id.type_id", "seller.additional_seller_id.value", "seller.country_code",
		"buyer.vat_registration_number", "buyer.additional_buyer_id.0.type_id", "buyer.additional_buyer_id.0.value", "buyer.country_code",
		"lines.0.vat_category_code", "lines.2.vat_exemption_reason_code", "document_level_allowances.1.reason_code",
		"document_level_allowances.1.vat_category_code", "prepaid_invoices.0.issue_date", "prepaid_invoices.0.issue_time",
	}
	decimals = []string{
		"exchange_rate", "expected_payable_amount", "lines.0.item_net_price", "lines.0.invoiced_quantity", "lines.0.vat_rate",
		"document_level_allowances.0.allowance_amount", "document_level_allowances.0.vat_rate",
		"prepaid_invoices.0.vat_breakdown.0.vat_rate", "prepaid_invoices.0.vat_breakdown.0.vat_category_taxable_amount",
		"prepaid_invoices.0.vat_breakdown.0.vat_category_tax_amount",
	}
	lists   = []string{"notes", "buyer.additional_buyer_id", "lines", "document_level_allowances", "prepaid_invoices", "prepaid_invoices.0.vat_breakdown", "original_invoice_reference"}
	objects = []string{"seller", "buyer", "seller.additional_seller_id", "notes.0", "lines.0", "document_level_allowances.0", "prepaid_invoices.0", "prepaid_invoices.0.vat_breakdown.0"}
)

// TestWrongTypes sets every field to values of other types.
func TestWrongTypes(t *testing.T) {
	var cases []wrong
	each := func(paths []string, says string, values ...string) {
		for _, path := range paths {
			for _, value := range values {
				cases = append(cases, set(path+" is "+value, path, value, says))
			}
		}
	}
	each(freeTexts, "must be a string", `7`, `true`, `["x"]`, `{}`)
	each(codeTexts, "must be a string", `7`, `false`)
	each(decimals, "at most 20 digits", `1E400`, `1e-400`, `1e99`)
	each(decimals, "must be a decimal number", `true`, `"abc"`, `""`, `[]`, `{}`, `"1e3"`, `"+1"`, `" 1"`, `"1 "`, `"0x1"`)
	each(decimals, "at most 20 digits", wideDigits, `"`+wideDigits+`"`)
	each(lists, "must be a list", `"x"`, `1`, `{}`)
	each(objects, "must be an object", `"x"`, `1`, `[]`, `true`)
	each([]string{"counter", "type_code"}, "must be an integer", `1.0`, `1e2`, `"1"`, `true`, `[]`)
	for _, object := range objects {
		cases = append(cases, set("unknown field in "+object, object+".x", `1`, "not a field"))
	}
	runWrong(t, read(t, "full"), cases)
	if len(cases) < 300 {
		t.Errorf("cases: got %d, want 300 or more", len(cases))
	}
}

// TestWrongTexts sets every text field to characters that XML cannot represent, and to
// a text that is too long. A field with a prescribed format may have other problems as
// well, but no other field may have any.
func TestWrongTexts(t *testing.T) {
	long := strings.Repeat("ش", invoice.MaxText+1)
	for _, field := range append(freeTexts, "reason", "original_invoice_reference.0.ref_num") {
		base := read(t, "full")
		if field == "reason" || strings.HasPrefix(field, "original") {
			base = read(t, "credit")
		}
		for _, c := range []struct{ name, text, says string }{
			{"bell", bell, "U+0007"},
			{"null character", `"a\u0000b"`, "U+0000"},
			{"noncharacter", `"\uffff"`, "U+FFFF"},
			{"too long", quoted(long), "at most"},
		} {
			t.Run(field+" "+c.name, func(t *testing.T) {
				got := refusals(t, edited(t, base, field, c.text))
				said := false
				for _, p := range got {
					if p.Path != field {
						t.Errorf("got %s, want problems at %s only", p, field)
					}
					said = said || strings.Contains(p.Message, c.says)
				}
				if !said {
					t.Errorf("got %q, want a problem at %s that contains %q", got, field, c.says)
				}
			})
		}
	}
}

// TestLongestTexts checks that texts of the maximum length are accepted. A letter and
// its mark count as one character if Unicode has a composed form.
func TestLongestTexts(t *testing.T) {
	for name, text := range map[string]string{
		"Latin":      strings.Repeat("x", invoice.MaxText),
		"Arabic":     strings.Repeat("ش", invoice.MaxText),
		"emoji":      strings.Repeat("🧾", invoice.MaxText),
		"decomposed": strings.Repeat("e\u0301", invoice.MaxText),
	} {
		for _, field := range []string{"notes.0.note", "lines.0.item_name", "payment_terms", "buyer.buyer_name"} {
			if got := refusals(t, edited(t, read(t, "full"), field, quoted(text))); len(got) > 0 {
				t.Errorf("%s in %s: problems %.200q, want none", name, field, got)
			}
		}
	}
}

// TestInvalidUTF8 uses texts that are not valid UTF-8. JSON cannot contain
// them.
func TestInvalidUTF8(t *testing.T) {
	facts := parse(t, read(t, "full"))
	facts.Lines[0].Name = "a\xffb"
	facts.Seller.City = "\xd8"
	_, err := invoice.Compute(facts)
	want := "seller.city: is not valid UTF-8; lines.0.item_name: is not valid UTF-8"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
