package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

func TestTax(t *testing.T) {
	const (
		buyer    = "/Invoice/cac:AccountingCustomerParty/cac:Party"
		code     = "/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[1]/cac:TaxCategory/cbc:TaxExemptionReasonCode"
		category = "/cac:Item/cac:ClassifiedTaxCategory"
	)
	subtotal := func(change func(*ubl.TaxCategory)) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { change(inv.TaxTotals[1].Subtotals[0].TaxCategory) }
	}
	uncoded := subtotal(func(c *ubl.TaxCategory) { c.TaxExemptionReasonCode = nil })
	item := func(change func(*ubl.TaxCategory)) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { change(inv.Lines[0].Item.TaxCategories[0]) }
	}
	lettered := func(letter string) func(*ubl.Invoice) {
		return item(func(c *ubl.TaxCategory) { c.ID.Value = letter })
	}
	lineTotal := func(change func(*ubl.TaxTotal)) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { change(inv.Lines[0].TaxTotals[0]) }
	}
	total := func(text string) func(*ubl.Invoice) {
		return lineTotal(func(t *ubl.TaxTotal) { t.RoundingAmount = ubl.NewText(text) })
	}
	nameless := func(inv *ubl.Invoice) { inv.Customer.Party.LegalEntities = nil }
	exempt, outOfScope, zero := sampleNamed("388-standard-e-sar"), sampleNamed("388-standard-o-sar"), sampleNamed("388-standard-z-sar")
	school := sampleNamed("388-simplified-VATEX-SA-EDU")
	show(t, []example{
		{"BR-KSA-11", outOfScope, nil, rules.Passed, ""},
		{"BR-KSA-11", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-11", outOfScope, item(func(c *ubl.TaxCategory) { c.Percent.Value = "15" }), rules.Failed, "/Invoice/cac:InvoiceLine[1]" + category + "[1]/cbc:Percent"},

		{"BR-KSA-18", standard, nil, rules.Passed, ""},
		{"BR-KSA-18", standard, lettered("S Z"), rules.Passed, ""},
		{"BR-KSA-18", standard, lettered("AE"), rules.Failed, "/Invoice/cac:InvoiceLine[1]" + category + "/cbc:ID"},
		{"BR-KSA-18", deducting, func(inv *ubl.Invoice) {
			inv.Lines[len(inv.Lines)-1].TaxTotals[0].Subtotals[0].TaxCategory.ID.Value = "s"
		}, rules.Failed, "/Invoice/cac:InvoiceLine[4]/cac:TaxTotal[1]/cac:TaxSubtotal[1]/cac:TaxCategory/cbc:ID"},

		{"BR-KSA-23", exempt, nil, rules.Passed, ""},
		{"BR-KSA-23", exempt, uncoded, rules.Failed, code},
		{"BR-KSA-23", zero, nil, rules.NotApplicable, ""},
		{"BR-KSA-24", outOfScope, nil, rules.Passed, ""},
		{"BR-KSA-24", outOfScope, uncoded, rules.Failed, code},
		{"BR-KSA-69", zero, nil, rules.Passed, ""},
		{"BR-KSA-69", zero, uncoded, rules.Failed, code},

		{"BR-KSA-25", school, nil, rules.Passed, ""},
		{"BR-KSA-25", simplified, nil, rules.NotApplicable, ""},
		{"BR-KSA-25", school, nameless, rules.Failed, buyer + "/cac:PartyLegalEntity/cbc:RegistrationName"},
		{"BR-KSA-25", sampleNamed("388-standard-VATEX-SA-EDU"), nameless, rules.NotApplicable, ""},

		{"BR-KSA-49", school, nil, rules.Passed, ""},
		{"BR-KSA-49", zero, nil, rules.NotApplicable, ""},
		{"BR-KSA-49", school, func(inv *ubl.Invoice) {
			inv.Customer.Party.Identifications[0].ID = ubl.NewText("2083726154", "schemeID", "IQA")
		}, rules.Failed, buyer + "/cac:PartyIdentification/cbc:ID"},

		{"BR-KSA-51", standard, nil, rules.Passed, ""},
		{"BR-KSA-51", standard, total("2615.104"), rules.Passed, ""},
		{"BR-KSA-51", standard, total("2615.11"), rules.Failed, "/Invoice/cac:InvoiceLine[1]/cac:TaxTotal[1]/cbc:RoundingAmount"},

		{"BR-KSA-52", standard, nil, rules.Passed, ""},
		{"BR-KSA-52", simplified, nil, rules.NotApplicable, ""},
		{"BR-KSA-52", standard, func(inv *ubl.Invoice) { inv.Lines[1].TaxTotals = nil }, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:TaxTotal/cbc:TaxAmount"},
		{"BR-KSA-53", standard, nil, rules.Passed, ""},
		{"BR-KSA-53", standard, lineTotal(func(t *ubl.TaxTotal) { t.RoundingAmount = nil }), rules.Failed, "/Invoice/cac:InvoiceLine[1]/cac:TaxTotal/cbc:RoundingAmount"},
	})
}
