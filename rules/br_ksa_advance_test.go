package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

const (
	advanceLinePath = "/Invoice/cac:InvoiceLine[4]"
	advanceRefPath  = advanceLinePath + "/cac:DocumentReference[1]"
	advanceRowPath  = advanceLinePath + "/cac:TaxTotal[1]/cac:TaxSubtotal[1]"
	advanceCatPath  = advanceRowPath + "/cac:TaxCategory"
)

// advanceLine returns the line of a deducting document that deducts the
// advance, and advanceRow the VAT of the advance on that line.
func advanceLine(inv *ubl.Invoice) *ubl.Line { return inv.Lines[3] }
func advanceRef(inv *ubl.Invoice) *ubl.DocumentReference {
	return advanceLine(inv).DocumentReferences[0]
}
func advanceRow(inv *ubl.Invoice) *ubl.TaxSubtotal { return advanceLine(inv).TaxTotals[0].Subtotals[0] }
func untaxedAdvance(category, rate string) func(*ubl.Invoice) {
	return func(inv *ubl.Invoice) {
		row := advanceRow(inv)
		row.TaxAmount.Value = "0.00"
		row.TaxCategory.ID.Value = category
		row.TaxCategory.Percent.Value = rate
	}
}

// reasoned returns a change that sets a category without VAT and an exemption
// reason for the advance.
func reasoned(category, code, reason string) func(*ubl.Invoice) {
	return func(inv *ubl.Invoice) {
		untaxedAdvance(category, "0")(inv)
		c := advanceRow(inv).TaxCategory
		c.TaxExemptionReasonCode = ubl.NewText(code)
		c.TaxExemptionReasons = []*ubl.Text{ubl.NewText(reason)}
	}
}

