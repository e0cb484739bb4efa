package api

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/codec"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// clientChange is the body of a change to a client.
type clientChange struct {
	Name                   codec.Sent[string]           `json:"buyer_name" minLength:"1" maxLength:"1000" doc:"Name in Latin letters. If the client has only one name, send it here in any script."`
	NameArabic             codec.Sent[string]           `json:"buyer_name_arabic" maxLength:"1000" doc:"Name in Arabic letters; printed on invoices if it is set."`
	VATNumber              codec.Sent[string]           `json:"vat_registration_number" maxLength:"40" doc:"VAT registration number: 15 digits, the first and the last of them 3. An empty string removes it."`
	BusinessType           codec.Sent[uuid.UUID]        `json:"business_type" member:"uuid" doc:"UUID of the business type, from GET /api/business-types/ or another client. An object with a uuid, as GET returns it, is accepted too."`
	Industry               codec.Sent[uuid.UUID]        `json:"industry" member:"uuid" doc:"UUID of the industry, from GET /api/industries/ or another client. An object with a uuid, as GET returns it, is accepted too."`
	Street                 codec.Sent[string]           `json:"street" minLength:"1" maxLength:"1000" doc:"Street name, such as King Fahd Road."`
	AdditionalStreet       codec.Sent[string]           `json:"additional_street" maxLength:"127" doc:"Second line of the street address."`
	BuildingNumber         codec.Sent[string]           `json:"building_number" maxLength:"127" doc:"Building number of 4 digits; required for a Saudi client with a VAT number."`
	PlotIdentification     codec.Sent[string]           `json:"plot_identification" maxLength:"127" doc:"Additional number of the address (plot identification)."`
	District               codec.Sent[string]           `json:"district" maxLength:"127" doc:"District of the city; required for a Saudi client with a VAT number."`
	City                   codec.Sent[string]           `json:"city" maxLength:"127" example:"Riyadh" doc:"City; required for a Saudi client with a VAT number and for a foreign client."`
	ProvinceState          codec.Sent[string]           `json:"province_state" minLength:"1" maxLength:"127" doc:"Province or state, such as Riyadh Province."`
	PostalCode             codec.Sent[string]           `json:"postal_code" maxLength:"127" doc:"Postal code of 5 digits; required for a Saudi client with a VAT number."`
	CountryCode            codec.Sent[string]           `json:"country_code" maxLength:"2" doc:"Country code of two letters (ISO 3166-1), such as SA."`
	StreetArabic           codec.Sent[string]           `json:"street_arabic" maxLength:"1000" doc:"Street name in Arabic letters; printed on Arabic pages if it is set."`
	AdditionalStreetArabic codec.Sent[string]           `json:"additional_street_arabic" maxLength:"127" doc:"Second line of the street address in Arabic letters; printed on Arabic pages if it is set."`
	DistrictArabic         codec.Sent[string]           `json:"district_arabic" maxLength:"127" doc:"District in Arabic letters; printed on Arabic pages if it is set."`
	CityArabic             codec.Sent[string]           `json:"city_arabic" maxLength:"127" doc:"City in Arabic letters; printed on Arabic pages if it is set."`
	ProvinceStateArabic    codec.Sent[string]           `json:"province_state_arabic" maxLength:"127" doc:"Province or state in Arabic letters; printed on Arabic pages if it is set."`
	ContactName            codec.Sent[string]           `json:"contact_name" maxLength:"1000" doc:"Name of the contact person."`
	ContactEmail           codec.Sent[string]           `json:"contact_email" maxLength:"254" example:"accounts@alnoor.example" doc:"E-mail address of the contact person."`
	ContactPhone           codec.Sent[string]           `json:"contact_phone" maxLength:"40" doc:"Telephone number of the contact person, such as +966500000000."`
	Identifications        codec.Sent[[]identification] `json:"additional_buyer_id" maxItems:"11" doc:"Identification numbers, at most one of each type. They replace all existing numbers."`
}

type changeBuyer struct {
	oneBuyer
	Body clientChange `body:"json"`
}

func (s *Surface) changeBuyer(ctx context.Context, c wire.Caller, in *changeBuyer) (*Buyer, error) {
	changed, err := s.Keeper.ChangeClient(ctx, c.Actor, in.ID, func(client *trade.Client) error {
		in.Body.apply(client)
		return wrong("", client.Check())
	})
	if err != nil {
		return nil, err
	}
	b := s.BuyerOf(changed)
	return &b, nil
}

func (d clientChange) apply(c *trade.Client) {
	for _, f := range []struct {
		sent codec.Sent[string]
		into *string
	}{
		{d.Name, &c.Name}, {d.NameArabic, &c.NameArabic}, {d.VATNumber, &c.VATNumber},
		{d.Street, &c.Street}, {d.AdditionalStreet, &c.AdditionalStreet}, {d.BuildingNumber, &c.BuildingNumber},
		{d.PlotIdentification, &c.PlotIdentification}, {d.District, &c.District}, {d.City, &c.City},
		{d.ProvinceState, &c.ProvinceState}, {d.PostalCode, &c.PostalCode}, {d.CountryCode, &c.CountryCode},
		{d.StreetArabic, &c.StreetArabic}, {d.AdditionalStreetArabic, &c.AdditionalStreetArabic}, {d.DistrictArabic, &c.DistrictArabic},
		{d.CityArabic, &c.CityArabic}, {d.ProvinceStateArabic, &c.ProvinceStateArabic},
		{d.ContactName, &c.ContactName}, {d.ContactEmail, &c.ContactEmail}, {d.ContactPhone, &c.ContactPhone},
	} {
		f.sent.Apply(f.into)
	}
	// null becomes a UUID of zeros, which the check refuses.
	if d.BusinessType.Given {
		c.BusinessType = d.BusinessType.Value.String()
	}
	if d.Industry.Given {
		c.Industry = d.Industry.Value.String()
	}
	if d.Identifications.Given {
		c.Identifications = nil
		for _, id := range d.Identifications.Value {
			c.Identifications = append(c.Identifications, org.Identification(id))
		}
	}
}
