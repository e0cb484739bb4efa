package guest

import (
	"cmp"
	"strings"
	"unicode"

	"khatm/codes"
	"khatm/service/internal/ledger"
)

// party is the seller or the buyer as the page shows it.
type party struct {
	Label, VATLabel string
	Name, OtherName string // in the language of the page, and in the other one if different
	VATNumber       string
	Address         []string // parts of the address, from building to country
	Comma           string   // separator of the parts
	AddressDir      string   // text direction of the address
	Identities      []sum    // label and number of each identification
}

func partyOf(l language, label string, p ledger.Party) party {
	out := party{
		Label: l.of(word(label)), VATLabel: l.of(word("vat_number")),
		Name: clean(l.pick(p.Name, p.NameArabic)), OtherName: clean(l.Other().pick(p.Name, p.NameArabic)),
		VATNumber: clean(p.VATNumber),
	}
	p = inLanguage(l, p)
	in := addressLanguage(l, p)
	out.Address, out.Comma, out.AddressDir = addressOf(in, p), in.pick(", ", "، "), in.Dir()
	if out.OtherName == out.Name {
		out.OtherName = ""
	}
	for _, id := range p.Identifications {
		if id.Value == "" {
			continue
		}
		kind, found := codes.FindBuyerIDType(id.Type)
		if !found {
			kind, _ = codes.FindSellerIDType(id.Type)
		}
		out.Identities = append(out.Identities, sum{orCode(l.pick(kind.EN, kind.AR), id.Type), clean(id.Value)})
	}
	return out
}

// inLanguage returns the party with the Arabic parts of its address on an Arabic
// page.
func inLanguage(l language, p ledger.Party) ledger.Party {
	if l == arabic {
		p.Street, p.AdditionalStreet = cmp.Or(p.StreetArabic, p.Street), cmp.Or(p.AdditionalStreetArabic, p.AdditionalStreet)
		p.District, p.City = cmp.Or(p.DistrictArabic, p.District), cmp.Or(p.CityArabic, p.City)
		p.ProvinceState = cmp.Or(p.ProvinceStateArabic, p.ProvinceState)
	}
	return p
}

// addressLanguage returns the language in which an address is written. On an
// Arabic page an address without Arabic letters is one block in English, from
// left to right.
func addressLanguage(l language, p ledger.Party) language {
	text := p.Street + p.AdditionalStreet + p.District + p.City + p.ProvinceState
	if l == arabic && text != "" && !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		return english
	}
	return l
}

// addressOf returns the parts of an address, in the order of the PDF. Each part may
// have a different text direction.
func addressOf(l language, p ledger.Party) (parts []string) {
	country, _ := codes.FindCountry(p.CountryCode)
	plot := ""
	if p.PlotIdentification != "" {
		plot = l.of(word("plot_identification")) + " " + p.PlotIdentification
	}
	for _, part := range []string{
		strings.TrimSpace(p.BuildingNumber + " " + p.Street), p.AdditionalStreet, p.District,
		strings.TrimSpace(p.City + " " + p.PostalCode), p.ProvinceState, plot, l.pick(country.EN, country.AR),
	} {
		if part != "" {
			parts = append(parts, clean(part))
		}
	}
	return parts
}
