package api

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// clientData is the body of a new client.
type clientData struct {
	Name                   string           `json:"buyer_name" minLength:"1" maxLength:"1000" example:"Al Noor Trading" doc:"Name in Latin letters. If the client has only one name, send it here in any script."`
	NameArabic             string           `json:"buyer_name_arabic" optional:"true" maxLength:"1000" example:"شركة النور للتجارة" doc:"Name in Arabic letters; printed on invoices if it is set."`
	VATNumber              string           `json:"vat_registration_number" optional:"true" maxLength:"40" example:"311111111100003" doc:"VAT registration number: 15 digits, the first and the last of them 3. Send a foreign tax number in additional_buyer_id with type OTH."`
	BusinessType           uuid.UUID        `json:"business_type" example:"6c6a6e49-1046-52e9-911b-8024397176c3" doc:"UUID of the business type, from GET /api/business-types/ or another client."`
	Industry               uuid.UUID        `json:"industry" example:"402553b4-5def-5c58-b1dc-6dec13e85c60" doc:"UUID of the industry, from GET /api/industries/ or another client."`
	Street                 string           `json:"street" minLength:"1" maxLength:"1000" example:"King Fahd Road" doc:"Street name, such as King Fahd Road."`
	AdditionalStreet       string           `json:"additional_street" optional:"true" maxLength:"127" doc:"Second line of the street address."`
	BuildingNumber         string           `json:"building_number" optional:"true" maxLength:"127" example:"1234" doc:"Building number of 4 digits; required for a Saudi client with a VAT number."`
	PlotIdentification     string           `json:"plot_identification" optional:"true" maxLength:"127" doc:"Additional number of the address (plot identification)."`
	District               string           `json:"district" optional:"true" maxLength:"127" example:"Al Olaya" doc:"District of the city; required for a Saudi client with a VAT number."`
	City                   string           `json:"city" optional:"true" maxLength:"127" example:"Riyadh" doc:"City; required for a Saudi client with a VAT number and for a foreign client."`
	ProvinceState          string           `json:"province_state" minLength:"1" maxLength:"127" example:"Riyadh Province" doc:"Province or state, such as Riyadh Province."`
	PostalCode             string           `json:"postal_code" optional:"true" maxLength:"127" example:"12345" doc:"Postal code of 5 digits; required for a Saudi client with a VAT number."`
	CountryCode            string           `json:"country_code" optional:"true" maxLength:"2" example:"SA" doc:"Country code of two letters (ISO 3166-1); SA if it is not sent."`
	StreetArabic           string           `json:"street_arabic" optional:"true" maxLength:"1000" example:"طريق الملك فهد" doc:"Street name in Arabic letters; printed on Arabic pages if it is set."`
	AdditionalStreetArabic string           `json:"additional_street_arabic" optional:"true" maxLength:"127" doc:"Second line of the street address in Arabic letters; printed on Arabic pages if it is set."`
	DistrictArabic         string           `json:"district_arabic" optional:"true" maxLength:"127" example:"العليا" doc:"District in Arabic letters; printed on Arabic pages if it is set."`
	CityArabic             string           `json:"city_arabic" optional:"true" maxLength:"127" example:"الرياض" doc:"City in Arabic letters; printed on Arabic pages if it is set."`
	ProvinceStateArabic    string           `json:"province_state_arabic" optional:"true" maxLength:"127" example:"منطقة الرياض" doc:"Province or state in Arabic letters; printed on Arabic pages if it is set."`
	ContactName            string           `json:"contact_name" optional:"true" maxLength:"1000" doc:"Name of the contact person."`
	ContactEmail           string           `json:"contact_email" optional:"true" maxLength:"254" example:"accounts@alnoor.example" doc:"E-mail address of the contact person."`
	ContactPhone           string           `json:"contact_phone" optional:"true" maxLength:"40" example:"+966500000000" doc:"Telephone number of the contact person, such as +966500000000."`
	Identifications        []identification `json:"additional_buyer_id" optional:"true" maxItems:"11" doc:"Identification numbers, at most one of each type."`
}

// exampleClient is a Saudi client with everything a standard tax invoice needs.
const exampleClient = `{
	"buyer_name": "Al Noor Trading",
	"buyer_name_arabic": "شركة النور للتجارة",
	"vat_registration_number": "311111111100003",
	"business_type": "6c6a6e49-1046-52e9-911b-8024397176c3",
	"industry": "402553b4-5def-5c58-b1dc-6dec13e85c60",
	"street": "King Fahd Road",
	"building_number": "1234",
	"district": "Al Olaya",
	"city": "Riyadh",
	"province_state": "Riyadh Province",
	"postal_code": "12345",
	"country_code": "SA",
	"street_arabic": "طريق الملك فهد",
	"district_arabic": "العليا",
	"city_arabic": "الرياض",
	"province_state_arabic": "منطقة الرياض",
	"contact_email": "accounts@alnoor.example",
	"additional_buyer_id": [{"type_id": "CRN", "value": "1010010000"}]
}`

type createClient struct {
	Data clientData   `form:"client_data" doc:"The client as JSON."`
	Logo *wire.Upload `file:"file" media:"image/png,image/jpeg,image/webp" doc:"Logo as PNG, JPEG or WebP, at most 2 MiB."`
}

type clientCreated struct {
	Message  string `json:"message" doc:"Human-readable result, such as Client created."`
	Location string `json:"location" header:"Location" example:"/api/buyers/01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d7e/" doc:"Path of the client below the base URL."`
	Buyer
}

func (s *Surface) createClient(ctx context.Context, c wire.Caller, in *createClient) (*clientCreated, error) {
	client := in.Data.client()
	client.ID, client.CreatedAt = s.NewID(), s.Now()
	if err := wrong("client_data", client.Check()); err != nil {
		return nil, err
	}
	if in.Logo != nil {
		key, _, err := s.KeepPicture(ctx, c.Actor.Tenant, "logo", "file", in.Logo)
		if err != nil {
			return nil, err
		}
		client.Logo = key
	}
	if err := s.Keeper.AddClient(ctx, c.Actor, client); err != nil {
		s.DropPictures(ctx, client.Logo)
		return nil, err
	}
	return &clientCreated{
		Message:  "Client created.",
		Location: "/api/buyers/" + client.ID.String() + "/",
		Buyer:    s.BuyerOf(client),
	}, nil
}

func (d clientData) client() trade.Client {
	c := trade.Client{
		Name: d.Name, NameArabic: d.NameArabic, VATNumber: d.VATNumber,
		BusinessType: d.BusinessType.String(), Industry: d.Industry.String(),
		Address: org.Address{
			Street: d.Street, AdditionalStreet: d.AdditionalStreet, BuildingNumber: d.BuildingNumber,
			PlotIdentification: d.PlotIdentification, District: d.District, City: d.City,
			ProvinceState: d.ProvinceState, PostalCode: d.PostalCode, CountryCode: d.CountryCode,
			StreetArabic: d.StreetArabic, AdditionalStreetArabic: d.AdditionalStreetArabic, DistrictArabic: d.DistrictArabic,
			CityArabic: d.CityArabic, ProvinceStateArabic: d.ProvinceStateArabic,
		},
		ContactName: d.ContactName, ContactEmail: d.ContactEmail, ContactPhone: d.ContactPhone,
	}
	for _, id := range d.Identifications {
		c.Identifications = append(c.Identifications, org.Identification(id))
	}
	return c
}
