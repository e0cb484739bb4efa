package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

func TestFormats(t *testing.T) {
	issue := func(date string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.IssueDate.Value = date }
	}
	name := func(text string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.Lines[0].Item.Name.Value = text }
	}
	at := func(time string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { advanceRef(inv).IssueTime.Value = time }
	}
	show(t, []example{
		{"BR-KSA-F-01", standard, nil, rules.Passed, ""},
		{"BR-KSA-F-01", standard, issue("2100-02-29"), rules.Passed, ""},
		{"BR-KSA-F-01", standard, issue("1999-12-31"), rules.Failed, "/Invoice/cbc:IssueDate"},
		{"BR-KSA-F-01", standard, issue("2026-11-14 "), rules.Failed, "/Invoice/cbc:IssueDate"},
		{"BR-KSA-F-01", standard, issue(""), rules.Failed, "/Invoice/cbc:IssueDate"},
		{"BR-KSA-F-01", deducting, func(inv *ubl.Invoice) { advanceRef(inv).IssueDate.Value = "2026-04-31" }, rules.Failed, advanceRefPath + "/cbc:IssueDate"},
		{"BR-KSA-F-01", standard, func(inv *ubl.Invoice) {
			inv.OrderReference = &ubl.Identification{ID: ubl.NewText("7"), Rest: ubl.Rest{Unmodelled: []*ubl.Node{{Name: "cbc:IssueDate", Text: "2026"}}}}
		}, rules.Failed, "/Invoice/cac:OrderReference/cbc:IssueDate"},
		{"BR-KSA-F-02", discounted, nil, rules.NotApplicable, ""}, // it cannot fail
		{"BR-KSA-F-04", standard, nil, rules.Passed, ""},
		{"BR-KSA-F-04", standard, func(inv *ubl.Invoice) { inv.Lines[1].InvoicedQuantity.Value = "-1" }, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cbc:InvoicedQuantity"},
		{"BR-KSA-F-04", standard, func(inv *ubl.Invoice) { inv.Lines[1].LineExtensionAmount.Value = "-1" }, rules.Passed, ""},
		{"BR-KSA-F-04", standard, func(inv *ubl.Invoice) { inv.TaxTotals[0].TaxAmount.Value = "-0.01" }, rules.Failed, "/Invoice/cac:TaxTotal[1]/cbc:TaxAmount"},
		// For the official processor -0.00 is below zero and -0 is not.
		{"BR-KSA-F-04", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.TaxExclusiveAmount.Value = "-0.00" }, rules.Failed, "/Invoice/cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount"},
		{"BR-KSA-F-04", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.TaxExclusiveAmount.Value = "-0" }, rules.Passed, ""},
		{"BR-KSA-F-05", deducting, nil, rules.Passed, ""},
		{"BR-KSA-F-05", deducting, at(" 09:30:00.5+03:00 "), rules.Passed, ""},
		{"BR-KSA-F-05", deducting, at("24:00:00-14:59"), rules.Passed, ""},
		{"BR-KSA-F-05", deducting, at("09:30"), rules.Failed, advanceRefPath + "/cbc:IssueTime"},
		{"BR-KSA-F-C-01", standard, nil, rules.Passed, ""},
		{"BR-KSA-F-C-01", standard, name("12345 "), rules.Passed, ""},
		{"BR-KSA-F-C-01", standard, name("١٢٣٤"), rules.Failed, "/Invoice/cac:InvoiceLine[1]/cac:Item/cbc:Name"},
	})
}

func TestIdentifiers(t *testing.T) {
	const (
		buyer  = "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyIdentification[1]/cbc:ID"
		seller = "/Invoice/cac:AccountingSupplierParty/cac:Party/cac:PartyIdentification[1]/cbc:ID"
	)
	identified := func(scheme, number string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) {
			inv.Customer.Party.Identifications[0].ID = ubl.NewText(number, "schemeID", scheme)
		}
	}
	show(t, []example{
		{"BR-KSA-F-07", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-F-07", standard, identified("TIN", "3102837465"), rules.Passed, ""},
		{"BR-KSA-F-07", standard, identified("TIN", "3102837465 "), rules.Failed, buyer},
		{"BR-KSA-F-08", standard, nil, rules.Passed, ""},
		{"BR-KSA-F-08", standard, identified("CRN", "101018348"), rules.Failed, buyer},
		{"BR-KSA-F-08", simplified, func(inv *ubl.Invoice) { inv.Supplier.Party.Identifications[0].ID.Value = "١٠١٠١٨٣٤٨٢" }, rules.Failed, seller},
		{"BR-KSA-F-09", standard, identified("700", "7001837465"), rules.Passed, ""},
		{"BR-KSA-F-09", standard, identified(" 700", "1001837465"), rules.Failed, buyer},
		{"BR-KSA-F-10", standard, identified("NAT", "1083726154"), rules.Passed, ""},
		{"BR-KSA-F-10", standard, identified("NAT", "2083726154"), rules.Failed, buyer},
		{"BR-KSA-F-11", standard, identified("IQA", "2083726154"), rules.Passed, ""},
		{"BR-KSA-F-11", standard, identified("IQA", "1083726154"), rules.Failed, buyer},
		{"BR-KSA-F-12", standard, nil, rules.Passed, ""},
		{"BR-KSA-F-12", standard, identified(" crn", "1010183482"), rules.Failed, buyer + "/@schemeID"},
		{"BR-KSA-F-12", standard, identified(" XYZ", "1010183482"), rules.Passed, ""},
		{"BR-KSA-F-13", standard, nil, rules.Passed, ""},
		{"BR-KSA-F-13", standard, identified("oth", "9123456709"), rules.Passed, ""},
		{"BR-KSA-F-13", standard, identified("oth", "9912345678"), rules.Failed, buyer},
		{"BR-KSA-F-13", standard, identified("PAS", "1000000071"), rules.Passed, ""},
		{"BR-KSA-F-13", standard, identified("PAS", "1000000001000000000"), rules.Failed, buyer},
		{"BR-KSA-F-13", standard, identified("PAS", "98765432"), rules.Failed, buyer},
		{"BR-KSA-F-13", standard, identified("PAS", "A12345678"), rules.Passed, ""},
	})
}
