package tools

import "khatm/invoice"

type invoiceSeller struct {
	Name       string     `json:"name" optional:"true" maxLength:"5000" example:"Khatm Demo Trading" doc:"Name of the seller."`
	NameArabic string     `json:"name_arabic" optional:"true" maxLength:"5000" example:"شركة ختم التجريبية" doc:"Name in Arabic; printed on the document if it is sent."`
	VATNumber  string     `json:"vat_registration_number" optional:"true" maxLength:"5000" example:"310175397400003" doc:"VAT registration number: 15 digits, the first and the last of them 3."`
	ID         *invoiceID `json:"additional_seller_id" optional:"true" doc:"Identification number of the seller, such as the commercial registration."`
	invoiceAddress
}

type invoiceBuyer struct {
	Name       string      `json:"buyer_name" optional:"true" maxLength:"5000" example:"Al Noor Stationery Est." doc:"Name of the buyer."`
	NameArabic string      `json:"buyer_name_arabic" optional:"true" maxLength:"5000" example:"مؤسسة النور للقرطاسية" doc:"Name in Arabic; printed on the document if it is sent."`
	VATNumber  string      `json:"vat_registration_number" optional:"true" maxLength:"5000" example:"311287654900003" doc:"VAT registration number: 15 digits, the first and the last of them 3."`
	IDs        []invoiceID `json:"additional_buyer_id" optional:"true" maxItems:"4000" doc:"Identification numbers of the buyer. The document contains one of them: the first in the order of the authority's list."`
	invoiceAddress
}

type invoiceID struct {
	Scheme string `json:"type_id" optional:"true" maxLength:"5000" example:"CRN" doc:"Type of the number: CRN, MOM, MLS, SAG, 700 or OTH; for buyers also NAT, GCC, IQA, PAS or TIN."`
	Value  string `json:"value" optional:"true" maxLength:"5000" example:"1010183482" doc:"The number: letters and digits, such as 1010183482."`
}

type invoiceAddress struct {
	Street           string `json:"street" optional:"true" maxLength:"5000" example:"طريق الملك فهد" doc:"Street name."`
	AdditionalStreet string `json:"additional_street" optional:"true" maxLength:"5000" doc:"Second line of the street address."`
	BuildingNumber   string `json:"building_number" optional:"true" maxLength:"5000" example:"8091" doc:"Building number; 4 digits in Saudi Arabia."`
	Plot             string `json:"plot_identification" optional:"true" maxLength:"5000" doc:"Additional number of the national address (plot identification)."`
	District         string `json:"district" optional:"true" maxLength:"5000" example:"حي العليا" doc:"District of the city."`
	City             string `json:"city" optional:"true" maxLength:"5000" example:"الرياض" doc:"City of the address."`
	Province         string `json:"province_state" optional:"true" maxLength:"5000" doc:"Province or state."`
	PostalCode       string `json:"postal_code" optional:"true" maxLength:"5000" example:"12214" doc:"Postal code; 5 digits in Saudi Arabia."`
	Country          string `json:"country_code" default:"SA" maxLength:"5000" example:"SA" doc:"Country code of two letters (ISO 3166-1), such as SA."`
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
