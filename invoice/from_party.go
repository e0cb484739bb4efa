package invoice

import (
	"unicode"

	"khatm/ubl"
)

func (r *reading) seller(role *ubl.AccountingParty) Seller {
	const path = "/Invoice/cac:AccountingSupplierParty"
	if role == nil {
		return Seller{}
	}
	r.unsupported(path, role.Rest)
	p, known := r.party(path+"/cac:Party", role.Party)
	if !known {
		return Seller{}
	}
	s := Seller{Name: p.name, NameArabic: p.nameArabic, VATNumber: p.vatNumber, Address: p.address}
	if len(p.ids) > 0 {
		s.ID = p.ids[0]
	}
	return s
}

// buyer reads the customer. It returns nil if the document has none.
func (r *reading) buyer(role *ubl.AccountingParty) *Buyer {
	const path = "/Invoice/cac:AccountingCustomerParty"
	if role == nil {
		return nil
	}
	r.unsupported(path, role.Rest)
	p, known := r.party(path+"/cac:Party", role.Party)
	if !known {
		return nil
	}
	return &Buyer{Name: p.name, NameArabic: p.nameArabic, VATNumber: p.vatNumber, IDs: p.ids, Address: p.address}
}

// side holds what a seller and a buyer have in common.
type side struct {
	name, nameArabic string
	vatNumber        string
	ids              []PartyID
	address          Address
}

func (r *reading) party(path string, p *ubl.Party) (s side, known bool) {
	if p == nil {
		return side{}, false
	}
	for i, id := range p.Identifications {
		at := step(path, "cac:PartyIdentification", i)
		if i > 0 {
			r.problems.add(at, "is a second identification; a document can have only one")
		}
		r.unsupported(at, id.Rest)
		s.ids = append(s.ids, PartyID{Scheme: id.ID.Attr("schemeID"), Value: id.ID.String()})
	}
	for i, e := range p.LegalEntities {
		at := step(path, "cac:PartyLegalEntity", i)
		if i > 0 {
			r.problems.add(at, "is not supported")
			continue
		}
		r.unsupported(at, e.Rest)
		if name := e.RegistrationName.String(); isArabic(name) {
			s.nameArabic = name
		} else {
			s.name = name
		}
	}
	s.vatNumber = r.vatNumber(path, p.TaxSchemes)
	s.address = r.address(path+"/cac:PostalAddress", p.PostalAddress)
	r.unsupported(path, p.Rest,
		element{"cac:PartyName", len(p.Names) > 0},
		element{"cac:Contact", p.Contact != nil})
	return s, true
}

// isArabic reports whether a name has an Arabic letter.
func isArabic(name string) bool {
	for _, c := range name {
		if unicode.IsLetter(c) && unicode.Is(unicode.Arabic, c) {
			return true
		}
	}
	return false
}

func (r *reading) vatNumber(path string, schemes []*ubl.PartyTaxScheme) string {
	number := ""
	for i, s := range schemes {
		at := step(path, "cac:PartyTaxScheme", i)
		if i > 0 {
			r.problems.add(at, "is not supported")
			continue
		}
		number = s.CompanyID.String()
		r.scheme(at, s.TaxScheme)
		r.unsupported(at, s.Rest)
	}
	return number
}

// scheme reports a tax scheme other than VAT.
func (r *reading) scheme(path string, s *ubl.Identification) {
	if s != nil {
		r.mustEqual(path+"/cac:TaxScheme/cbc:ID", s.ID, vatScheme)
		r.unsupported(path+"/cac:TaxScheme", s.Rest)
	}
}

func (r *reading) address(path string, a *ubl.Address) Address {
	if a == nil {
		return Address{}
	}
	r.unsupported(path, a.Rest)
	country := ""
	if a.Country != nil {
		country = a.Country.IdentificationCode.String()
		r.unsupported(path+"/cac:Country", a.Country.Rest)
	}
	return Address{
		Street:           a.StreetName.String(),
		AdditionalStreet: a.AdditionalStreetName.String(),
		BuildingNumber:   a.BuildingNumber.String(),
		Plot:             a.PlotIdentification.String(),
		District:         a.CitySubdivisionName.String(),
		City:             a.CityName.String(),
		Province:         a.CountrySubentity.String(),
		PostalCode:       a.PostalZone.String(),
		Country:          country,
	}
}
