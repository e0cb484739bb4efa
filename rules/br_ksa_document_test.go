package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// sampleNamed returns a function that reads the sample document with that name.
func sampleNamed(name string) func(testing.TB) *ubl.Invoice {
	return func(t testing.TB) *ubl.Invoice { return read(t, sealed(t, name)) }
}

// transaction returns a change that sets the transaction code.
func transaction(code string) func(*ubl.Invoice) {
	return func(inv *ubl.Invoice) { inv.InvoiceTypeCode.Attrs = []ubl.Attr{{Name: "name", Value: code}} }
}

func TestDocument(t *testing.T) {
	const (
		name     = "/Invoice/cbc:InvoiceTypeCode/@name"
		original = "/Invoice/cac:BillingReference[1]/cac:InvoiceDocumentReference/cbc:IssueDate"
		means    = "/Invoice/cac:PaymentMeans[1]/cbc:PaymentMeansCode"
	)
	uuid := func(text string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.UUID = ubl.NewText(text) }
	}
	issued := func(date string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.IssueDate = ubl.NewText(date) }
	}
	clock := func(text string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.IssueTime = ubl.NewText(text) }
	}
	paid := func(code string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.PaymentMeans[0].PaymentMeansCode = ubl.NewText(code) }
	}
	show(t, []example{
		{"BR-KSA-03", standard, nil, rules.Passed, ""},
		{"BR-KSA-03", standard, uuid("4f3c not a uuid!"), rules.Passed, ""},
		{"BR-KSA-03", standard, uuid("$4"), rules.Passed, ""},
		{"BR-KSA-03", standard, uuid("_4"), rules.Failed, "/Invoice/cbc:UUID"},
		{"BR-KSA-03", standard, uuid(" 4"), rules.Failed, "/Invoice/cbc:UUID"},
		{"BR-KSA-03", standard, func(inv *ubl.Invoice) { inv.UUID = nil }, rules.Failed, "/Invoice/cbc:UUID"},

		{"BR-KSA-04", standard, nil, rules.Passed, ""},
		{"BR-KSA-04", standard, issued("2026-11-15"), rules.Failed, "/Invoice/cbc:IssueDate"},
		{"BR-KSA-04", standard, issued("2026-11-14Z"), rules.Failed, "/Invoice/cbc:IssueDate"},
		{"BR-KSA-04", standard, issued("12026-02-29"), rules.Passed, ""},
		{"BR-KSA-04", standard, issued("12028-02-29"), rules.Failed, "/Invoice/cbc:IssueDate"},
		{"BR-KSA-04", standard, issued("tomorrow"), rules.Passed, ""},
		{"BR-KSA-04", credit, func(inv *ubl.Invoice) {
			inv.BillingReferences[0].InvoiceDocumentReference.IssueDate = ubl.NewText("2027-01-01")
		}, rules.Failed, original},
		{"BR-KSA-04", deducting, func(inv *ubl.Invoice) {
			last := inv.Lines[len(inv.Lines)-1]
			last.DocumentReferences[0].IssueDate = ubl.NewText("2027-01-01")
		}, rules.Failed, "/Invoice/cac:InvoiceLine[4]/cac:DocumentReference[1]/cbc:IssueDate"},
		{"BR-KSA-04", standard, func(inv *ubl.Invoice) {
			date := &ubl.Node{Name: "cbc:IssueDate", Text: "2027-01-01"}
			inv.OrderReference = &ubl.Identification{Rest: ubl.Rest{Unmodelled: []*ubl.Node{date}}}
		}, rules.Failed, "/Invoice/cac:OrderReference/cbc:IssueDate"},

		{"BR-KSA-05", standard, nil, rules.Passed, ""},
		{"BR-KSA-05", standard, func(inv *ubl.Invoice) { inv.InvoiceTypeCode.Value = "380" }, rules.Failed, "/Invoice/cbc:InvoiceTypeCode"},
		{"BR-KSA-05", standard, func(inv *ubl.Invoice) { inv.InvoiceTypeCode.Value = " " }, rules.Passed, ""},
		{"BR-KSA-05", standard, func(inv *ubl.Invoice) { inv.InvoiceTypeCode = nil }, rules.NotApplicable, ""},

		{"BR-KSA-06", standard, nil, rules.Passed, ""},
		{"BR-KSA-06", standard, transaction("010000011"), rules.Passed, ""},
		{"BR-KSA-06", standard, transaction("0300000"), rules.Failed, name},
		{"BR-KSA-06", standard, transaction("0100002"), rules.Failed, name},
		{"BR-KSA-06", standard, transaction("010000"), rules.Failed, name},

		{"BR-KSA-07", export, nil, rules.Passed, ""},
		{"BR-KSA-07", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-07", export, transaction("0100101"), rules.Failed, name},

		{"BR-KSA-31", simplified, nil, rules.Passed, ""},
		{"BR-KSA-31", simplified, transaction("0211110"), rules.Passed, ""},
		{"BR-KSA-31", simplified, transaction("0200001"), rules.Failed, name},
		{"BR-KSA-31", standard, nil, rules.NotApplicable, ""},

		{"BR-KSA-68", standard, nil, rules.Passed, ""},
		{"BR-KSA-68", standard, func(inv *ubl.Invoice) { inv.TaxCurrencyCode = nil }, rules.Failed, "/Invoice/cbc:TaxCurrencyCode"},

		{"BR-KSA-70", standard, nil, rules.Passed, ""},
		{"BR-KSA-70", standard, clock("23:59:59Z"), rules.Passed, ""},
		{"BR-KSA-70", standard, clock("24:00:00"), rules.Failed, "/Invoice/cbc:IssueTime"},
		{"BR-KSA-70", standard, clock("09:00:00+03:00"), rules.Failed, "/Invoice/cbc:IssueTime"},

		{"BR-KSA-16", standard, nil, rules.Passed, ""},
		{"BR-KSA-16", standard, paid("ZZZ"), rules.Passed, ""},
		{"BR-KSA-16", standard, paid("69"), rules.Failed, means},
		{"BR-KSA-16", standard, paid("01"), rules.Failed, means},
	})
}
