package invoice_test

import (
	"strings"
	"testing"
)

// TestWrongParties changes the seller and the buyer of the full document.
func TestWrongParties(t *testing.T) {
	const sellerID, buyerID = "seller.additional_seller_id", "buyer.additional_buyer_id"
	const vat = "15 digits of which the first and the last are 3"
	runWrong(t, read(t, "full"), []wrong{
		set("seller not an object", "seller", `"Khatm"`, "object"),
		{"seller without a name", []string{"seller.name_arabic", "-", "seller.name", `""`}, "seller.name", "empty"},
		set("seller with a blank Arabic name", "seller.name_arabic", `" "`, "empty"),
		set("Arabic seller name of 128 bytes", "seller.name_arabic", quoted(strings.Repeat("ش", 64)), "127 bytes"),
		{"Latin seller name of 128 bytes", []string{"seller.name_arabic", "-", "seller.name", quoted(strings.Repeat("x", 128))}, "seller.name", "127 bytes"},
		set("seller VAT number too short", "seller.vat_registration_number", `"31017539740003"`, vat),
		set("seller VAT number begins with 2", "seller.vat_registration_number", `"210175397400003"`, vat),
		set("seller VAT number ends with 4", "seller.vat_registration_number", `"310175397400004"`, vat),
		set("seller VAT number in Arabic digits", "seller.vat_registration_number", `"٣١٠١٧٥٣٩٧٤٠٠٠٠٣"`, vat),
		set("seller VAT number missing", "seller.vat_registration_number", `null`, vat),
		set("seller id type of a buyer", sellerID+".type_id", `"NAT"`, "seller id type"),
		set("seller id empty", sellerID+".value", `""`, "1 to 127"),
		set("seller id with a dash", sellerID+".value", `"1010-183482"`, "letters and digits"),
		set("seller id of 128 characters", sellerID+".value", quoted(strings.Repeat("1", 128)), "1 to 127"),
		set("seller id not an object", sellerID, `"1010183482"`, "object"),
		set("seller id with an unknown field", sellerID+".country", `"SA"`, "not a field"),
		set("seller without street", "seller.street", `""`, "empty"),
		set("seller building number of 5 digits", "seller.building_number", `"80911"`, "4 digits"),
		set("seller building number as a number", "seller.building_number", `8091`, "string"),
		set("seller without district", "seller.district", `" "`, "empty"),
		set("seller without city", "seller.city", `null`, "empty"),
		set("seller postal code of 4 digits", "seller.postal_code", `"1221"`, "5 digits"),
		set("seller abroad", "seller.country_code", `"AE"`, "must be SA"),

		set("standard without buyer", "buyer", `null`, "required on a standard document"),
		set("buyer not an object", "buyer", `[]`, "object"),
		set("buyer without a name", "buyer.buyer_name", `""`, "empty"),
		set("buyer with a blank Arabic name", "buyer.buyer_name_arabic", `"\t"`, "empty"),
		set("buyer VAT number wrong", "buyer.vat_registration_number", `"311287654900001"`, vat),
		{"buyer without VAT number and id", []string{"buyer.vat_registration_number", `""`, buyerID, `[]`}, "buyer.vat_registration_number", "no additional_buyer_id"},
		set("buyer id type unknown", buyerID+".0.type_id", `"VAT"`, "buyer id type"),
		set("buyer id with a space", buyerID+".0.value", `"4030 276644"`, "letters and digits"),
		set("second buyer id wrong", buyerID+".1", `{"type_id": "CRN", "value": ""}`, "object").at(buyerID+".1.value", "1 to 127"),
		set("buyer ids as an object", buyerID, `{"type_id": "CRN", "value": "1"}`, "list"),
		set("buyer in an unknown country", "buyer.country_code", `"XK"`, "country code"),
		set("buyer building number empty", "buyer.building_number", `""`, "4 digits"),
		set("buyer postal code with a letter", "buyer.postal_code", `"2332A"`, "5 digits"),
		set("buyer without district", "buyer.district", `""`, "empty"),
		{"foreign buyer without street", []string{"buyer.country_code", `"DE"`, "buyer.street", `""`}, "buyer.street", "empty"},
		{"foreign buyer without city", []string{"buyer.country_code", `"DE"`, "buyer.city", `""`}, "buyer.city", "empty"},
		set("buyer with an unknown field", "buyer.contact", `"Ali"`, "not a field"),
	})
}

