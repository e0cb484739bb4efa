package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

func TestNote(t *testing.T) {
	const (
		reason   = "/cbc:InstructionNote"
		original = "/cac:InvoiceDocumentReference/cbc:ID"
	)
	lineReference := func(id string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) {
			invoice := &ubl.Node{Name: "cac:InvoiceDocumentReference", Children: []*ubl.Node{{Name: "cbc:ID", Text: id}}}
			inv.BillingReferences = nil
			inv.Lines[0].Unmodelled = []*ubl.Node{{Name: "cac:BillingReference", Children: []*ubl.Node{invoice}}}
		}
	}
	show(t, []example{
		{"BR-KSA-17", credit, nil, rules.Passed, ""},
		{"BR-KSA-17", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-17", credit, func(inv *ubl.Invoice) { inv.PaymentMeans = nil }, rules.Failed, "/Invoice/cac:PaymentMeans" + reason},
		{"BR-KSA-17", credit, func(inv *ubl.Invoice) {
			inv.PaymentMeans = append(inv.PaymentMeans, &ubl.PaymentMeans{})
		}, rules.Failed, "/Invoice/cac:PaymentMeans[2]" + reason},
		{"BR-KSA-17", credit, func(inv *ubl.Invoice) { inv.PaymentMeans[0].InstructionNotes[0].Value = "" }, rules.Passed, ""},

		{"BR-KSA-56", credit, nil, rules.Passed, ""},
		{"BR-KSA-56", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-56", credit, func(inv *ubl.Invoice) { inv.BillingReferences = nil }, rules.Failed, "/Invoice/cac:BillingReference" + original},
		{"BR-KSA-56", credit, func(inv *ubl.Invoice) {
			inv.BillingReferences[0].InvoiceDocumentReference = nil
		}, rules.Failed, "/Invoice/cac:BillingReference[1]" + original},
		{"BR-KSA-56", credit, lineReference("INV-17"), rules.Passed, ""},
		{"BR-KSA-56", credit, lineReference(""), rules.Failed, "/Invoice/cac:InvoiceLine[1]/cac:BillingReference" + original},
	})
}
