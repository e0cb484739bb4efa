package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

func TestSaudiArithmetic(t *testing.T) {
	// discount returns a change that sets amount, base and percentage of the
	// first discount of full.
	discount := func(amount, base, percent string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) {
			a := inv.AllowanceCharges[0]
			a.Amount, a.BaseAmount, a.MultiplierFactorNumeric = text(amount), text(base), text(percent)
		}
	}
	// price returns a change that adds a discount to the first price.
	price := func(indicator, amount, base string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) {
			a := &ubl.AllowanceCharge{ChargeIndicator: ubl.NewText(indicator), Amount: text(amount), BaseAmount: text(base)}
			inv.Lines[0].Price.AllowanceCharges = []*ubl.AllowanceCharge{a}
		}
	}
	first := "/Invoice/cac:AllowanceCharge[1]"
	show(t, []example{
		{"BR-KSA-EN16931-01", standard, nil, rules.Passed, ""},
		{"BR-KSA-EN16931-01", standard, func(inv *ubl.Invoice) { inv.ProfileID.Value = "Reporting:1.0" }, rules.Failed, "/Invoice/cbc:ProfileID"},
		{"BR-KSA-EN16931-02", foreign, func(inv *ubl.Invoice) { inv.TaxCurrencyCode.Value = " sar" }, rules.Passed, ""},
		{"BR-KSA-EN16931-02", foreign, func(inv *ubl.Invoice) { inv.TaxCurrencyCode.Value = "USD" }, rules.Failed, "/Invoice/cbc:TaxCurrencyCode"},
		{"BR-KSA-EN16931-02", foreign, func(inv *ubl.Invoice) { inv.TaxCurrencyCode = nil }, rules.NotApplicable, ""},

		{"BR-KSA-EN16931-03", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-EN16931-03", full, discount("1.25", "10.005", "12.5"), rules.Passed, ""},
		{"BR-KSA-EN16931-03", full, discount("0.13", "1.25", "10"), rules.Passed, ""},
		{"BR-KSA-EN16931-03", full, discount("0.12", "1.25", "10"), rules.Failed, first + "/cbc:Amount"},
		{"BR-KSA-EN16931-03", full, discount("0.12", "1.25", "-"), rules.Failed, first + "/cbc:Amount"},
		{"BR-KSA-EN16931-04", full, nil, rules.Passed, ""},
		{"BR-KSA-EN16931-04", full, discount("1", "-", "10"), rules.Failed, first + "/cbc:BaseAmount"},
		{"BR-KSA-EN16931-05", full, nil, rules.Passed, ""},
		{"BR-KSA-EN16931-05", full, discount("1", "10", "-"), rules.Failed, first + "/cbc:MultiplierFactorNumeric"},
		{"BR-KSA-EN16931-05", standard, price("false", "0", "10"), rules.NotApplicable, ""},

		{"BR-KSA-EN16931-06", standard, price("0", "1", "19.95"), rules.Passed, ""},
		{"BR-KSA-EN16931-06", standard, price("true", "1", "19.95"), rules.Failed, line1 + "/cac:Price/cac:AllowanceCharge[1]/cbc:ChargeIndicator"},
		{"BR-KSA-EN16931-07", standard, price("false", "1.0", "19.95"), rules.Passed, ""},
		{"BR-KSA-EN16931-07", standard, price("false", "1.0", "19.96"), rules.Failed, line1 + "/cac:Price/cbc:PriceAmount"},
		{"BR-KSA-EN16931-07", standard, price("false", "-", "18.95"), rules.Failed, line1 + "/cac:Price/cbc:PriceAmount"},
		{"BR-KSA-EN16931-07", standard, price("false", "5", "-"), rules.NotApplicable, ""},

		{"BR-KSA-EN16931-08", standard, nil, rules.Passed, ""},
		{"BR-KSA-EN16931-08", standard, func(inv *ubl.Invoice) { inv.TaxTotals = append(inv.TaxTotals, inv.TaxTotals[1]) }, rules.Failed, "/Invoice/cac:TaxTotal"},
		{"BR-KSA-EN16931-09", standard, nil, rules.Passed, ""},
		{"BR-KSA-EN16931-09", standard, func(inv *ubl.Invoice) { inv.TaxTotals = inv.TaxTotals[1:] }, rules.Failed, "/Invoice/cac:TaxTotal"},
	})
}

