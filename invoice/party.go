package invoice

import "khatm/codes"

// Seller is the business that issues the document.
type Seller struct {
	Name       string
	NameArabic string // preferred on the document if not empty
	VATNumber  string // 15 digits, first and last 3
	ID         PartyID
	Address
}

// RegisteredName returns the name used on the document and in its QR code: the
// Arabic name if there is one.
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
	IDs        []PartyID // the document shows one of them; see codes.BuyerIDTypes
	Address
}

// RegisteredName returns the name used on the document: the Arabic name if there
// is one.
func (b Buyer) RegisteredName() string {
	if b.NameArabic != "" {
		return b.NameArabic
	}
	return b.Name
}

// PartyID is an identification of a party other than its VAT number.
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

// Saudi reports whether the address is in Saudi Arabia.
func (a Address) Saudi() bool { return a.Country == codes.SaudiArabia }
