package rules_test

import (
	"strings"
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// limit is a rule on the length of a text: its id, the document to start from,
// the limits, and the function that sets the text at path.
type limit struct {
	id          string
	from        func(testing.TB) *ubl.Invoice
	least, most int
	set         func(*ubl.Invoice, string)
	path        string
}

// examples returns texts just within the limits and just beyond them. The
// character has four bytes.
func (l limit) examples() []example {
	put := func(length int) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { l.set(inv, strings.Repeat("🧾", length)) }
	}
	all := []example{
		{l.id, l.from, put(l.most), rules.Passed, ""},
		{l.id, l.from, put(l.most + 1), rules.Failed, l.path},
	}
	if l.least > 0 {
		all = append(all, example{l.id, l.from, put(l.least), rules.Passed, ""}, example{l.id, l.from, put(l.least - 1), rules.Failed, l.path})
	}
	return all
}

func seller(inv *ubl.Invoice) *ubl.Party { return inv.Supplier.Party }
func buyer(inv *ubl.Invoice) *ubl.Party  { return inv.Customer.Party }

// address returns a function that sets a part of an address.
func address(of func(*ubl.Invoice) *ubl.Party, part func(*ubl.Address) **ubl.Text) func(*ubl.Invoice, string) {
	return func(inv *ubl.Invoice, text string) { *part(of(inv).PostalAddress) = ubl.NewText(text) }
}

func street(a *ubl.Address) **ubl.Text           { return &a.StreetName }
func additionalStreet(a *ubl.Address) **ubl.Text { return &a.AdditionalStreetName }
func city(a *ubl.Address) **ubl.Text             { return &a.CityName }
func district(a *ubl.Address) **ubl.Text         { return &a.CitySubdivisionName }
func region(a *ubl.Address) **ubl.Text           { return &a.CountrySubentity }

func registeredAs(of func(*ubl.Invoice) *ubl.Party) func(*ubl.Invoice, string) {
	return func(inv *ubl.Invoice, text string) { of(inv).LegalEntities[0].RegistrationName.Value = text }
}

func reasonOf(charge string, of func(*ubl.Invoice) *[]*ubl.AllowanceCharge) func(*ubl.Invoice, string) {
	return func(inv *ubl.Invoice, text string) {
		*of(inv) = []*ubl.AllowanceCharge{{ChargeIndicator: ubl.NewText(charge), Reasons: []*ubl.Text{ubl.NewText(text)}}}
	}
}

func onDocument(inv *ubl.Invoice) *[]*ubl.AllowanceCharge { return &inv.AllowanceCharges }
func onFirstLine(inv *ubl.Invoice) *[]*ubl.AllowanceCharge {
	return &inv.Lines[0].AllowanceCharges
}

func identified(text string) *ubl.Identification { return &ubl.Identification{ID: ubl.NewText(text)} }

func toConsumer(t testing.TB) *ubl.Invoice { return read(t, sealed(t, "named-consumer")) }

