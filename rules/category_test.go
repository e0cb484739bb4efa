package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// all returns a document with lines of every VAT category and a discount on each.
func all(t testing.TB) *ubl.Invoice { return read(t, sealed(t, "388-standard-all-sar-discount")) }

// row returns the first row of the breakdown of a category.
func row(inv *ubl.Invoice, letter string) *ubl.TaxSubtotal {
	for _, s := range rows(inv) {
		if s.TaxCategory.ID.Value == letter {
			return s
		}
	}
	return nil
}

// without returns a change that removes the rows of a category from the
// breakdown.
func without(letter string) func(*ubl.Invoice) {
	return func(inv *ubl.Invoice) {
		var kept []*ubl.TaxSubtotal
		for _, s := range rows(inv) {
			if s.TaxCategory.ID.Value != letter {
				kept = append(kept, s)
			}
		}
		inv.TaxTotals[1].Subtotals = kept
	}
}

// add returns a change that adds a discount or charge to the document.
func add(charge, letter, rate string) func(*ubl.Invoice) {
	return func(inv *ubl.Invoice) {
		inv.AllowanceCharges = append(inv.AllowanceCharges, adjusted(charge, "0", letter, rate))
	}
}

// lineRate returns a change that sets the rate of the first line of a category.
func lineRate(letter, rate string) func(*ubl.Invoice) {
	return func(inv *ubl.Invoice) {
		for _, l := range inv.Lines {
			if c := l.Item.TaxCategories[0]; c.ID.Value == letter {
				c.Percent.Value = rate
				return
			}
		}
	}
}

func TestStandardRate(t *testing.T) {
	const lineRatePath = line1 + "/cac:Item/cac:ClassifiedTaxCategory[1]/cbc:Percent"
	first := "/Invoice/cac:AllowanceCharge[1]/cac:TaxCategory[1]/cbc:Percent"
	reason := func(inv *ubl.Invoice) { row(inv, "S").TaxCategory.TaxExemptionReasonCode = ubl.NewText("VATEX-SA-32") }
	show(t, []example{
		{"BR-S-01", standard, nil, rules.Passed, ""},
		{"BR-S-01", export, nil, rules.NotApplicable, ""},
		{"BR-S-01", standard, without("S"), rules.Failed, "/Invoice/cac:TaxTotal/cac:TaxSubtotal"},
		{"BR-S-05", standard, nil, rules.Passed, ""},
		{"BR-S-05", standard, lineRate("S", "0.00"), rules.Failed, lineRatePath},
		{"BR-S-06", discounted, nil, rules.Passed, ""},
		{"BR-S-06", standard, add("false", "S", "0"), rules.Failed, first},
		{"BR-S-06", standard, add("true", "S", "0"), rules.NotApplicable, ""},
		{"BR-S-07", standard, add("1", "S", "15"), rules.Passed, ""},
		{"BR-S-07", standard, add("1", "S", "0"), rules.Failed, first},
		{"BR-S-08", all, nil, rules.Passed, ""},
		{"BR-S-08", all, func(inv *ubl.Invoice) {
			// 5 % and 15 % are checked together.
			a, b := rows(inv)[0].TaxableAmount, rows(inv)[1].TaxableAmount
			a.Value, b.Value = b.Value, a.Value
		}, rules.Passed, ""},
		{"BR-S-08", standard, func(inv *ubl.Invoice) { rows(inv)[0].TaxableAmount.Value = "2424.001" }, rules.Failed, firstRow + "/cbc:TaxableAmount"},
		{"BR-S-08", standard, func(inv *ubl.Invoice) {
			for _, l := range inv.Lines {
				l.Item.TaxCategories[0].TaxScheme.ID.Value = "GST"
			}
		}, rules.Failed, firstRow + "/cbc:TaxableAmount"},
		{"BR-S-09", standard, nil, rules.Passed, ""},
		{"BR-S-09", standard, func(inv *ubl.Invoice) { rows(inv)[0].TaxAmount.Value = "363.57" }, rules.Failed, firstRow + "/cbc:TaxAmount"},
		{"BR-S-09", standard, func(inv *ubl.Invoice) { rows(inv)[0].TaxCategory.Percent = nil }, rules.Failed, firstRow + "/cac:TaxCategory/cbc:Percent"},
		{"BR-S-10", standard, nil, rules.Passed, ""},
		{"BR-S-10", standard, reason, rules.Failed, firstRow + "/cac:TaxCategory"},
		{"BR-S-10", standard, func(inv *ubl.Invoice) { reason(inv); rows(inv)[0].TaxCategory.ID.Value = "S " }, rules.NotApplicable, ""},
	})
}

