package invoice

import "khatm/codes"

// Seller is the business that issues the document.
type Seller struct {
	Name       string
	NameArabic string // stands on the document when given
	VATNumber  string // 15 digits, first and last 3
	ID         PartyID
	Address
}

// RegisteredName is the name that stands on the document and in its QR code.
func (s Seller) RegisteredName() string {
	if s.NameArabic != "" {
		return s.NameArabic
	}
	return s.Name
}

// Buyer is the customer.
type Buyer struct {
	Name       string
	NameArabic string
	VATNumber  string
	IDs        []PartyID // one stands on the document: see codes.BuyerIDTypes
	Address
}

// RegisteredName is the name that stands on the document.
func (b Buyer) RegisteredName() string {
	if b.NameArabic != "" {
		return b.NameArabic
	}
	return b.Name
}

// PartyID identifies a party besides its VAT number.
type PartyID struct {
	Scheme string // CRN, MOM, NAT, …
	Value  string
}

// Address is a postal address.
type Address struct {
	Street           string
	AdditionalStreet string
	BuildingNumber   string
	Plot             string
	District         string
	City             string
	Province         string
	PostalCode       string
	Country          string // ISO 3166-1 alpha-2
}

// Saudi says whether the address is in Saudi Arabia.
func (a Address) Saudi() bool { return a.Country == codes.SaudiArabia }
