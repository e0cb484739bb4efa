package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// full returns a document that contains every amount that the rules check.
func full(t testing.TB) *ubl.Invoice {
	inv := deducting(t)
	for _, indicator := range []string{"false", "true"} {
		a := adjusted(indicator, "10.00", "S", "15.00")
		a.BaseAmount, a.MultiplierFactorNumeric = ubl.NewText("100.00"), ubl.NewText("10.00")
		inv.AllowanceCharges = append(inv.AllowanceCharges, a)
		b := adjusted(indicator, "10.00", "S", "15.00")
		b.BaseAmount, b.MultiplierFactorNumeric = ubl.NewText("100.00"), ubl.NewText("10.00")
		inv.Lines[0].AllowanceCharges = append(inv.Lines[0].AllowanceCharges, b)
	}
	m := inv.MonetaryTotal
	m.AllowanceTotalAmount, m.ChargeTotalAmount = ubl.NewText("10.00"), ubl.NewText("10.00")
	m.PayableRoundingAmount = ubl.NewText("0.00")
	return inv
}

// TestDecimals writes each amount with zero, two and three characters after the
// point.
func TestDecimals(t *testing.T) {
	last := len(full(t).Lines) - 1 // the line that deducts the advance
	cases := []struct {
		id, path string
		amount   func(*ubl.Invoice) *ubl.Text
	}{
		{"BR-DEC-01", "/Invoice/cac:AllowanceCharge[1]/cbc:Amount", func(inv *ubl.Invoice) *ubl.Text { return inv.AllowanceCharges[0].Amount }},
		{"BR-DEC-02", "/Invoice/cac:AllowanceCharge[1]/cbc:BaseAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.AllowanceCharges[0].BaseAmount }},
		{"BR-DEC-05", "/Invoice/cac:AllowanceCharge[2]/cbc:Amount", func(inv *ubl.Invoice) *ubl.Text { return inv.AllowanceCharges[1].Amount }},
		{"BR-DEC-06", "/Invoice/cac:AllowanceCharge[2]/cbc:BaseAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.AllowanceCharges[1].BaseAmount }},
		{"BR-DEC-09", totals + "cbc:LineExtensionAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.MonetaryTotal.LineExtensionAmount }},
		{"BR-DEC-10", totals + "cbc:AllowanceTotalAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.MonetaryTotal.AllowanceTotalAmount }},
		{"BR-DEC-11", totals + "cbc:ChargeTotalAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.MonetaryTotal.ChargeTotalAmount }},
		{"BR-DEC-12", totals + "cbc:TaxExclusiveAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.MonetaryTotal.TaxExclusiveAmount }},
		{"BR-DEC-13", "/Invoice/cac:TaxTotal[2]/cbc:TaxAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.TaxTotals[1].TaxAmount }},
		{"BR-DEC-14", totals + "cbc:TaxInclusiveAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.MonetaryTotal.TaxInclusiveAmount }},
		{"BR-DEC-15", "/Invoice/cac:TaxTotal[1]/cbc:TaxAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.TaxTotals[0].TaxAmount }},
		{"BR-DEC-16", totals + "cbc:PrepaidAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.MonetaryTotal.PrepaidAmount }},
		{"BR-DEC-17", totals + "cbc:PayableRoundingAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.MonetaryTotal.PayableRoundingAmount }},
		{"BR-DEC-18", totals + "cbc:PayableAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.MonetaryTotal.PayableAmount }},
		{"BR-DEC-19", firstRow + "/cbc:TaxableAmount", func(inv *ubl.Invoice) *ubl.Text { return rows(inv)[0].TaxableAmount }},
		{"BR-DEC-20", firstRow + "/cbc:TaxAmount", func(inv *ubl.Invoice) *ubl.Text { return rows(inv)[0].TaxAmount }},
		{"BR-DEC-23", line1 + "/cbc:LineExtensionAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.Lines[0].LineExtensionAmount }},
		{"BR-DEC-27", line1 + "/cac:AllowanceCharge[2]/cbc:Amount", func(inv *ubl.Invoice) *ubl.Text { return inv.Lines[0].AllowanceCharges[1].Amount }},
		{"BR-DEC-28", line1 + "/cac:AllowanceCharge[2]/cbc:BaseAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.Lines[0].AllowanceCharges[1].BaseAmount }},
		{"BR-KSA-DEC-01", "/Invoice/cac:AllowanceCharge[1]/cbc:MultiplierFactorNumeric", func(inv *ubl.Invoice) *ubl.Text { return inv.AllowanceCharges[0].MultiplierFactorNumeric }},
		{"BR-KSA-DEC-02", line1 + "/cac:Item/cac:ClassifiedTaxCategory[1]/cbc:Percent", func(inv *ubl.Invoice) *ubl.Text { return inv.Lines[0].Item.TaxCategories[0].Percent }},
		{"BR-KSA-DEC-03", line1 + "/cac:TaxTotal[1]/cbc:TaxAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.Lines[0].TaxTotals[0].TaxAmount }},
		{"BR-KSA-DEC-04", line1 + "/cac:TaxTotal[1]/cbc:RoundingAmount", func(inv *ubl.Invoice) *ubl.Text { return inv.Lines[0].TaxTotals[0].RoundingAmount }},
		{"BR-KSA-DEC-06", "", func(inv *ubl.Invoice) *ubl.Text { return inv.Lines[last].TaxTotals[0].Subtotals[0].TaxableAmount }},
	}
	for _, c := range cases {
		for text, want := range map[string]rules.Status{"1": rules.Passed, "1.00": rules.Passed, "1.000": rules.Failed, "1.00" + " ": rules.Failed} {
			inv := full(t)
			c.amount(inv).Value = text
			got, places := statusOf(t, rules.Check(inv, checked), c.id)
			if got != want {
				t.Errorf("%s with %q: got %s, want %s", c.id, text, got, want)
			}
			if got == rules.Failed && c.path != "" && places[0].Path != c.path {
				t.Errorf("%s failed at %s, want %s", c.id, places[0].Path, c.path)
			}
		}
	}
}

// The sheet never evaluates the rules on discounts on lines.
func TestShadowedDecimals(t *testing.T) {
	inv := full(t)
	a := inv.Lines[0].AllowanceCharges[0]
	a.Amount.Value, a.BaseAmount.Value = "1.0000", "1.0000"
	for _, id := range []string{"BR-DEC-24", "BR-DEC-25"} {
		if got, _ := statusOf(t, rules.Check(inv, checked), id); got != rules.NotApplicable {
			t.Errorf("%s: got %s, want not_applicable", id, got)
		}
		if rule, ok := rules.Find(id); !ok || rule.Dead == "" {
			t.Errorf("%s is not marked as dead, want it to be", id)
		}
	}
}

func TestPercentages(t *testing.T) {
	set := func(rate string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { rows(inv)[0].TaxCategory.Percent.Value = rate }
	}
	inPrice := func(inv *ubl.Invoice) {
		a := adjusted("false", "0", "S", "15")
		a.MultiplierFactorNumeric = ubl.NewText("101")
		inv.Lines[0].Price.AllowanceCharges = append(inv.Lines[0].Price.AllowanceCharges, a)
	}
	show(t, []example{
		{"BR-KSA-DEC-01", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-DEC-01", standard, inPrice, rules.NotApplicable, ""},
		{"BR-KSA-DEC-01", full, func(inv *ubl.Invoice) { inv.Lines[0].AllowanceCharges[0].MultiplierFactorNumeric.Value = "100.01" }, rules.Failed, line1 + "/cac:AllowanceCharge[1]/cbc:MultiplierFactorNumeric"},
		{"BR-KSA-DEC-01", full, func(inv *ubl.Invoice) { inv.AllowanceCharges[0].MultiplierFactorNumeric.Value = "-1" }, rules.Failed, "/Invoice/cac:AllowanceCharge[1]/cbc:MultiplierFactorNumeric"},
		{"BR-KSA-DEC-01", full, func(inv *ubl.Invoice) { inv.AllowanceCharges[1].MultiplierFactorNumeric.Value = "101" }, rules.Passed, ""},
		{"BR-KSA-DEC-02", standard, set("100"), rules.Passed, ""},
		{"BR-KSA-DEC-02", standard, set(" "), rules.Passed, ""},
		{"BR-KSA-DEC-02", standard, set("100.01"), rules.Failed, firstRow + "/cac:TaxCategory/cbc:Percent"},
		{"BR-KSA-DEC-02", standard, set("-0.01"), rules.Failed, firstRow + "/cac:TaxCategory/cbc:Percent"},
		{"BR-KSA-DEC-06", standard, nil, rules.NotApplicable, ""},
	})
}
