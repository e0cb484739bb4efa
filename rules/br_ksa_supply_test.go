package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

func TestSupply(t *testing.T) {
	const (
		start = "/Invoice/cac:Delivery[1]/cbc:ActualDeliveryDate"
		end   = "/Invoice/cac:Delivery[1]/cbc:LatestDeliveryDate"
	)
	supplied := func(start, end string) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) {
			inv.Deliveries[0].ActualDeliveryDate = ubl.NewText(start)
			inv.Deliveries[0].LatestDeliveryDate = ubl.NewText(end)
		}
	}
	summary := func(deliveries ...*ubl.Delivery) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) {
			transaction("0200010")(inv)
			inv.Deliveries = deliveries
		}
	}
	day := ubl.NewText("2026-11-14")
	show(t, []example{
		{"BR-KSA-15", standard, nil, rules.Passed, ""},
		{"BR-KSA-15", standard, supplied(" ", ""), rules.Failed, start},
		{"BR-KSA-15", credit, supplied(" ", ""), rules.NotApplicable, ""},
		{"BR-KSA-15", standard, func(inv *ubl.Invoice) {
			inv.Deliveries = nil
			delivery := &ubl.Node{Name: "cac:Delivery", Children: []*ubl.Node{{Name: "cbc:ActualDeliveryDate", Text: "2026-11-14"}}}
			inv.Lines[0].Unmodelled = append(inv.Lines[0].Unmodelled, delivery)
		}, rules.Passed, ""},

		{"BR-KSA-35", standard, nil, rules.Passed, ""},
		{"BR-KSA-35", simplified, nil, rules.NotApplicable, ""},
		{"BR-KSA-35", standard, supplied("", "2026-11-14"), rules.Failed, start},

		{"BR-KSA-36", standard, nil, rules.Passed, ""},
		{"BR-KSA-36", standard, supplied("2026-11-14", "2026-11-13"), rules.Failed, end},
		{"BR-KSA-36", standard, supplied("2100-01-01", "2026-11-13"), rules.NotApplicable, ""},

		{"BR-KSA-72", simplified, nil, rules.NotApplicable, ""},
		{"BR-KSA-72", sampleNamed("foreign-consumer"), summary(), rules.NotApplicable, ""},
		{"BR-KSA-72", sampleNamed("named-consumer"), summary(&ubl.Delivery{ActualDeliveryDate: day, LatestDeliveryDate: day}), rules.Passed, ""},
		{"BR-KSA-72", sampleNamed("named-consumer"), summary(&ubl.Delivery{ActualDeliveryDate: day}), rules.Failed, end},
	})
}