func TestLengths(t *testing.T) {
	const (
		sellerPath = "/Invoice/cac:AccountingSupplierParty/cac:Party"
		buyerPath  = "/Invoice/cac:AccountingCustomerParty/cac:Party"
		firstLine  = "/Invoice/cac:InvoiceLine[1]"
		account    = "/Invoice/cac:PaymentMeans[1]/cac:PayeeFinancialAccount"
	)
	limits := []limit{
		{"C1", standard, 0, 127, func(inv *ubl.Invoice, text string) { inv.ID.Value = text }, "/Invoice/cbc:ID"},
		{"C2", standard, 0, 1000, func(inv *ubl.Invoice, text string) { inv.Notes[0].Value = text }, "/Invoice/cbc:Note"},
		{"C3", standard, 0, 127, func(inv *ubl.Invoice, text string) { inv.OrderReference = identified(text) }, "/Invoice/cac:OrderReference/cbc:ID"},
		{"C4", standard, 1, 1000, address(seller, street), sellerPath + "/cac:PostalAddress/cbc:StreetName"},
		{"C5", standard, 0, 127, func(inv *ubl.Invoice, text string) {
			inv.ContractDocumentReferences = []*ubl.DocumentReference{{ID: ubl.NewText(text)}}
		}, "/Invoice/cac:ContractDocumentReference[1]/cbc:ID"},
		{"C6", standard, 0, 127, address(seller, additionalStreet), sellerPath + "/cac:PostalAddress/cbc:AdditionalStreetName"},
		{"C7", standard, 1, 127, address(seller, city), sellerPath + "/cac:PostalAddress/cbc:CityName"},
		{"C8", standard, 0, 127, address(seller, region), sellerPath + "/cac:PostalAddress/cbc:CountrySubentity"},
		{"C9", standard, 1, 127, address(seller, district), sellerPath + "/cac:PostalAddress/cbc:CitySubdivisionName"},
		{"C10", standard, 1, 1000, registeredAs(seller), sellerPath + "/cac:PartyLegalEntity[1]/cbc:RegistrationName"},
		{"C11", standard, 0, 127, address(buyer, additionalStreet), buyerPath + "/cac:PostalAddress/cbc:AdditionalStreetName"},
		{"C12", standard, 1, 1000, registeredAs(buyer), buyerPath + "/cac:PartyLegalEntity[1]/cbc:RegistrationName"},
		{"C13", credit, 1, 1000, func(inv *ubl.Invoice, text string) { inv.PaymentMeans[0].InstructionNotes[0].Value = text }, "/Invoice/cac:PaymentMeans[1]/cbc:InstructionNote"},
		{"C14", standard, 1, 1000, func(inv *ubl.Invoice, text string) {
			inv.PaymentMeans[0].PayeeFinancialAccount.PaymentNotes[0].Value = text
		}, account + "/cbc:PaymentNote"},
		{"C15", standard, 0, 127, func(inv *ubl.Invoice, text string) { inv.PaymentMeans[0].PayeeFinancialAccount.ID = ubl.NewText(text) }, account + "/cbc:ID"},
		{"C16", discounted, 1, 1000, func(inv *ubl.Invoice, text string) {
			inv.TaxTotals[1].Subtotals[1].TaxCategory.TaxExemptionReasons[0].Value = text
		}, "/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[2]/cac:TaxCategory/cbc:TaxExemptionReason"},
		{"C17", standard, 1, 6, func(inv *ubl.Invoice, text string) { inv.Lines[0].ID.Value = text }, firstLine + "/cbc:ID"},
		{"C18", standard, 0, 127, func(inv *ubl.Invoice, text string) { inv.Lines[0].InvoicedQuantity.Attrs[0].Value = text }, firstLine + "/cbc:InvoicedQuantity/@unitCode"},
		{"C19", standard, 3, 1000, func(inv *ubl.Invoice, text string) { inv.Lines[0].Item.Name.Value = text }, firstLine + "/cac:Item/cbc:Name"},
		{"C20", standard, 0, 127, func(inv *ubl.Invoice, text string) { inv.Lines[0].Item.StandardIdentification = identified(text) }, firstLine + "/cac:Item/cac:StandardItemIdentification/cbc:ID"},
		{"C21", standard, 0, 127, func(inv *ubl.Invoice, text string) {
			inv.Lines[0].Price.BaseQuantity = ubl.NewText("1", "unitCode", text)
		}, firstLine + "/cac:Price/cbc:BaseQuantity/@unitCode"},
		{"C22", credit, 1, 5000, func(inv *ubl.Invoice, text string) { inv.BillingReferences[0].InvoiceDocumentReference.ID.Value = text }, "/Invoice/cac:BillingReference[1]/cac:InvoiceDocumentReference/cbc:ID"},
		{"C23", standard, 1, 1000, address(buyer, street), buyerPath + "/cac:PostalAddress/cbc:StreetName"},
		{"C24", toConsumer, 0, 1000, address(buyer, street), buyerPath + "/cac:PostalAddress/cbc:StreetName"},
		{"C26", standard, 0, 127, address(buyer, city), buyerPath + "/cac:PostalAddress/cbc:CityName"},
		{"C27", standard, 0, 127, address(buyer, region), buyerPath + "/cac:PostalAddress/cbc:CountrySubentity"},
		{"C29", standard, 0, 127, address(buyer, district), buyerPath + "/cac:PostalAddress/cbc:CitySubdivisionName"},
		{"C30", standard, 0, 127, func(inv *ubl.Invoice, text string) { inv.Lines[0].Item.BuyersIdentification = identified(text) }, firstLine + "/cac:Item/cac:BuyersItemIdentification/cbc:ID"},
		{"C31", standard, 0, 127, func(inv *ubl.Invoice, text string) { inv.Lines[0].Item.SellersIdentification = identified(text) }, firstLine + "/cac:Item/cac:SellersItemIdentification/cbc:ID"},
		{"C32", toConsumer, 0, 1000, registeredAs(buyer), buyerPath + "/cac:PartyLegalEntity[1]/cbc:RegistrationName"},
		{"C33", standard, 1, 1000, reasonOf("true", onDocument), "/Invoice/cac:AllowanceCharge[1]/cbc:AllowanceChargeReason"},
		{"C34", standard, 1, 1000, reasonOf("true", onFirstLine), firstLine + "/cac:AllowanceCharge[1]/cbc:AllowanceChargeReason"},
		{"C35", standard, 1, 1000, reasonOf("false", onDocument), "/Invoice/cac:AllowanceCharge[1]/cbc:AllowanceChargeReason"},
		{"C36", standard, 1, 1000, reasonOf("false", onFirstLine), firstLine + "/cac:AllowanceCharge[1]/cbc:AllowanceChargeReason"},
		{"C37", standard, 0, 1000, func(inv *ubl.Invoice, text string) { buyer(inv).Contact = &ubl.Contact{Name: ubl.NewText(text)} }, buyerPath + "/cac:Contact/cbc:Name"},
		{"C38", standard, 0, 1000, func(inv *ubl.Invoice, text string) {
			buyer(inv).Contact = &ubl.Contact{Notes: []*ubl.Text{ubl.NewText(text)}}
		}, buyerPath + "/cac:Contact/cbc:Note"},
		{"C39", deducting, 1, 1000, func(inv *ubl.Invoice, text string) { reasoned("E", "VATEX-SA-29", text)(inv) }, advanceCatPath + "/cbc:TaxExemptionReason"},
		{"C40", standard, 7, 9, func(inv *ubl.Invoice, text string) { inv.InvoiceTypeCode.Attrs[0].Value = text }, "/Invoice/cbc:InvoiceTypeCode/@name"},
	}
	for _, l := range limits {
		l.id = "BR-KSA-F-06-" + l.id
		show(t, l.examples())
	}
}

func TestDemandedAddresses(t *testing.T) {
	const home = "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PostalAddress"
	abroad := func(inv *ubl.Invoice) { buyer(inv).PostalAddress.Country.IdentificationCode.Value = "AE" }
	without := func(part func(*ubl.Address) **ubl.Text) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { *part(buyer(inv).PostalAddress) = nil }
	}
	show(t, []example{
		{"BR-KSA-F-06-C23", standard, without(street), rules.Failed, home + "/cbc:StreetName"},
		{"BR-KSA-F-06-C25", standard, nil, rules.Passed, ""},
		{"BR-KSA-F-06-C25", standard, without(city), rules.Failed, home + "/cbc:CityName"},
		{"BR-KSA-F-06-C25", simplified, nil, rules.NotApplicable, ""},
		{"BR-KSA-F-06-C28", standard, nil, rules.Passed, ""},
		{"BR-KSA-F-06-C28", standard, abroad, rules.NotApplicable, ""},
		{"BR-KSA-F-06-C28", standard, without(district), rules.Failed, home + "/cbc:CitySubdivisionName"},
		// The seller's district is checked only for buyers in Saudi Arabia.
		{"BR-KSA-F-06-C9", standard, abroad, rules.NotApplicable, ""},
	})
}
