package org

// Address is the address of an organisation, a branch or a client.
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

	// The same in Arabic; empty if it is not known.
	StreetArabic           string
	AdditionalStreetArabic string
	DistrictArabic         string
	CityArabic             string
	ProvinceStateArabic    string
}

// Identification is a number assigned by a public register, such as a commercial
// registration number.
type Identification struct {
	Type  string
	Value string
}

// IsZero reports whether no identification is set.
func (i Identification) IsZero() bool { return i == Identification{} }