// text returns a leaf, or nil for "-".
func text(value string) *ubl.Text {
	if value == "-" {
		return nil
	}
	return ubl.NewText(value)
}

func TestNetOfLine(t *testing.T) {
	cases := []struct {
		quantity, price, base, charge, discount string
		net                                     string
		want                                    rules.Status
	}{
		{"3", "1.11", "-", "-", "-", "3.33", rules.Passed},
		{"3", "1.11", "-", "-", "-", "3.34", rules.Passed},
		{"3", "1.11", "-", "-", "-", "3.32", rules.Passed},
		{"3", "1.11", "-", "-", "-", "3.35", rules.Failed},
		{"3", "1.11", "-", "-", "-", "3.335", rules.Failed}, // a difference of half a cent fails
		{"1", "0.00499999", "-", "-", "-", "0.01", rules.Passed},
		{"1", "0.00499999", "-", "-", "-", "0.02", rules.Failed}, // truncated to 0.004 before rounding
		{"1", "0.005", "-", "-", "-", "0.02", rules.Passed},
		{"-1", "0.005", "-", "-", "-", "0.01", rules.Passed}, // halves are rounded up: -0.005 becomes 0
		{"-1", "0.005", "-", "-", "-", "-0.02", rules.Failed},
		{"2", "10", "-", "1.50", "0.25", "21.25", rules.Passed},
		{"2", "10", "-", "1.50", "0.25", "21.27", rules.Failed},
		{"3", "10", "3", "-", "-", "10.00", rules.Passed},
		{"3", "10", "3", "-", "-", "10.02", rules.Failed},
		{"1000000", "0.333333333333333333333333", "-", "-", "-", "333333.33", rules.Passed},
		{"99999999999", "99999999999", "-", "-", "-", "9999999999800000000001", rules.Passed},
		{"-", "10", "-", "-", "-", "10", rules.Failed},
		{"1", "-", "-", "-", "-", "0", rules.Failed},
		{"1", "1", "-", "-", "-", "-", rules.Failed},
		{"1", "1", "0", "-", "-", "1", rules.Failed}, // the sheet aborts
	}
	inv := standard(t)
	for _, c := range cases {
		l := &ubl.Line{
			InvoicedQuantity: text(c.quantity), LineExtensionAmount: text(c.net),
			Price: &ubl.Price{PriceAmount: text(c.price), BaseQuantity: text(c.base)},
		}
		if c.charge != "-" {
			l.AllowanceCharges = []*ubl.AllowanceCharge{adjusted("true", c.charge, "S", "15"), adjusted("false", c.discount, "S", "15")}
		}
		inv.Lines = []*ubl.Line{l}
		if got, places := statusOf(t, rules.Check(inv, checked), "BR-KSA-EN16931-11"); got != c.want {
			t.Errorf("line %+v: got %s at %v, want %s", c, got, places, c.want)
		}
	}
}

func TestBaseQuantity(t *testing.T) {
	for value, want := range map[string]rules.Status{"-": rules.NotApplicable, "": rules.NotApplicable, "1": rules.Passed, "0.5": rules.Passed, "0": rules.Failed, "-1": rules.Failed, " ": rules.Failed} {
		inv := standard(t)
		inv.Lines[0].Price.BaseQuantity = text(value)
		if got, _ := statusOf(t, rules.Check(inv, checked), "BR-KSA-EN16931-12"); got != want {
			t.Errorf("BR-KSA-EN16931-12 with the base quantity %q: got %s, want %s", value, got, want)
		}
	}
}
