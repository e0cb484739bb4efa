package api

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// clientChange is what may be changed of a client.
type clientChange struct {
	Name               wire.Sent[string]           `json:"buyer_name" minLength:"1" maxLength:"1000"`
	NameArabic         wire.Sent[string]           `json:"buyer_name_arabic" maxLength:"1000"`
	VATNumber          wire.Sent[string]           `json:"vat_registration_number" maxLength:"40"`
	BusinessType       wire.Sent[uuid.UUID]        `json:"business_type"`
	Industry           wire.Sent[uuid.UUID]        `json:"industry"`
	Street             wire.Sent[string]           `json:"street" minLength:"1" maxLength:"1000"`
	AdditionalStreet   wire.Sent[string]           `json:"additional_street" maxLength:"127"`
	BuildingNumber     wire.Sent[string]           `json:"building_number" maxLength:"127"`
	PlotIdentification wire.Sent[string]           `json:"plot_identification" maxLength:"127"`
	District           wire.Sent[string]           `json:"district" maxLength:"127"`
	City               wire.Sent[string]           `json:"city" maxLength:"127" example:"Riyadh"`
	ProvinceState      wire.Sent[string]           `json:"province_state" minLength:"1" maxLength:"127"`
	PostalCode         wire.Sent[string]           `json:"postal_code" maxLength:"127"`
	CountryCode        wire.Sent[string]           `json:"country_code" maxLength:"2"`
	ContactName        wire.Sent[string]           `json:"contact_name" maxLength:"1000"`
	ContactEmail       wire.Sent[string]           `json:"contact_email" maxLength:"254" example:"accounts@alnoor.example"`
	ContactPhone       wire.Sent[string]           `json:"contact_phone" maxLength:"40"`
	Identifications    wire.Sent[[]identification] `json:"additional_buyer_id" maxItems:"11"`
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
		sent wire.Sent[string]
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