// TestUntaxed runs the same examples on the three categories without VAT, as far
// as each has the rules.
func TestUntaxed(t *testing.T) {
	price := func(letter string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) {
			p := inv.Lines[0].Price
			p.AllowanceCharges = append(p.AllowanceCharges, adjusted("false", "0", letter, "15"))
		}
	}
	for _, letter := range []string{"Z", "E", "O"} {
		breakdown, discount := map[string]string{"Z": "3", "E": "4", "O": "5"}[letter], "[1]/cac:TaxCategory[1]/cbc:Percent"
		at := "/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[" + breakdown + "]"
		id := "BR-" + letter
		examples := []example{
			{id + "-01", all, nil, rules.Passed, ""},
			{id + "-01", standard, nil, rules.NotApplicable, ""},
			{id + "-01", all, without(letter), rules.Failed, "/Invoice/cac:TaxTotal/cac:TaxSubtotal"},
			{id + "-01", standard, price(letter), rules.Failed, "/Invoice/cac:TaxTotal/cac:TaxSubtotal"},
			{id + "-08", all, nil, rules.Passed, ""},
			{id + "-08", standard, nil, rules.NotApplicable, ""},
			{id + "-08", all, func(inv *ubl.Invoice) { row(inv, letter).TaxableAmount.Value += "1" }, rules.Failed, at + "/cbc:TaxableAmount"},
			{id + "-08", standard, func(inv *ubl.Invoice) {
				s := &ubl.TaxSubtotal{TaxableAmount: ubl.NewText("0"), TaxAmount: ubl.NewText("0"), TaxCategory: category(letter, "0")}
				inv.TaxTotals[1].Subtotals = append(rows(inv), s)
			}, rules.Failed, "/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[2]"},
			{id + "-09", all, nil, rules.Passed, ""},
			{id + "-09", all, func(inv *ubl.Invoice) { row(inv, letter).TaxAmount.Value = "0.01" }, rules.Failed, at + "/cbc:TaxAmount"},
		}
		if letter != "O" {
			line := map[string]string{"Z": "3", "E": "4"}[letter]
			examples = append(examples, []example{
				{id + "-05", all, nil, rules.Passed, ""},
				{id + "-05", all, lineRate(letter, "0.01"), rules.Failed, "/Invoice/cac:InvoiceLine[" + line + "]/cac:Item/cac:ClassifiedTaxCategory" + discount[len("[1]/cac:TaxCategory"):]},
				{id + "-06", all, nil, rules.Passed, ""},
				{id + "-06", standard, add("0", letter, "15"), rules.Failed, "/Invoice/cac:AllowanceCharge" + discount},
				{id + "-06", standard, price(letter), rules.Failed, line1 + "/cac:Price/cac:AllowanceCharge" + discount},
				{id + "-07", all, nil, rules.NotApplicable, ""},
				{id + "-07", standard, add("true", letter, "0.00"), rules.Passed, ""},
				{id + "-07", standard, add("true", letter, "15"), rules.Failed, "/Invoice/cac:AllowanceCharge" + discount},
				// Any rate of 0 is enough, even that of a discount of another category.
				{id + "-07", standard, func(inv *ubl.Invoice) { add("true", letter, "15")(inv); add("false", "O", "0")(inv) }, rules.Passed, ""},
			}...)
		}
		show(t, examples)
	}
}

// Two reasons of one category share its lines, and each row is compared with
// all of them.
func TestTwoReasonsOfOneCategory(t *testing.T) {
	for name, id := range map[string]string{"two-reasons-of-one-category": "BR-Z-08", "two-reasons-of-exemption": "BR-E-08", "two-texts-of-one-reason": "BR-O-08"} {
		got, places := statusOf(t, rules.Check(read(t, sealed(t, name)), checked), id)
		if got != rules.Failed || len(places) != 2 {
			t.Errorf("%s in %s: got %s at %d places, want %s at 2", id, name, got, len(places), rules.Failed)
		}
	}
}

// Discounts and charges in elements that are not in the model are checked as
// well.
func TestStrayAdjustments(t *testing.T) {
	const terms = `<cac:DeliveryTerms><cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>` +
		`<cbc:MultiplierFactorNumeric>101</cbc:MultiplierFactorNumeric><cbc:Amount currencyID="SAR">0</cbc:Amount>` +
		`<cac:TaxCategory><cbc:ID>E</cbc:ID><cbc:Percent>115</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory>` +
		`</cac:AllowanceCharge></cac:DeliveryTerms>`
	document := sealed(t, "388-standard-s15-sar")
	results := rules.Check(replaced(t, document, "<cac:PaymentMeans>", terms+"<cac:PaymentMeans>"), checked)
	for _, id := range []string{"BR-E-01", "BR-E-06", "BR-KSA-DEC-01", "BR-KSA-DEC-02", "BR-KSA-EN16931-04"} {
		if got, _ := statusOf(t, results, id); got != rules.Failed {
			t.Errorf("%s: got %s, want failed", id, got)
		}
	}
}
