package paper

import (
	"strings"

	"khatm/codes"
	"khatm/ubl"
)

// party is the seller or the buyer.
type party struct {
	name    phrase
	trade   []string // other names, such as a branch, a brand or a contact
	address phrase
	facts   []fact
}

func (c *content) party(p *ubl.Party, s PartySupplement) *party {
	if p == nil {
		return nil
	}
	out := &party{address: c.address(p.PostalAddress)}
	if arabic, found := inArabic(p.PostalAddress, s.Address); found {
		out.address = c.lang.both(c.address(arabic).main, out.address.main)
	}
	for _, e := range p.LegalEntities {
		if e.RegistrationName != nil && out.name.main == "" {
			out.name = c.lang.quote(e.RegistrationName.String())
		}
	}
	for _, n := range p.Names {
		switch name := n.Name.String(); {
		case name == "":
		case out.name.main == "":
			out.name = c.lang.quote(name)
		default:
			out.trade = append(out.trade, name)
		}
	}
	out.name = c.addPartyName(out.name, s.Name)
	for _, s := range p.TaxSchemes {
		out.facts = append(out.facts, c.fact(c.lang.word("vat_number"), s.CompanyID.String())...)
	}
	for _, i := range p.Identifications {
		out.facts = append(out.facts, c.fact(c.scheme(i.ID.Attr("schemeID")), i.ID.String())...)
	}
	if contact := p.Contact; contact != nil {
		out.trade = append(out.trade, texts([]*ubl.Text{contact.Name})...)
		out.facts = append(out.facts, c.fact(c.lang.word("telephone"), contact.Telephone.String())...)
		out.facts = append(out.facts, c.fact(c.lang.word("email"), contact.ElectronicMail.String())...)
	}
	return out
}

// scheme returns the label of an identification, which is short enough for one line.
func (c *content) scheme(code string) phrase {
	if key, found := schemeLabels[code]; found {
		return c.lang.word(key)
	}
	if entry, found := codes.FindBuyerIDType(code); found {
		return c.lang.say(entry.EN, entry.AR)
	}
	return c.lang.word("additional_id")
}

// schemeLabels are the keys of the labels of identifications whose name in the code
// list is too long for a label.
var schemeLabels = map[string]string{
	"CRN": "commercial_registration", "TIN": "tin", "700": "unified_number", "MOM": "municipal_licence",
	"MLS": "labour_licence", "SAG": "investment_licence", "IQA": "iqama", "GCC": "gcc_id",
}

// address formats an address in postal order: number and street, district, city
// with postal code, region, country. If its parts are in two languages, there is
// one line for each language.
func (c *content) address(a *ubl.Address) phrase {
	if a == nil {
		return phrase{}
	}
	street := join(" ", a.BuildingNumber.String(), a.StreetName.String())
	city := join(" ", a.CityName.String(), a.PostalZone.String())
	parts := []string{
		a.StreetName.String(), a.AdditionalStreetName.String(), a.CitySubdivisionName.String(),
		a.CityName.String(), a.CountrySubentity.String(),
	}
	first, second, both := make([]string, len(parts)), make([]string, len(parts)), false
	for i, text := range parts {
		p := c.lang.quote(text)
		first[i], second[i] = p.main, p.other
		if p.other == "" {
			second[i] = text
		}
		both = both || p.other != ""
	}
	if !both {
		first = parts
		first[0], first[3] = street, city
		return phrase{main: c.addressLine(a, first)}
	}
	for _, list := range [][]string{first, second} {
		list[0] = join(" ", a.BuildingNumber.String(), list[0])
		list[3] = join(" ", list[3], a.PostalZone.String())
	}
	return phrase{c.addressLine(a, first), c.addressLine(a, second)}
}

// addressLine returns an address as one line with its plot and country, in
// Arabic if a part is Arabic, otherwise in English.
func (c *content) addressLine(a *ubl.Address, parts []string) string {
	comma, plot, arabic := ", ", codes.MustWord("plot_identification").EN, hasRTL(strings.Join(parts, ""))
	if arabic {
		comma, plot = "، ", codes.MustWord("plot_identification").AR
	}
	if a.PlotIdentification.String() != "" {
		parts = append(parts, strings.ReplaceAll(plot+" "+a.PlotIdentification.String(), " ", "\u00A0"))
	}
	if a.Country != nil {
		code := a.Country.IdentificationCode.String()
		if entry, found := codes.FindCountry(code); found {
			code = entry.EN
			if arabic {
				code = entry.AR
			}
		}
		parts = append(parts, code)
	}
	return join(comma, parts...)
}

// join joins the parts that are not empty.
func join(between string, parts ...string) string {
	var said []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, between)
}
