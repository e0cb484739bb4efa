package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

func TestFurther(t *testing.T) {
	const buyer = "/Invoice/cac:AccountingCustomerParty/cac:Party"
	nameless := func(inv *ubl.Invoice) { inv.Customer.Party.TaxSchemes = nil }
	percent := func(rate string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.Lines[1].Item.TaxCategories[0].Percent.Value = rate }
	}
	telephone := func(number string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.Customer.Party.Contact = &ubl.Contact{Telephone: ubl.NewText(number)} }
	}
	government := func(contracts ...*ubl.DocumentReference) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) {
			inv.InvoiceTypeCode.Attrs[0].Value = "010000001"
			inv.ContractDocumentReferences = contracts
		}
	}
	show(t, []example{
		{"BR-KSA-81", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-81", standard, nameless, rules.Passed, ""},
		{"BR-KSA-81", standard, func(inv *ubl.Invoice) {
			nameless(inv)
			inv.Customer.Party.Identifications[0].ID.Value = " "
		}, rules.Failed, buyer + "/cac:PartyIdentification[1]/cbc:ID"},
		{"BR-KSA-83", discounted, nil, rules.Passed, ""},
		{"BR-KSA-83", discounted, func(inv *ubl.Invoice) {
			inv.TaxTotals[1].Subtotals[1].TaxCategory.TaxExemptionReasons = nil
		}, rules.Failed, "/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[2]/cac:TaxCategory/cbc:TaxExemptionReason"},
		{"BR-KSA-84", standard, nil, rules.Passed, ""},
		{"BR-KSA-84", standard, percent("15.99"), rules.Passed, ""},
		{"BR-KSA-84", standard, percent("5.5"), rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:Item/cac:ClassifiedTaxCategory[1]/cbc:Percent"},
		{"BR-KSA-84", discounted, func(inv *ubl.Invoice) { inv.AllowanceCharges[0].TaxCategories[0].Percent.Value = "14" }, rules.Failed, "/Invoice/cac:AllowanceCharge[1]/cac:TaxCategory[1]/cbc:Percent"},
		{"BR-KSA-85", standard, telephone(""), rules.NotApplicable, ""},
		{"BR-KSA-85", standard, telephone("+966501234567"), rules.Passed, ""},
		{"BR-KSA-85", standard, telephone("966501234567"), rules.Failed, buyer + "/cac:Contact/cbc:Telephone"},
		{"BR-KSA-85", standard, telephone("٠٥٠١٢٣٤"), rules.Failed, buyer + "/cac:Contact/cbc:Telephone"},
		{"BR-KSA-92", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-92", standard, government(&ubl.DocumentReference{ID: ubl.NewText("C-7")}), rules.Passed, ""},
		{"BR-KSA-92", standard, government(), rules.Failed, "/Invoice/cac:ContractDocumentReference[1]/cbc:ID"},
		{"BR-KSA-99", standard, nil, rules.Passed, ""},
		{"BR-KSA-99", standard, func(inv *ubl.Invoice) { inv.Customer.Party.TaxSchemes[0].CompanyID.Value = "\n" }, rules.Failed, buyer + "/cac:PartyTaxScheme[1]/cbc:CompanyID"},
	})
}