func TestAdvances(t *testing.T) {
	show(t, []example{
		{"BR-KSA-73", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-73", deducting, nil, rules.Passed, ""},
		{"BR-KSA-73", deducting, func(inv *ubl.Invoice) { advanceRef(inv).IssueTime = nil }, rules.Failed, advanceRefPath},
		{"BR-KSA-73", deducting, func(inv *ubl.Invoice) { advanceLine(inv).DocumentReferences = nil }, rules.Failed, "/Invoice/cac:InvoiceLine[1]/cac:DocumentReference"},
		{"BR-KSA-74", deducting, nil, rules.Passed, ""},
		{"BR-KSA-74", deducting, func(inv *ubl.Invoice) { advanceRef(inv).DocumentTypeCode.Value = " 386 " }, rules.Passed, ""},
		{"BR-KSA-74", deducting, func(inv *ubl.Invoice) { advanceRef(inv).DocumentTypeCode.Value = "388" }, rules.Failed, advanceRefPath + "/cbc:DocumentTypeCode"},
		{"BR-KSA-75", deducting, nil, rules.Passed, ""},
		{"BR-KSA-75", deducting, func(inv *ubl.Invoice) { advanceRow(inv).TaxCategory.Percent = nil }, rules.Failed, advanceLinePath + "/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:Percent"},
		{"BR-KSA-76", deducting, nil, rules.NotApplicable, ""},
		{"BR-KSA-76", deducting, untaxedAdvance("Z", "0.00"), rules.Passed, ""},
		{"BR-KSA-76", deducting, untaxedAdvance("Z", "15"), rules.Failed, advanceCatPath + "/cbc:Percent"},
		{"BR-KSA-77", deducting, untaxedAdvance("E", "0"), rules.Passed, ""},
		{"BR-KSA-77", deducting, untaxedAdvance("E", "5"), rules.Failed, advanceCatPath + "/cbc:Percent"},
		{"BR-KSA-78", deducting, untaxedAdvance("O", "-0"), rules.Passed, ""},
		{"BR-KSA-78", deducting, untaxedAdvance("O", "0.01"), rules.Failed, advanceCatPath + "/cbc:Percent"},
	})
}

func TestAdvanceAmounts(t *testing.T) {
	vat := func(amount string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { advanceRow(inv).TaxAmount.Value = amount }
	}
	show(t, []example{
		{"BR-KSA-79", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-79", deducting, nil, rules.Passed, ""},
		{"BR-KSA-79", deducting, vat("6.01"), rules.Passed, ""},
		{"BR-KSA-79", deducting, vat("6.02"), rules.Failed, advanceRowPath + "/cbc:TaxAmount"},
		{"BR-KSA-79", deducting, untaxedAdvance("E", "0"), rules.Passed, ""},
		{"BR-KSA-79", deducting, untaxedAdvance("E", "5"), rules.Failed, advanceRowPath + "/cbc:TaxAmount"},
		{"BR-KSA-79", deducting, func(inv *ubl.Invoice) { advanceRow(inv).TaxCategory.Percent = nil }, rules.Failed, advanceRowPath + "/cbc:TaxAmount"},
		{"BR-KSA-80", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-80", deducting, nil, rules.Passed, ""},
		{"BR-KSA-80", deducting, vat("6.01"), rules.Failed, "/Invoice/cac:LegalMonetaryTotal/cbc:PrepaidAmount"},
		{"BR-KSA-80", deducting, func(inv *ubl.Invoice) { inv.MonetaryTotal.PrepaidAmount = nil }, rules.Failed, "/Invoice/cac:LegalMonetaryTotal/cbc:PrepaidAmount"},
		{"BR-KSA-80", deducting, func(inv *ubl.Invoice) { advanceRef(inv).DocumentTypeCode.Value = "388" }, rules.Failed, "/Invoice/cac:LegalMonetaryTotal/cbc:PrepaidAmount"},
		{"BR-KSA-82", deducting, nil, rules.Passed, ""},
		{"BR-KSA-82", deducting, func(inv *ubl.Invoice) { advanceLine(inv).LineExtensionAmount.Value = "1" }, rules.Failed, advanceLinePath + "/cbc:LineExtensionAmount"},
		{"BR-KSA-82", deducting, func(inv *ubl.Invoice) { advanceLine(inv).TaxTotals[0].TaxAmount.Value = "-0" }, rules.Failed, advanceLinePath + "/cac:TaxTotal[1]/cbc:TaxAmount"},
		{"BR-KSA-82", deducting, func(inv *ubl.Invoice) { advanceLine(inv).TaxTotals[0].RoundingAmount.Value = "-0" }, rules.Passed, ""},
		{"BR-KSA-82", deducting, func(inv *ubl.Invoice) { advanceLine(inv).Price.PriceAmount.Value = "1" }, rules.Failed, advanceLinePath + "/cac:Price/cbc:PriceAmount"},
	})
}

func TestAdvanceReasons(t *testing.T) {
	show(t, []example{
		{"BR-KSA-93", deducting, nil, rules.NotApplicable, ""},
		{"BR-KSA-93", deducting, reasoned("Z", "VATEX-SA-35", "x"), rules.Passed, ""},
		{"BR-KSA-93", deducting, reasoned("Z", " ", "x"), rules.Failed, advanceCatPath + "/cbc:TaxExemptionReasonCode"},
		{"BR-KSA-94", deducting, reasoned("E", "VATEX-SA-29", "x"), rules.Passed, ""},
		{"BR-KSA-94", deducting, untaxedAdvance("E", "0"), rules.Failed, advanceCatPath + "/cbc:TaxExemptionReasonCode"},
		{"BR-KSA-95", deducting, reasoned("O", "VATEX-SA-OOS", "x"), rules.Passed, ""},
		{"BR-KSA-95", deducting, reasoned("O", "", "x"), rules.Failed, advanceCatPath + "/cbc:TaxExemptionReasonCode"},
		{"BR-KSA-96", deducting, reasoned("E", "VATEX-SA-29", "x"), rules.Passed, ""},
		{"BR-KSA-96", deducting, reasoned("E", "VATEX-SA-29", " "), rules.Failed, advanceCatPath + "/cbc:TaxExemptionReason"},
		// The sheet skips this rule if the document has no category S.
		{"BR-KSA-96", deducting, func(inv *ubl.Invoice) {
			reasoned("E", "VATEX-SA-29", " ")(inv)
			inv.TaxTotals[1].Subtotals[0].TaxCategory.ID.Value = "Z"
			for _, l := range inv.Lines {
				l.Item.TaxCategories[0].ID.Value = "Z"
			}
		}, rules.NotApplicable, ""},
	})
}
