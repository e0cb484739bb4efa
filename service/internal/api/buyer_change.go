package api

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/codec"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// clientChange is what may be changed of a client.
type clientChange struct {
	Name               codec.Sent[string]           `json:"buyer_name" minLength:"1" maxLength:"1000" doc:"Name in Latin letters, or the only one."`
	NameArabic         codec.Sent[string]           `json:"buyer_name_arabic" maxLength:"1000" doc:"Name in Arabic letters; stands on the invoice when given."`
	VATNumber          codec.Sent[string]           `json:"vat_registration_number" maxLength:"40" doc:"15 digits, the first and the last 3; empty takes it away."`
	BusinessType       codec.Sent[uuid.UUID]        `json:"business_type" doc:"uuid of a business type, from GET /api/business-types/ or another client."`
	Industry           codec.Sent[uuid.UUID]        `json:"industry" doc:"uuid of an industry, from GET /api/industries/ or another client."`
	Street             codec.Sent[string]           `json:"street" minLength:"1" maxLength:"1000" doc:"Street of the address."`
	AdditionalStreet   codec.Sent[string]           `json:"additional_street" maxLength:"127" doc:"Second line of the street."`
	BuildingNumber     codec.Sent[string]           `json:"building_number" maxLength:"127" doc:"4 digits; required for a Saudi client with a VAT number."`
	PlotIdentification codec.Sent[string]           `json:"plot_identification" maxLength:"127" doc:"Additional number of the address."`
	District           codec.Sent[string]           `json:"district" maxLength:"127" doc:"Required for a Saudi client with a VAT number."`
	City               codec.Sent[string]           `json:"city" maxLength:"127" example:"Riyadh" doc:"Required for a Saudi client with a VAT number and for a foreign one."`
	ProvinceState      codec.Sent[string]           `json:"province_state" minLength:"1" maxLength:"127" doc:"Province or state of the address."`
	PostalCode         codec.Sent[string]           `json:"postal_code" maxLength:"127" doc:"5 digits; required for a Saudi client with a VAT number."`
	CountryCode        codec.Sent[string]           `json:"country_code" maxLength:"2" doc:"ISO 3166 code of two letters."`
	ContactName        codec.Sent[string]           `json:"contact_name" maxLength:"1000" doc:"Who to ask there."`
	ContactEmail       codec.Sent[string]           `json:"contact_email" maxLength:"254" example:"accounts@alnoor.example" doc:"Where to write to them."`
	ContactPhone       codec.Sent[string]           `json:"contact_phone" maxLength:"40" doc:"Where to call them."`
	Identifications    codec.Sent[[]identification] `json:"additional_buyer_id" maxItems:"11" doc:"Identification numbers, one of a type; they replace all that are kept."`
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
	b := s.buyerOf(changed)
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
		{d.ContactName, &c.ContactName}, {d.ContactEmail, &c.ContactEmail}, {d.ContactPhone, &c.ContactPhone},
	} {
		f.sent.Apply(f.into)
	}
	// A uuid of zeros is no business type: the check says so.
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
