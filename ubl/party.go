package ubl

// AccountingParty is the seller or the buyer.
type AccountingParty struct {
	Party *Party
	Rest
}

func (a *AccountingParty) shape(v visitor) {
	one(v, "cac:Party", &a.Party)
}

// Party is a business or a person.
type Party struct {
	Identifications []*Identification
	Names           []*PartyName
	PostalAddress   *Address
	TaxSchemes      []*PartyTaxScheme
	LegalEntities   []*LegalEntity
	Contact         *Contact
	Rest
}

func (p *Party) shape(v visitor) {
	many(v, "cac:PartyIdentification", &p.Identifications)
	many(v, "cac:PartyName", &p.Names)
	one(v, "cac:PostalAddress", &p.PostalAddress)
	many(v, "cac:PartyTaxScheme", &p.TaxSchemes)
	many(v, "cac:PartyLegalEntity", &p.LegalEntities)
	one(v, "cac:Contact", &p.Contact)
}

// PartyName is a trade name.
type PartyName struct {
	Name *Text
	Rest
}

func (n *PartyName) shape(v visitor) {
	v.leaf("cbc:Name", &n.Name)
}

// Address is a postal address.
type Address struct {
	StreetName           *Text
	AdditionalStreetName *Text
	BuildingNumber       *Text
	PlotIdentification   *Text
	CitySubdivisionName  *Text
	CityName             *Text
	PostalZone           *Text
	CountrySubentity     *Text
	Country              *Country
	Rest
}

func (a *Address) shape(v visitor) {
	v.leaf("cbc:StreetName", &a.StreetName)
	v.leaf("cbc:AdditionalStreetName", &a.AdditionalStreetName)
	v.leaf("cbc:BuildingNumber", &a.BuildingNumber)
	v.leaf("cbc:PlotIdentification", &a.PlotIdentification)
	v.leaf("cbc:CitySubdivisionName", &a.CitySubdivisionName)
	v.leaf("cbc:CityName", &a.CityName)
	v.leaf("cbc:PostalZone", &a.PostalZone)
	v.leaf("cbc:CountrySubentity", &a.CountrySubentity)
	one(v, "cac:Country", &a.Country)
}

// Country is a country with its ISO code.
type Country struct {
	IdentificationCode *Text
	Rest
}

func (c *Country) shape(v visitor) {
	v.leaf("cbc:IdentificationCode", &c.IdentificationCode)
}

// PartyTaxScheme contains the VAT number of a party.
type PartyTaxScheme struct {
	CompanyID *Text
	TaxScheme *Identification
	Rest
}

func (s *PartyTaxScheme) shape(v visitor) {
	v.leaf("cbc:CompanyID", &s.CompanyID)
	one(v, "cac:TaxScheme", &s.TaxScheme)
}

// LegalEntity contains the registered name of a party.
type LegalEntity struct {
	RegistrationName *Text
	Rest
}

func (e *LegalEntity) shape(v visitor) {
	v.leaf("cbc:RegistrationName", &e.RegistrationName)
}

// Contact contains the contact details of a party.
type Contact struct {
	Name           *Text
	Telephone      *Text
	ElectronicMail *Text
	Notes          []*Text
	Rest
}

func (c *Contact) shape(v visitor) {
	v.leaf("cbc:Name", &c.Name)
	v.leaf("cbc:Telephone", &c.Telephone)
	v.leaf("cbc:ElectronicMail", &c.ElectronicMail)
	v.leaves("cbc:Note", &c.Notes)
}
