package org

// Address is where an organisation, a branch or a client is.
type Address struct {
	Street             string
	AdditionalStreet   string
	BuildingNumber     string
	PlotIdentification string
	District           string
	City               string
	ProvinceState      string
	PostalCode         string
	CountryCode        string
}

// Identification is a number that some register gave: of commerce, of persons.
type Identification struct {
	Type  string
	Value string
}

// IsZero says whether there is none.
func (i Identification) IsZero() bool { return i == Identification{} }
