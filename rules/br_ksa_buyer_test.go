package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

func TestBuyer(t *testing.T) {
	const (
		party   = "/Invoice/cac:AccountingCustomerParty/cac:Party"
		address = party + "/cac:PostalAddress"
		name    = party + "/cac:PartyLegalEntity/cbc:RegistrationName"
		number  = party + "/cac:PartyTaxScheme[1]/cbc:CompanyID"
	)
	buyer := func(change func(*ubl.Party)) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { change(inv.Customer.Party) }
	}
	nameless := buyer(func(p *ubl.Party) { p.LegalEntities = nil })
	registered := func(number string) func(*ubl.Invoice) {
		return buyer(func(p *ubl.Party) { p.TaxSchemes[0].CompanyID = ubl.NewText(number) })
	}
	postal := func(code string) func(*ubl.Invoice) {
		return buyer(func(p *ubl.Party) { p.PostalAddress.PostalZone = ubl.NewText(code) })
	}
	show(t, []example{
		{"BR-KSA-10", standard, nil, rules.Passed, ""},
		{"BR-KSA-10", simplified, nil, rules.NotApplicable, ""},
		{"BR-KSA-10", simplified, transaction("020100000"), rules.Failed, address + "/cbc:StreetName"},
		{"BR-KSA-10", standard, buyer(func(p *ubl.Party) { p.PostalAddress.CityName = nil }), rules.Failed, address + "/cbc:CityName"},

		{"BR-KSA-14", standard, nil, rules.Passed, ""},
		{"BR-KSA-14", simplified, nil, rules.NotApplicable, ""},
		{"BR-KSA-14", standard, buyer(func(p *ubl.Party) { p.Identifications[0].ID.Attrs = nil }), rules.Failed, party + "/cac:PartyIdentification[1]/cbc:ID/@schemeID"},

		{"BR-KSA-42", standard, nil, rules.Passed, ""},
		{"BR-KSA-42", standard, nameless, rules.Failed, name},
		{"BR-KSA-42", standard, func(inv *ubl.Invoice) { inv.Customer = nil }, rules.NotApplicable, ""},

		{"BR-KSA-44", standard, nil, rules.Passed, ""},
		{"BR-KSA-44", standard, registered(""), rules.NotApplicable, ""},
		{"BR-KSA-44", standard, registered("411287654900003"), rules.Failed, number},

		{"BR-KSA-63", standard, nil, rules.Passed, ""},
		{"BR-KSA-63", export, nil, rules.NotApplicable, ""},
		{"BR-KSA-63", standard, buyer(func(p *ubl.Party) { p.PostalAddress.BuildingNumber = ubl.NewText(" ") }), rules.Failed, address + "/cbc:BuildingNumber"},

		{"BR-KSA-67", standard, nil, rules.Passed, ""},
		{"BR-KSA-67", export, postal("D-40212"), rules.NotApplicable, ""},
		{"BR-KSA-67", standard, postal("2332"), rules.Failed, address + "/cbc:PostalZone"},

		{"BR-KSA-71", simplified, nil, rules.NotApplicable, ""},
		{"BR-KSA-71", simplified, transaction("0200010"), rules.Failed, name},
		{"BR-KSA-71", sampleNamed("named-consumer"), transaction("0200010"), rules.Passed, ""},
	})
}