// at returns the case with another expected problem.
func (w wrong) at(path, says string) wrong {
	w.path, w.says = path, says
	return w
}

// TestWrongNotes changes a simplified credit note and its identity.
func TestWrongNotes(t *testing.T) {
	const originals = "original_invoice_reference"
	runWrong(t, read(t, "credit"), []wrong{
		set("note without original", originals, `[]`, "must name the invoice"),
		set("original without number", originals+".1.ref_num", `""`, "empty"),
		set("original with a wrong date", originals+".0.issue_date", `"28.10.2026"`, "date"),
		set("original that is a text", originals+".0", `"INV-2026-000017"`, "object"),
		set("note without reason", "reason", `null`, "required on a credit or debit note"),
		set("note with a blank reason", "reason", `"  "`, "required on a credit or debit note"),
		set("note without payment means", "payment_means_type_code", `""`, "payment means"),
		set("debit note without reason", "reason", `""`, "required").and("type_code", `383`),
		set("advance on a note", "prepaid_invoices", `[{"ref_num": "A", "issue_date": "2026-01-01", "issue_time": "10:00:00",
			"vat_breakdown": [{"vat_rate": 15, "vat_category_taxable_amount": 10, "vat_category_tax_amount": 1.5}]}]`, "tax invoice only"),

		set("no number", "ref_num", `""`, "empty"),
		set("number of 128 characters", "ref_num", quoted(strings.Repeat("ر", 128)), "127 characters"),
		set("number with a control character", "ref_num", bell, "U+0007"),
		set("no id", "uuid", `null`, "UUID"),
		set("id without dashes", "uuid", `"0f0d5b5e54ec4d4f8a0c4f6a7e2f9b10"`, "UUID"),
		set("id with braces", "uuid", `"{f0d5b5e-54ec-4d4f-8a0c-4f6a7e2f9b1}"`, "UUID"),
		set("id with a letter that is not hexadecimal", "uuid", `"0f0d5b5e-54ec-4d4f-8a0c-4f6a7e2f9b1g"`, "UUID"),
		set("no date of issue", "issue_date", `""`, "required"),
		set("date of issue of last century", "issue_date", `"1999-12-31"`, "2000"),
		set("24 o'clock", "issue_time", `"24:00:00"`, "HH:MM:SS"),
		set("leap second", "issue_time", `"23:59:60"`, "HH:MM:SS"),
		set("time without seconds", "issue_time", `"09:15"`, "HH:MM:SS"),
		set("time with a fraction", "issue_time", `"09:15:30.5"`, "HH:MM:SS"),
		set("time in UTC", "issue_time", `"09:15:30Z"`, "HH:MM:SS"),
		set("counter zero", "counter", `0`, "1 or more"),
		set("counter negative", "counter", `-1`, "1 or more"),
		set("counter as text", "counter", `"43"`, "integer"),
		set("counter beyond 64 bits", "counter", `9223372036854775808`, "integer"),
		set("no previous hash", "previous_invoice_hash", `""`, "SHA-256"),
		set("previous hash of 31 bytes", "previous_invoice_hash", `"2iTZvl7Yw2V6WgRkpRn2d9mOV2q0JsvfYkXSz+D0Yg=="`, "SHA-256"),
		set("previous hash in hexadecimal", "previous_invoice_hash", quoted(strings.Repeat("5f", 32)), "SHA-256"),
		set("previous hash with a line break", "previous_invoice_hash", `"2iTZvl7Yw2V6WgRkpRn2d9mOV2q0JsvfYkXSz+D0YjE=\n"`, "SHA-256"),
		set("previous hash in the alphabet of URLs", "previous_invoice_hash", `"2iTZvl7Yw2V6WgRkpRn2d9mOV2q0JsvfYkXSz-D0YjE="`, "SHA-256"),
	})
}

// and returns the case with one more change.
func (w wrong) and(path, value string) wrong {
	w.edits = append(w.edits, path, value)
	return w
}
