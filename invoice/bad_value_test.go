package invoice_test

import (
	"strings"
	"testing"
)

const (
	wideDigits = "123456789012345678901234567890" // 30 digits
	bell       = `"a\u0007b"`
)

// TestWrongValues changes one value of the full document.
func TestWrongValues(t *testing.T) {
	runWrong(t, read(t, "full"), []wrong{
		{"type code unknown", []string{"type_code", `380`, "prepaid_invoices", `[]`}, "type_code", "388, 381, 383 or 386"},
		set("type code as text", "type_code", `"388"`, "integer"),
		set("type code with a point", "type_code", `388.0`, "integer"),
		set("type code as a boolean", "type_code", `true`, "integer"),
		set("type code too large", "type_code", wideDigits, "integer"),
		set("transaction code too short", "transaction_code", `"01"`, "seven characters"),
		set("transaction code of another kind", "transaction_code", `"0300000"`, "seven characters"),
		set("transaction code with a 2 as flag", "transaction_code", `"0100200"`, "only 0 and 1"),
		set("transaction code of nine characters", "transaction_code", `"010000001"`, "seven characters"),
		set("simplified and self-billed", "transaction_code", `"0200001"`, "self-billed"),
		{"export and self-billed", []string{"transaction_code", `"0100101"`, "lines", exportLine, "document_level_allowances", `[]`}, "transaction_code", "self-billed"},
		set("unknown field", "discount", `"5"`, "not a field"),
		set("field in another case", "Currency", `"SAR"`, "not a field"),

		set("day that does not exist", "supply_date", `"2026-02-30"`, "date"),
		{"date before 2000", []string{"supply_date", `"1999-12-31"`}, "supply_date", "2000"},
		set("date without dashes", "supply_date", `"20261110"`, "date"),
		set("date with a time", "supply_date", `"2026-11-10T00:00:00"`, "date"),
		set("date in Arabic digits", "supply_date", `"٢٠٢٦-١١-١٠"`, "date"),
		{"no supply date", []string{"supply_date", `""`}, "supply_date", "required"},
		set("supply end before supply", "supply_end_date", `"2026-11-09"`, "before supply_date"),
		set("supply end that is not a date", "supply_end_date", `"soon"`, "date"),
		{"supply end alone on an advance invoice", []string{"type_code", `386`, "supply_date", `null`, "prepaid_invoices", `[]`}, "supply_date", "required"},

		set("currency unknown", "currency", `"USB"`, "currency"),
		set("currency in small letters", "currency", `"usd"`, "currency"),
		set("currency that the authority does not know yet", "currency", `"MRU"`, "currency"),
		set("rate of the riyal", "exchange_rate", `1`, "not 1"),
		{"riyal at another rate", []string{"currency", `"SAR"`}, "exchange_rate", "must be 1"},
		set("rate zero", "exchange_rate", `0`, "greater than zero"),
		set("rate negative", "exchange_rate", `-3.75`, "greater than zero"),
		set("rate of 15 digits", "exchange_rate", `123456789012345`, "14 characters"),
		set("rate with a huge exponent", "exchange_rate", `1e308`, "at most 20 digits"),
		set("rate not a number", "exchange_rate", `"NaN"`, "decimal number"),
		set("rate of 30 digits", "exchange_rate", wideDigits, "at most 20 digits"),

		set("payment means unknown", "payment_means_type_code", `"99"`, "payment means"),
		set("payment means as a number", "payment_means_type_code", `30`, "string"),
		set("credit without terms", "payment_terms", `""`, "Payment terms are required"),
		set("credit with blank terms", "payment_terms", `" \u00a0\n"`, "Payment terms are required"),
		{"terms without means", []string{"payment_means_type_code", `""`}, "payment_terms", "payment_means_type_code"},
		set("reason on a tax invoice", "reason", `"x"`, "credit or debit note only"),
		set("original on a tax invoice", "original_invoice_reference", `[{"ref_num": "INV-1"}]`, "only a credit or debit note"),
		set("language of a note", "notes.0.language_id", `"fr"`, "en or ar"),
		set("empty note", "notes.1.note", `" "`, "empty"),

		set("no lines", "lines", `[]`, "at least one line"),
		{"4,001 lines", []string{"lines", `[` + strings.Repeat(`{},`, 4000) + `{}]`, "prepaid_invoices", `[]`}, "lines", "at most 4000"},
		set("line that is null", "lines.0", `null`, "object"),
		set("line that is a text", "lines.0", `"tea"`, "object"),
		set("no item name", "lines.0.item_name", `""`, "empty"),
		set("price negative", "lines.0.item_net_price", `-0.01`, "negative"),
		set("price zero", "lines.0.item_net_price", `"0.00"`, "greater than zero"),
		{"price missing", []string{"lines.0.item_net_price", "-"}, "lines.0.item_net_price", "greater than zero"},
		set("price of three decimals", "lines.0.item_net_price", `"18.955"`, "two decimals"),
		set("price of a billion", "lines.0.item_net_price", `1000000000`, "below 1000000000"),
		set("price with an exponent as text", "lines.0.item_net_price", `"1e2"`, "decimal number"),
		set("price with a comma", "lines.0.item_net_price", `"18,95"`, "decimal number"),
		set("price in Arabic digits", "lines.0.item_net_price", `"١٨٫٩٥"`, "decimal number"),
		set("quantity zero", "lines.0.invoiced_quantity", `0`, "greater than zero"),
		set("quantity negative", "lines.0.invoiced_quantity", `-2`, "greater than zero"),
		set("quantity that rounds to zero", "lines.0.invoiced_quantity", `0.0000004`, "6 decimals"),
		set("quantity of 31 places", "lines.0.invoiced_quantity", `0.0000000000000000000000000000001`, "30 after the point"),
		{"price times quantity too large", []string{"lines.0.item_net_price", `999999999.99`, "lines.0.invoiced_quantity", `10000.01`}, "lines.0.invoiced_quantity", "times the price"},
		{"a product at the limit", []string{"lines.0.item_net_price", `100000000`, "lines.0.invoiced_quantity", `100000`}, "lines.0.invoiced_quantity", "times the price"},
		set("no unit", "lines.0.invoiced_quantity_unit_of_measure", `""`, "empty"),

		set("category unknown", "lines.0.vat_category_code", `"AE"`, "S, Z, E or O"),
		set("standard rate zero", "lines.0.vat_rate", `0`, "greater than 0"),
		set("standard rate above 100", "lines.0.vat_rate", `100.01`, "at most 100"),
		set("standard rate negative", "lines.0.vat_rate", `"-15"`, "greater than 0"),
		set("zero-rated at 15", "lines.2.vat_rate", `15`, "must be 0 in category Z"),
		set("exempt at 5", "lines.3.vat_rate", `5`, "must be 0 in category E"),
		set("out of scope at 15", "lines.4.vat_rate", `15`, "must be 0 in category O"),
		set("standard with a reason", "lines.0.vat_exemption_reason_code", `"VATEX-SA-35"`, "empty in category S"),
		{"standard with the text of a reason", []string{"lines.0.vat_exemption_reason_text", `"x"`}, "lines.0.vat_exemption_reason_code", "empty in category S"},
		set("zero-rated without reason", "lines.2.vat_exemption_reason_code", `""`, "category Z"),
		set("zero-rated without text", "lines.2.vat_exemption_reason_text", `" "`, "empty"),
		set("reason of another category", "lines.2.vat_exemption_reason_code", `"VATEX-SA-29"`, "category Z"),
		set("reason that only the authority accepts", "lines.2.vat_exemption_reason_code", `"VATEX-SA-DIPLOMAT"`, "category Z"),
		set("reason unknown", "lines.4.vat_exemption_reason_code", `"OOS"`, "category O"),
		{"export with a standard line", []string{"transaction_code", `"0100100"`, "lines", exportLine, "lines.1", `{"item_name": "Tea", "item_net_price": 1, "vat_rate": 15}`,
			"document_level_allowances", `[]`}, "lines.1.vat_exemption_reason_code", "export"},
		{"export of medicine", []string{"transaction_code", `"0100100"`, "lines", exportLine, "lines.0.vat_exemption_reason_code", `"VATEX-SA-35"`,
			"document_level_allowances", `[]`}, "lines.0.vat_exemption_reason_code", "export"},
	})
}

