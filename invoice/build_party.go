package invoice

import (
	"khatm/codes"
	"khatm/ubl"
)

func (s Seller) ubl() *ubl.Party {
	return party(s.RegisteredName(), s.VATNumber, s.ID, s.Address)
}

func (b Buyer) ubl(national bool) *ubl.Party {
	return party(b.RegisteredName(), b.VATNumber, b.shownID(national), b.Address)
}

// needsNationalID reports whether the document is about private education or
// healthcare, which are zero-rated for citizens only (BR-KSA-49).
func (d *Document) needsNationalID() bool {
	for _, s := range d.Breakdown {
		if s.ReasonCode == codes.PrivateEducation || s.ReasonCode == codes.PrivateHealthcare {
			return true
		}
	}
	return false
}

// shownID returns the identification used on the document: the national ID if
// the sale needs it, otherwise the first in the order of the authority's list.
// The official rule sheets fail on a document with two.
func (b Buyer) shownID(national bool) PartyID {
	if id, found := b.idOf(codes.NationalID); national && found {
		return id
	}
	for _, scheme := range codes.BuyerIDTypes() {
		if id, found := b.idOf(scheme.Code); found {
			return id
		}
	}
	if len(b.IDs) > 0 { // an unknown type: keep it, so that a validator reports it
		return b.IDs[0]
	}
	return PartyID{}
}

func (b Buyer) idOf(scheme string) (PartyID, bool) {
	for _, id := range b.IDs {
		if id.Scheme == scheme {
			return id, true
		}
	}
	return PartyID{}, false
}

func party(name, vatNumber string, id PartyID, a Address) *ubl.Party {
	p := &ubl.Party{PostalAddress: a.ubl()}
	if name != "" {
		p.LegalEntities = []*ubl.LegalEntity{{RegistrationName: ubl.NewText(name)}}
	}
	if id.Value != "" {
		p.Identifications = []*ubl.Identification{{ID: attributed(id.Value, "schemeID", id.Scheme)}}
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
	if a == (Address{}) {
		return nil
	}
	address := &ubl.Address{
		StreetName:           optional(a.Street),
		AdditionalStreetName: optional(a.AdditionalStreet),
		BuildingNumber:       optional(a.BuildingNumber),
		PlotIdentification:   optional(a.Plot),
		CitySubdivisionName:  optional(a.District),
		CityName:             optional(a.City),
		PostalZone:           optional(a.PostalCode),
		CountrySubentity:     optional(a.Province),
	}
	if a.Country != "" {
		address.Country = &ubl.Country{IdentificationCode: ubl.NewText(a.Country)}
	}
	return address
}
