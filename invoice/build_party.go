package invoice

import "khatm/ubl"

func (s Seller) ubl() *ubl.Party {
	return party(s.RegisteredName(), s.VATNumber, []PartyID{s.ID}, s.Address)
}

func (b Buyer) ubl() *ubl.Party {
	return party(b.RegisteredName(), b.VATNumber, b.IDs, b.Address)
}

// party writes at most one identification: the official rule sheets break on a
// second one.
func party(name, vatNumber string, ids []PartyID, a Address) *ubl.Party {
	p := &ubl.Party{
		PostalAddress: a.ubl(),
		LegalEntities: []*ubl.LegalEntity{{RegistrationName: ubl.NewText(name)}},
	}
	if len(ids) > 0 {
		p.Identifications = []*ubl.Identification{{ID: ubl.NewText(ids[0].Value, "schemeID", ids[0].Scheme)}}
	}
	if vatNumber != "" {
		p.TaxSchemes = []*ubl.PartyTaxScheme{{
			CompanyID: ubl.NewText(vatNumber),
			TaxScheme: &ubl.Identification{ID: ubl.NewText(vatScheme)},
		}}
	}
	return p
}

func (a Address) ubl() *ubl.Address {
	return &ubl.Address{
		StreetName:           optional(a.Street),
		AdditionalStreetName: optional(a.AdditionalStreet),
		BuildingNumber:       optional(a.BuildingNumber),
		PlotIdentification:   optional(a.Plot),
		CitySubdivisionName:  optional(a.District),
		CityName:             optional(a.City),
		PostalZone:           optional(a.PostalCode),
		CountrySubentity:     optional(a.Province),
		Country:              &ubl.Country{IdentificationCode: ubl.NewText(a.Country)},
	}
}
