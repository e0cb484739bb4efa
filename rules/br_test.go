package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// vatCategory returns a category with its rate and tax scheme.
func vatCategory(letter, rate, scheme string) *ubl.TaxCategory {
	return &ubl.TaxCategory{
		ID: ubl.NewText(letter), Percent: ubl.NewText(rate),
		TaxScheme: &ubl.Identification{ID: ubl.NewText(scheme)},
	}
}

// adjust returns a discount or a charge of one riyal at the standard rate.
func adjust(indicator, reason string) *ubl.AllowanceCharge {
	return &ubl.AllowanceCharge{
		ChargeIndicator: ubl.NewText(indicator), ReasonCode: ubl.NewText(reason),
		Amount:        ubl.NewText("1.00", "currencyID", "SAR"),
		TaxCategories: []*ubl.TaxCategory{vatCategory("S", "15", "VAT")},
	}
}

// twiceCharged returns a document with a charge on it and one on its second
// line.
func twiceCharged(t testing.TB) *ubl.Invoice {
	inv := standard(t)
	inv.AllowanceCharges = []*ubl.AllowanceCharge{adjust("true", "DL")}
	inv.Lines[1].AllowanceCharges = []*ubl.AllowanceCharge{adjust("true", "PC")}
	return inv
}

func TestCoreRules(t *testing.T) {
	const seller = "/Invoice/cac:AccountingSupplierParty/cac:Party"
	const totals = "/Invoice/cac:LegalMonetaryTotal"
	for _, id := range []string{"BR-02", "BR-03", "BR-04", "BR-05", "BR-06", "BR-08", "BR-09", "BR-13", "BR-14", "BR-15", "BR-16", "BR-49", "BR-53"} {
		show(t, []example{{id: id, from: standard, want: rules.Passed}})
	}
	show(t, []example{
		{"BR-02", standard, func(i *ubl.Invoice) { i.ID = nil }, rules.Failed, "/Invoice/cbc:ID"},
		{"BR-02", standard, func(i *ubl.Invoice) { i.ID.Value = " " }, rules.Passed, ""},
		{"BR-03", standard, func(i *ubl.Invoice) { i.IssueDate.Value = "" }, rules.Failed, "/Invoice/cbc:IssueDate"},
		{"BR-04", standard, func(i *ubl.Invoice) { i.InvoiceTypeCode.Value = "" }, rules.Failed, "/Invoice/cbc:InvoiceTypeCode"},
		{"BR-05", standard, func(i *ubl.Invoice) { i.DocumentCurrencyCode = nil }, rules.Failed, "/Invoice/cbc:DocumentCurrencyCode"},
		{"BR-06", standard, func(i *ubl.Invoice) { i.Supplier = nil }, rules.Failed, seller + "/cac:PartyLegalEntity/cbc:RegistrationName"},
		{"BR-06", standard, func(i *ubl.Invoice) {
			i.Supplier.Party.LegalEntities = []*ubl.LegalEntity{{}, {RegistrationName: ubl.NewText("شركة")}}
		}, rules.Passed, ""},
		{"BR-08", standard, func(i *ubl.Invoice) { i.Supplier.Party.PostalAddress = nil }, rules.Failed, seller + "/cac:PostalAddress"},
		{"BR-09", standard, func(i *ubl.Invoice) { i.Supplier.Party.PostalAddress.Country = nil }, rules.Failed, seller + "/cac:PostalAddress/cac:Country/cbc:IdentificationCode"},
		{"BR-09", standard, func(i *ubl.Invoice) { i.Supplier.Party.PostalAddress = nil }, rules.NotApplicable, ""},
		{"BR-13", standard, func(i *ubl.Invoice) { i.MonetaryTotal.TaxExclusiveAmount = nil }, rules.Failed, totals + "/cbc:TaxExclusiveAmount"},
		{"BR-14", standard, func(i *ubl.Invoice) { i.MonetaryTotal.TaxInclusiveAmount = nil }, rules.Failed, totals + "/cbc:TaxInclusiveAmount"},
		{"BR-15", standard, func(i *ubl.Invoice) { i.MonetaryTotal.PayableAmount = nil }, rules.Failed, totals + "/cbc:PayableAmount"},
		{"BR-15", standard, func(i *ubl.Invoice) { i.MonetaryTotal = nil }, rules.NotApplicable, ""},
		{"BR-16", standard, func(i *ubl.Invoice) { i.Lines = nil }, rules.Failed, "/Invoice/cac:InvoiceLine"},
		{"BR-49", standard, func(i *ubl.Invoice) { i.PaymentMeans[0].PaymentMeansCode = nil }, rules.Failed, "/Invoice/cac:PaymentMeans[1]/cbc:PaymentMeansCode"},
		{"BR-49", simplified, func(i *ubl.Invoice) { i.PaymentMeans[0].PaymentMeansCode = nil }, rules.NotApplicable, ""},
		{"BR-53", foreign, func(i *ubl.Invoice) { i.TaxTotals[0].TaxAmount.Attrs[0].Value = "USD" }, rules.Failed, "/Invoice/cac:TaxTotal[1]/cbc:TaxAmount/@currencyID"},
		{"BR-53", foreign, func(i *ubl.Invoice) { i.TaxTotals[0].TaxAmount = nil }, rules.Failed, "/Invoice/cac:TaxTotal[1]/cbc:TaxAmount"},
		{"BR-53", foreign, func(i *ubl.Invoice) { i.TaxTotals[0].TaxAmount.Attrs = nil }, rules.Passed, ""},
		{"BR-53", foreign, func(i *ubl.Invoice) { i.TaxCurrencyCode = nil }, rules.NotApplicable, ""},
	})
}

