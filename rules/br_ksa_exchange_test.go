package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

func TestExchangeRates(t *testing.T) {
	const path = "/Invoice/cac:TaxExchangeRate"
	source := func(code string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.TaxExchangeRate.SourceCurrencyCode.Value = code }
	}
	target := func(code string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.TaxExchangeRate.TargetCurrencyCode.Value = code }
	}
	rate := func(number string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.TaxExchangeRate.CalculationRate.Value = number }
	}
	show(t, []example{
		{"BR-KSA-87", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-87", foreign, nil, rules.Passed, ""},
		{"BR-KSA-87", foreign, target(""), rules.Failed, path + "/cbc:TargetCurrencyCode"},
		{"BR-KSA-88", foreign, nil, rules.Passed, ""},
		{"BR-KSA-88", foreign, source("SAR"), rules.Failed, path + "/cbc:SourceCurrencyCode"},
		{"BR-KSA-88", foreign, source("US"), rules.Passed, ""},
		{"BR-KSA-88", foreign, source("USD "), rules.Failed, path + "/cbc:SourceCurrencyCode"},
		{"BR-KSA-89", foreign, nil, rules.Passed, ""},
		{"BR-KSA-89", foreign, target("USD"), rules.Failed, path + "/cbc:TargetCurrencyCode"},
		{"BR-KSA-90", foreign, rate("3.752512345678"), rules.Passed, ""},
		{"BR-KSA-90", foreign, rate("3.7525123456789"), rules.Failed, path + "/cbc:CalculationRate"},
		{"BR-KSA-97", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-97", foreign, nil, rules.Passed, ""},
		{"BR-KSA-97", foreign, func(inv *ubl.Invoice) { inv.TaxTotals[0].TaxAmount.Value = inv.TaxTotals[1].TaxAmount.Value }, rules.Failed, "/Invoice/cac:TaxTotal[1]/cbc:TaxAmount"},
	})
}
