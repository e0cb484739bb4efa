package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

func TestSeller(t *testing.T) {
	const (
		party   = "/Invoice/cac:AccountingSupplierParty/cac:Party"
		address = party + "/cac:PostalAddress"
		scheme  = party + "/cac:PartyIdentification[1]/cbc:ID/@schemeID"
	)
	seller := func(change func(*ubl.Party)) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { change(inv.Supplier.Party) }
	}
	identified := func(scheme string) func(*ubl.Invoice) {
		return seller(func(p *ubl.Party) { p.Identifications[0].ID = ubl.NewText("1010183482", "schemeID", scheme) })
	}
	registered := func(number, scheme string) func(*ubl.Invoice) {
		return seller(func(p *ubl.Party) {
			p.TaxSchemes[0].CompanyID = ubl.NewText(number)
			p.TaxSchemes[0].TaxScheme.ID = ubl.NewText(scheme)
		})
	}
	homeless := seller(func(p *ubl.Party) { p.PostalAddress = nil })
	show(t, []example{
		{"BR-KSA-08", standard, nil, rules.Passed, ""},
		{"BR-KSA-08", standard, identified(" 700 "), rules.Passed, ""},
		{"BR-KSA-08", standard, identified("NAT"), rules.Failed, scheme},
		{"BR-KSA-08", standard, identified("CR"), rules.Failed, scheme},
		{"BR-KSA-08", standard, seller(func(p *ubl.Party) { p.Identifications = nil }), rules.Failed, party + "/cac:PartyIdentification/cbc:ID"},

		{"BR-KSA-09", standard, nil, rules.Passed, ""},
		{"BR-KSA-09", standard, seller(func(p *ubl.Party) { p.PostalAddress.CityName = nil }), rules.Failed, address + "/cbc:CityName"},
		{"BR-KSA-09", standard, seller(func(p *ubl.Party) { p.PostalAddress.CityName = ubl.NewText("") }), rules.Passed, ""},
		{"BR-KSA-09", standard, homeless, rules.NotApplicable, ""},

		{"BR-KSA-37", standard, nil, rules.Passed, ""},
		{"BR-KSA-37", standard, homeless, rules.Failed, address + "/cbc:BuildingNumber"},
		{"BR-KSA-37", standard, seller(func(p *ubl.Party) { p.PostalAddress.BuildingNumber = ubl.NewText("٨٠٩١") }), rules.Failed, address + "/cbc:BuildingNumber"},

		{"BR-KSA-39", standard, nil, rules.Passed, ""},
		{"BR-KSA-39", standard, registered("", "VAT"), rules.Failed, party + "/cac:PartyTaxScheme/cbc:CompanyID"},
		{"BR-KSA-39", standard, registered("310175397400003", "GST"), rules.Failed, party + "/cac:PartyTaxScheme/cac:TaxScheme/cbc:ID"},

		{"BR-KSA-40", standard, nil, rules.Passed, ""},
		{"BR-KSA-40", standard, registered("310175397400004", "VAT"), rules.Failed, party + "/cac:PartyTaxScheme[1]/cbc:CompanyID"},
		{"BR-KSA-40", standard, registered("", "VAT"), rules.Failed, party + "/cac:PartyTaxScheme[1]/cbc:CompanyID"},
		{"BR-KSA-40", standard, registered("1", " VAT"), rules.NotApplicable, ""},

		{"BR-KSA-66", standard, nil, rules.Passed, ""},
		{"BR-KSA-66", standard, homeless, rules.NotApplicable, ""},
		{"BR-KSA-66", standard, seller(func(p *ubl.Party) { p.PostalAddress.PostalZone = nil }), rules.Failed, address + "/cbc:PostalZone"},
	})
}