func TestCoreRulesOnLines(t *testing.T) {
	for _, id := range []string{"BR-21", "BR-22", "BR-24", "BR-25", "BR-26"} {
		show(t, []example{{id: id, from: deducting, want: rules.Passed}})
	}
	property := func(name, value *ubl.Text) func(*ubl.Invoice) {
		return func(i *ubl.Invoice) { i.Lines[1].Item.Properties = []*ubl.ItemProperty{{Name: name, Value: value}} }
	}
	show(t, []example{
		{"BR-21", standard, func(i *ubl.Invoice) { i.Lines[1].ID.Value = "" }, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cbc:ID"},
		{"BR-22", standard, func(i *ubl.Invoice) { i.Lines[1].InvoicedQuantity = nil }, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cbc:InvoicedQuantity"},
		{"BR-22", standard, func(i *ubl.Invoice) { i.Lines[0].InvoicedQuantity.Value = "0" }, rules.Failed, "/Invoice/cac:InvoiceLine[1]/cbc:InvoicedQuantity"},
		{"BR-22", standard, func(i *ubl.Invoice) { i.Lines[0].InvoicedQuantity.Value = "0.0" }, rules.Passed, ""},
		{"BR-24", standard, func(i *ubl.Invoice) { i.Lines[1].LineExtensionAmount = nil }, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cbc:LineExtensionAmount"},
		{"BR-25", standard, func(i *ubl.Invoice) { i.Lines[1].Item = nil }, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:Item/cbc:Name"},
		{"BR-26", standard, func(i *ubl.Invoice) { i.Lines[1].Price = nil }, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:Price/cbc:PriceAmount"},
		{"BR-54", standard, nil, rules.NotApplicable, ""},
		{"BR-54", standard, property(ubl.NewText(""), ubl.NewText("")), rules.Passed, ""},
		{"BR-54", standard, property(ubl.NewText("اللون"), nil), rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:Item/cac:AdditionalItemProperty[1]"},
		{"BR-54", standard, property(nil, ubl.NewText("أزرق")), rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:Item/cac:AdditionalItemProperty[1]"},
	})
}

func TestCoreRulesOnAdjustments(t *testing.T) {
	const category = "/Invoice/cac:AllowanceCharge[1]/cac:TaxCategory/cbc:ID"
	const row = "/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[1]"
	show(t, []example{
		{"BR-31", standard, nil, rules.NotApplicable, ""},
		{"BR-31", discounted, nil, rules.Passed, ""},
		{"BR-31", discounted, func(i *ubl.Invoice) { i.AllowanceCharges[1].Amount = nil }, rules.Failed, "/Invoice/cac:AllowanceCharge[2]/cbc:Amount"},
		{"BR-32", discounted, nil, rules.Passed, ""},
		{"BR-32", discounted, func(i *ubl.Invoice) { i.AllowanceCharges[0].TaxCategories[0].ID.Value = "" }, rules.Failed, category},
		{"BR-32", discounted, func(i *ubl.Invoice) { i.AllowanceCharges[0].TaxCategories[0].TaxScheme.ID.Value = "GST" }, rules.Failed, category},
		{"BR-32", discounted, func(i *ubl.Invoice) { i.AllowanceCharges[0].TaxCategories[0].TaxScheme.ID.Value = " vat " }, rules.Passed, ""},
		{"BR-36", discounted, nil, rules.NotApplicable, ""},
		{"BR-36", twiceCharged, nil, rules.Passed, ""},
		{"BR-36", twiceCharged, func(i *ubl.Invoice) { i.AllowanceCharges[0].Amount = nil }, rules.Failed, "/Invoice/cac:AllowanceCharge[1]/cbc:Amount"},
		{"BR-37", twiceCharged, func(i *ubl.Invoice) { i.AllowanceCharges[0].TaxCategories[0].ID.Value = "" }, rules.Passed, ""},
		{"BR-37", twiceCharged, func(i *ubl.Invoice) { i.AllowanceCharges[0].TaxCategories = nil }, rules.Failed, category},
		{"BR-41", twiceCharged, func(i *ubl.Invoice) {
			i.Lines[1].AllowanceCharges[0].ChargeIndicator.Value = "false"
			i.Lines[1].AllowanceCharges[0].Amount = nil
		}, rules.NotApplicable, ""},
		{"BR-43", twiceCharged, nil, rules.Passed, ""},
		{"BR-43", twiceCharged, func(i *ubl.Invoice) { i.Lines[1].AllowanceCharges[0].Amount = nil }, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:AllowanceCharge[1]/cbc:Amount"},
		{"BR-45", standard, nil, rules.Passed, ""},
		{"BR-45", standard, func(i *ubl.Invoice) { i.TaxTotals[1].Subtotals[0].TaxableAmount = nil }, rules.Failed, row + "/cbc:TaxableAmount"},
		{"BR-46", standard, nil, rules.Passed, ""},
		{"BR-46", standard, func(i *ubl.Invoice) { i.TaxTotals[1].Subtotals[0].TaxAmount = nil }, rules.Failed, row + "/cbc:TaxAmount"},
		{"BR-47", standard, nil, rules.Passed, ""},
		{"BR-47", standard, func(i *ubl.Invoice) { i.TaxTotals[1].Subtotals[0].TaxCategory = nil }, rules.Failed, row + "/cac:TaxCategory/cbc:ID"},
		{"BR-48", standard, nil, rules.Passed, ""},
		{"BR-48", standard, func(i *ubl.Invoice) { i.TaxTotals[1].Subtotals[0].TaxCategory.Percent = nil }, rules.Failed, row + "/cac:TaxCategory/cbc:Percent"},
		{"BR-48", standard, func(i *ubl.Invoice) {
			i.TaxTotals[1].Subtotals[0].TaxCategory = vatCategory(" O ", "", "VAT")
			i.TaxTotals[1].Subtotals[0].TaxCategory.Percent = nil
		}, rules.Passed, ""},
		{"BR-52", standard, nil, rules.Passed, ""},
		{"BR-52", standard, func(i *ubl.Invoice) { i.AdditionalDocumentReferences[1].ID.Value = "" }, rules.Failed, "/Invoice/cac:AdditionalDocumentReference[2]/cbc:ID"},
		{"BR-55", standard, nil, rules.NotApplicable, ""},
		{"BR-55", credit, nil, rules.Passed, ""},
		{"BR-55", credit, func(i *ubl.Invoice) { i.BillingReferences[0].InvoiceDocumentReference = nil }, rules.Failed, "/Invoice/cac:BillingReference[1]/cac:InvoiceDocumentReference/cbc:ID"},
		{"BR-55", standard, func(i *ubl.Invoice) {
			i.Lines[0].Unmodelled = []*ubl.Node{{Name: "cac:BillingReference"}}
		}, rules.Failed, "/Invoice/cac:InvoiceLine[1]/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID"},
	})
}
