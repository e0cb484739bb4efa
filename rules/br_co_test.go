package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

const (
	totals   = "/Invoice/cac:LegalMonetaryTotal/"
	line1    = "/Invoice/cac:InvoiceLine[1]"
	firstRow = "/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[1]"
)

// rows returns the VAT breakdown of a sample document.
func rows(inv *ubl.Invoice) []*ubl.TaxSubtotal { return inv.TaxTotals[1].Subtotals }

// adjusted returns a discount ("false") or a charge ("true") of a VAT category.
func adjusted(charge, amount, letter, rate string) *ubl.AllowanceCharge {
	return &ubl.AllowanceCharge{
		ChargeIndicator: ubl.NewText(charge),
		Amount:          ubl.NewText(amount, "currencyID", "SAR"),
		TaxCategories:   []*ubl.TaxCategory{category(letter, rate)},
	}
}

func category(letter, rate string) *ubl.TaxCategory {
	return &ubl.TaxCategory{
		ID: ubl.NewText(letter), Percent: ubl.NewText(rate),
		TaxScheme: &ubl.Identification{ID: ubl.NewText("VAT")},
	}
}

func TestTotals(t *testing.T) {
	show(t, []example{
		{"BR-CO-04", standard, nil, rules.Passed, ""},
		{"BR-CO-04", standard, func(inv *ubl.Invoice) { inv.Lines[0].Item.TaxCategories[0].TaxScheme.ID.Value = " vat " }, rules.Passed, ""},
		{"BR-CO-04", standard, func(inv *ubl.Invoice) { inv.Lines[0].Item.TaxCategories[0].TaxScheme.ID.Value = "GST" }, rules.Failed, line1 + "/cac:Item/cac:ClassifiedTaxCategory/cbc:ID"},
		{"BR-CO-04", standard, func(inv *ubl.Invoice) { inv.Lines[1].Item = nil }, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:Item/cac:ClassifiedTaxCategory/cbc:ID"},

		{"BR-CO-10", standard, nil, rules.Passed, ""},
		{"BR-CO-10", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.LineExtensionAmount.Value = " +2424.000" }, rules.Passed, ""},
		{"BR-CO-10", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.LineExtensionAmount.Value = "2424.01" }, rules.Failed, totals + "cbc:LineExtensionAmount"},
		{"BR-CO-10", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.LineExtensionAmount = nil }, rules.Failed, totals + "cbc:LineExtensionAmount"},

		{"BR-CO-11", discounted, nil, rules.Passed, ""},
		{"BR-CO-11", foreign, func(inv *ubl.Invoice) { inv.MonetaryTotal.AllowanceTotalAmount = nil }, rules.NotApplicable, ""},
		{"BR-CO-11", discounted, func(inv *ubl.Invoice) { inv.MonetaryTotal.AllowanceTotalAmount = nil }, rules.Failed, totals + "cbc:AllowanceTotalAmount"},
		{"BR-CO-11", discounted, func(inv *ubl.Invoice) { inv.AllowanceCharges[0].Amount.Value = "1.08" }, rules.Failed, totals + "cbc:AllowanceTotalAmount"},

		{"BR-CO-12", standard, nil, rules.NotApplicable, ""},
		{"BR-CO-12", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.ChargeTotalAmount = ubl.NewText("0.00") }, rules.Passed, ""},
		{"BR-CO-12", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.ChargeTotalAmount = ubl.NewText(" ") }, rules.Failed, totals + "cbc:ChargeTotalAmount"},
		{"BR-CO-12", standard, func(inv *ubl.Invoice) {
			inv.AllowanceCharges = append(inv.AllowanceCharges, adjusted("true", "5", "S", "15"))
		}, rules.Failed, totals + "cbc:ChargeTotalAmount"},

		{"BR-CO-13", standard, nil, rules.Passed, ""},
		{"BR-CO-13", discounted, nil, rules.Passed, ""},
		{"BR-CO-13", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.TaxExclusiveAmount.Value = "2424.01" }, rules.Failed, totals + "cbc:TaxExclusiveAmount"},
		{"BR-CO-13", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.ChargeTotalAmount = ubl.NewText("") }, rules.Failed, totals + "cbc:TaxExclusiveAmount"},
		{"BR-CO-13", discounted, func(inv *ubl.Invoice) { inv.MonetaryTotal.ChargeTotalAmount = ubl.NewText("1") }, rules.Failed, totals + "cbc:TaxExclusiveAmount"},

		{"BR-CO-14", standard, nil, rules.Passed, ""},
		{"BR-CO-14", standard, func(inv *ubl.Invoice) { inv.TaxTotals[1].TaxAmount.Value = "363.61" }, rules.Failed, "/Invoice/cac:TaxTotal[2]/cbc:TaxAmount"},
		{"BR-CO-14", standard, func(inv *ubl.Invoice) { inv.TaxTotals[1].Subtotals = nil }, rules.NotApplicable, ""},

		{"BR-CO-15", standard, nil, rules.Passed, ""},
		{"BR-CO-15", foreign, nil, rules.Passed, ""},
		{"BR-CO-15", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.TaxInclusiveAmount.Value = "2787.61" }, rules.Failed, totals + "cbc:TaxInclusiveAmount"},
		{"BR-CO-15", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.TaxExclusiveAmount = nil }, rules.Failed, totals + "cbc:TaxInclusiveAmount"},
		{"BR-CO-15", standard, func(inv *ubl.Invoice) { inv.DocumentCurrencyCode.Value = "sar" }, rules.Failed, "/Invoice/cac:TaxTotal/cbc:TaxAmount/@currencyID"},
		{"BR-CO-15", standard, func(inv *ubl.Invoice) { inv.DocumentCurrencyCode = nil }, rules.NotApplicable, ""},

		{"BR-CO-16", deducting, nil, rules.Passed, ""},
		{"BR-CO-16", standard, func(inv *ubl.Invoice) {
			inv.MonetaryTotal.PayableRoundingAmount = ubl.NewText("0.40")
			inv.MonetaryTotal.PayableAmount.Value = "2788.00"
		}, rules.Passed, ""},
		{"BR-CO-16", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.PayableAmount.Value = "2788.00" }, rules.Failed, totals + "cbc:PayableAmount"},
		{"BR-CO-16", standard, func(inv *ubl.Invoice) { inv.MonetaryTotal.PrepaidAmount = ubl.NewText("1") }, rules.Failed, totals + "cbc:PayableAmount"},

		{"BR-CO-17", standard, nil, rules.Passed, ""},
		{"BR-CO-17", standard, func(inv *ubl.Invoice) { rows(inv)[0].TaxAmount.Value = "363.62" }, rules.Passed, ""},
		{"BR-CO-17", standard, func(inv *ubl.Invoice) { rows(inv)[0].TaxAmount.Value = "363.63" }, rules.Failed, firstRow + "/cbc:TaxAmount"},
		{"BR-CO-17", standard, func(inv *ubl.Invoice) { rows(inv)[0].TaxCategory.Percent = nil }, rules.Failed, firstRow + "/cac:TaxCategory/cbc:Percent"},

		{"BR-CO-18", standard, nil, rules.Passed, ""},
		{"BR-CO-18", standard, func(inv *ubl.Invoice) { inv.TaxTotals[1].Subtotals = nil }, rules.Failed, "/Invoice/cac:TaxTotal/cac:TaxSubtotal"},
	})
}

// With discounts the sheet sums up the lines in doubles, in which 1.005 is
// slightly less than half a cent above 1.
func TestTotalsInDoubles(t *testing.T) {
	inv := discounted(t)
	inv.Lines = inv.Lines[:1]
	inv.Lines[0].LineExtensionAmount.Value = "1.005"
	inv.MonetaryTotal.AllowanceTotalAmount.Value = "0.00"
	for text, want := range map[string]rules.Status{"1.00": rules.Passed, "1.01": rules.Failed} {
		inv.MonetaryTotal.TaxExclusiveAmount.Value = text
		if got, _ := statusOf(t, rules.Check(inv, checked), "BR-CO-13"); got != want {
			t.Errorf("BR-CO-13 with the total %s: got %s, want %s", text, got, want)
		}
	}
}
