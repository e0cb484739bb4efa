package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// withCharge returns a change that adds a charge to the document and to its
// first line.
func withCharge(change func(*ubl.AllowanceCharge)) func(*ubl.Invoice) {
	return func(inv *ubl.Invoice) {
		category := &ubl.TaxCategory{ID: ubl.NewText("O"), Percent: ubl.NewText("0")}
		charge := &ubl.AllowanceCharge{
			ChargeIndicator: ubl.NewText("true"),
			ReasonCode:      ubl.NewText("FC"),
			Reasons:         []*ubl.Text{ubl.NewText("Freight")},
			Amount:          ubl.NewText("1.00", "currencyID", "SAR"),
			TaxCategories:   []*ubl.TaxCategory{category},
		}
		change(charge)
		inv.AllowanceCharges = append(inv.AllowanceCharges, charge)
		inv.Lines[0].AllowanceCharges = append(inv.Lines[0].AllowanceCharges, charge)
	}
}

func TestAdjustments(t *testing.T) {
	const (
		charge = "/Invoice/cac:AllowanceCharge[1]"
		onLine = "/Invoice/cac:InvoiceLine[1]/cac:AllowanceCharge[1]"
		rate   = charge + "/cac:TaxCategory[1]/cbc:Percent"
	)
	complete := withCharge(func(*ubl.AllowanceCharge) {})
	discount := withCharge(func(a *ubl.AllowanceCharge) { a.ChargeIndicator.Value = "0" })
	rated := func(indicator string) func(*ubl.Invoice) {
		return withCharge(func(a *ubl.AllowanceCharge) {
			a.ChargeIndicator.Value = indicator
			a.TaxCategories[0].Percent.Value = "15"
		})
	}
	uncoded := withCharge(func(a *ubl.AllowanceCharge) { a.ReasonCode.Value = " " })
	unexplained := withCharge(func(a *ubl.AllowanceCharge) { a.Reasons = nil })
	show(t, []example{
		{"BR-KSA-12", standard, discount, rules.Passed, ""},
		{"BR-KSA-12", standard, rated("true"), rules.NotApplicable, ""},
		{"BR-KSA-12", standard, rated("false"), rules.Failed, rate},
		{"BR-KSA-13", standard, complete, rules.Passed, ""},
		{"BR-KSA-13", standard, rated("false"), rules.NotApplicable, ""},
		{"BR-KSA-13", standard, rated("1"), rules.Failed, rate},
		{"BR-KSA-19", standard, complete, rules.Passed, ""},
		{"BR-KSA-19", standard, discount, rules.NotApplicable, ""},
		{"BR-KSA-19", standard, uncoded, rules.Failed, charge + "/cbc:AllowanceChargeReasonCode"},
		{"BR-KSA-20", standard, complete, rules.Passed, ""},
		{"BR-KSA-20", standard, uncoded, rules.Failed, onLine + "/cbc:AllowanceChargeReasonCode"},
		{"BR-KSA-21", standard, complete, rules.Passed, ""},
		{"BR-KSA-21", standard, unexplained, rules.Failed, charge + "/cbc:AllowanceChargeReason"},
		{"BR-KSA-22", standard, complete, rules.Passed, ""},
		{"BR-KSA-22", standard, unexplained, rules.Failed, onLine + "/cbc:AllowanceChargeReason"},
	})
}