const exportLine = `[{"item_name": "Dates", "item_net_price": 5000, "vat_category_code": "Z", "vat_exemption_reason_code": "VATEX-SA-32", "vat_exemption_reason_text": "Export of goods"}]`

// TestWrongSums makes amounts contradict each other.
func TestWrongSums(t *testing.T) {
	const allowances, advances = "document_level_allowances", "prepaid_invoices"
	const first = advances + ".0.vat_breakdown.0"
	runWrong(t, read(t, "full"), []wrong{
		set("allowance negative", allowances+".0.allowance_amount", `"-1"`, "negative"),
		set("allowance of three decimals", allowances+".0.allowance_amount", `27.405`, "two decimals"),
		set("allowance above the limit", allowances+".0.allowance_amount", `10000000000000`, "below"),
		{"allowance without a line of its rate", []string{allowances + ".0.vat_rate", `10`}, allowances + ".0.vat_category_code", "no line"},
		{"allowance without a line of its category", []string{"lines.3", exempted, allowances + ".1.vat_category_code", `"E"`, advances, `[]`, "expected_payable_amount", `null`}, allowances + ".1.vat_category_code", "no line"},
		set("allowance above its lines", allowances+".0.allowance_amount", `"227.41"`, "0.01 more"),
		{"two allowances above their lines", []string{allowances + ".2", `{"allowance_amount": "200.01", "vat_rate": 15}`}, allowances + ".2.allowance_amount", "0.01 more"},
		set("allowance code unknown", allowances+".1.reason_code", `"5"`, "allowance reason code"),
		set("allowance category unknown", allowances+".1.vat_category_code", `"X"`, "S, Z, E or O"),
		set("allowance of Z at 15", allowances+".1.vat_rate", `15`, "must be 0"),
		set("allowance of S at zero", allowances+".0.vat_rate", `0`, "greater than 0"),

		{"advance on an advance invoice", []string{"type_code", `386`}, advances, "tax invoice only"},
		{"advance twice", []string{advances + ".1.ref_num", `"ADV-2026-000007"`}, advances + ".1.ref_num", "twice"},
		{"advances above the invoice", []string{first + ".vat_category_taxable_amount", `2000`, first + ".vat_category_tax_amount", `300`, "expected_payable_amount", `null`}, advances, "more than the invoice"},
		set("advance with the VAT of another rate", first+".vat_category_tax_amount", `"5.00"`, "15 percent of 100.00 is 15.00"),
		set("advance two cents off", first+".vat_category_tax_amount", `"15.02"`, "15 percent of 100.00 is 15.00"),
		set("advance of three decimals", first+".vat_category_taxable_amount", `"100.001"`, "two decimals"),
		set("advance without date", advances+".0.issue_date", `""`, "required"),
		set("advance without time", advances+".0.issue_time", `""`, "HH:MM:SS"),
		set("advance at 24 o'clock", advances+".0.issue_time", `"24:00:00"`, "HH:MM:SS"),
		set("advance without breakdown", advances+".0.vat_breakdown", `[]`, "1 to 100 entries"),
		{"advance with a standard rate of zero", []string{first + ".vat_rate", `0`, first + ".vat_category_tax_amount", `0`}, first + ".vat_rate", "greater than 0"},
		set("advance exempt without reason", advances+".0.vat_breakdown.1.vat_exemption_reason_code", `""`, "category E"),

		set("payable too high", "expected_payable_amount", `"1012.28"`, "more than 0.01 a line apart"),
		set("payable too low", "expected_payable_amount", `"1012.16"`, "more than 0.01 a line apart"),
		set("payable negative", "expected_payable_amount", `-1`, "zero or more"),
		set("payable of three decimals", "expected_payable_amount", `"1012.225"`, "two decimals"),
		set("payable as a boolean", "expected_payable_amount", `false`, "decimal number"),
	})
}

// exempted is a standard line that replaces the only exempt one.
const exempted = `{"item_name": "Rent", "item_net_price": "1000", "vat_rate": 15}`
