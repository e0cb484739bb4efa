package tools

import "khatm/invoice"

type invoiceSeller struct {
	Name       string     `json:"name" optional:"true" maxLength:"5000" example:"Khatm Demo Trading" doc:"Name of the business."`
	NameArabic string     `json:"name_arabic" optional:"true" maxLength:"5000" example:"شركة ختم التجريبية" doc:"The name in Arabic; it stands on the document when it is given."`
	VATNumber  string     `json:"vat_registration_number" optional:"true" maxLength:"5000" example:"310175397400003" doc:"15 digits, first and last 3."`
	ID         *invoiceID `json:"additional_seller_id" optional:"true" doc:"What identifies the business besides, such as its commercial registration."`
	invoiceAddress
}

type invoiceBuyer struct {
	Name       string      `json:"buyer_name" optional:"true" maxLength:"5000" example:"Al Noor Stationery Est." doc:"Name of the customer."`
	NameArabic string      `json:"buyer_name_arabic" optional:"true" maxLength:"5000" example:"مؤسسة النور للقرطاسية" doc:"The name in Arabic; it stands on the document when it is given."`
	VATNumber  string      `json:"vat_registration_number" optional:"true" maxLength:"5000" example:"311287654900003" doc:"15 digits, first and last 3."`
	IDs        []invoiceID `json:"additional_buyer_id" optional:"true" maxItems:"4000" doc:"What identifies the customer besides. One stands on the document: the first in the order of the authority's list."`
	invoiceAddress
}

type invoiceID struct {
	Scheme string `json:"type_id" optional:"true" maxLength:"5000" example:"CRN" doc:"CRN, MOM, MLS, SAG, 700, OTH; for customers NAT, GCC, IQA, PAS, TIN too."`
	Value  string `json:"value" optional:"true" maxLength:"5000" example:"1010183482" doc:"Letters and digits."`
}

type invoiceAddress struct {
	Street           string `json:"street" optional:"true" maxLength:"5000" example:"طريق الملك فهد" doc:"Street."`
	AdditionalStreet string `json:"additional_street" optional:"true" maxLength:"5000" doc:"What the street leaves out."`
	BuildingNumber   string `json:"building_number" optional:"true" maxLength:"5000" example:"8091" doc:"4 digits in Saudi Arabia."`
	Plot             string `json:"plot_identification" optional:"true" maxLength:"5000" doc:"The additional number of the national address."`
	District         string `json:"district" optional:"true" maxLength:"5000" example:"حي العليا" doc:"District."`
	City             string `json:"city" optional:"true" maxLength:"5000" example:"الرياض" doc:"City."`
	Province         string `json:"province_state" optional:"true" maxLength:"5000" doc:"Province or state."`
	PostalCode       string `json:"postal_code" optional:"true" maxLength:"5000" example:"12214" doc:"5 digits in Saudi Arabia."`
	Country          string `json:"country_code" default:"SA" maxLength:"5000" example:"SA" doc:"ISO 3166-1 code."`
}

func (s invoiceSeller) facts() invoice.Seller {
	f := invoice.Seller{Name: s.Name, NameArabic: s.NameArabic, VATNumber: s.VATNumber, Address: invoice.Address(s.invoiceAddress)}
	if s.ID != nil {
		f.ID = invoice.PartyID(*s.ID)
	}
	return f
}

func sellerOf(f invoice.Seller) invoiceSeller {
	s := invoiceSeller{Name: f.Name, NameArabic: f.NameArabic, VATNumber: f.VATNumber, invoiceAddress: invoiceAddress(f.Address)}
	if f.ID != (invoice.PartyID{}) {
		id := invoiceID(f.ID)
		s.ID = &id
	}
	return s
}

func (b *invoiceBuyer) facts() *invoice.Buyer {
	if b == nil {
		return nil
	}
	return &invoice.Buyer{
		Name: b.Name, NameArabic: b.NameArabic, VATNumber: b.VATNumber, Address: invoice.Address(b.invoiceAddress),
		IDs: each(b.IDs, func(id invoiceID) invoice.PartyID { return invoice.PartyID(id) }),
	}
}

func buyerOf(f *invoice.Buyer) *invoiceBuyer {
	if f == nil {
		return nil
	}
	return &invoiceBuyer{
		Name: f.Name, NameArabic: f.NameArabic, VATNumber: f.VATNumber, invoiceAddress: invoiceAddress(f.Address),
		IDs: each(f.IDs, func(id invoice.PartyID) invoiceID { return invoiceID(id) }),
	}
}
