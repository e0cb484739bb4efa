package guest

import (
	"khatm/money"
	"khatm/service/internal/ledger"
)

// sharedParty is the seller or the buyer, without contact persons.
type sharedParty struct {
	Name            string           `json:"name" doc:"Name in Latin letters, or in any script if there is only one name."`
	NameArabic      string           `json:"name_arabic" doc:"Name in Arabic letters; empty if not recorded."`
	VATNumber       string           `json:"vat_registration_number" doc:"VAT registration number of 15 digits; empty if not recorded."`
	Identifications []sharedIdentity `json:"identifications" doc:"Registration numbers other than the VAT number, such as the CRN."`
	Street          string           `json:"street" doc:"Street name."`
	StreetArabic    string           `json:"street_arabic" doc:"Street name in Arabic; empty if it is not stored."`
	MoreStreet      string           `json:"additional_street" doc:"Second line of the street address."`
	MoreArabic      string           `json:"additional_street_arabic" doc:"Second line of the street address in Arabic; empty if it is not stored."`
	Building        string           `json:"building_number" doc:"Building number; 4 digits in a Saudi address."`
	Plot            string           `json:"plot_identification" doc:"Additional number of the address (plot identification)."`
	District        string           `json:"district" doc:"District of the city."`
	DistrictArabic  string           `json:"district_arabic" doc:"District in Arabic; empty if it is not stored."`
	City            string           `json:"city" doc:"City of the address."`
	CityArabic      string           `json:"city_arabic" doc:"City in Arabic; empty if it is not stored."`
	Province        string           `json:"province_state" doc:"Province or state."`
	ProvinceArabic  string           `json:"province_state_arabic" doc:"Province or state in Arabic; empty if it is not stored."`
	PostalCode      string           `json:"postal_code" doc:"Postal code; 5 digits in a Saudi address."`
	Country         string           `json:"country_code" doc:"Country code of two letters (ISO 3166-1), such as SA."`
}

type sharedIdentity struct {
	Type  string `json:"type_id" doc:"Type of the number, such as CRN for a commercial registration."`
	Value string `json:"value" doc:"The number: Latin letters and digits, such as 1010010000."`
}

type sharedLine struct {
	Name       string         `json:"item_name" doc:"Name of the item."`
	NameArabic string         `json:"item_name_arabic" doc:"Name of the catalogue item in Arabic; empty if it is not stored."`
	Price      money.Decimal  `json:"item_net_price" cents:"true" doc:"Unit price before VAT, such as 4200.00. For a line with item_gross_price it is line_net_amount divided by the quantity, with two to six decimal places."`
	GrossPrice *money.Decimal `json:"item_gross_price" cents:"true" doc:"Unit price including VAT; null if the line is priced before VAT."`
	Quantity   money.Decimal  `json:"invoiced_quantity" doc:"Quantity, such as 2 or 0.5."`
	Unit       string         `json:"invoiced_quantity_unit_of_measure" doc:"Code of the unit of measure, such as PCE."`
	Category   string         `json:"vat_category_code" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate       money.Decimal  `json:"vat_rate" doc:"VAT rate in percent, such as 15."`
	ReasonCode string         `json:"vat_exemption_reason_code" doc:"Code of the exemption reason, such as VATEX-SA-32; empty in category S."`
	ReasonText string         `json:"vat_exemption_reason_text" doc:"Exemption reason in words; empty in category S."`
	Net        string         `json:"line_net_amount" doc:"Line amount before VAT, rounded to two decimal places."`
	VAT        string         `json:"line_vat_amount" doc:"VAT of this line, for information; the VAT of the document is calculated by category."`
	Total      string         `json:"line_total_amount" doc:"Line amount including VAT, for information."`
}

type sharedAllowance struct {
	Amount     string        `json:"allowance_amount" doc:"Amount of the discount before VAT, such as 10.00."`
	ReasonCode string        `json:"reason_code" doc:"Code of the reason, such as 95 for a discount."`
	Reason     string        `json:"reason" doc:"Reason in words."`
	Category   string        `json:"vat_category_code" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate       money.Decimal `json:"vat_rate" doc:"VAT rate in percent, such as 15."`
}

type sharedAdvance struct {
	Number string `json:"ref_num" doc:"Number of the advance payment invoice."`
	Amount string `json:"amount" doc:"Deducted amount including VAT."`
}

type sharedOriginal struct {
	Number    string `json:"ref_num" doc:"Number of the corrected invoice."`
	IssueDate string `json:"issue_date" format:"date" doc:"Issue date of the corrected invoice."`
}

type sharedNote struct {
	Language string `json:"language_id" doc:"Language of the note: ar or en."`
	Text     string `json:"note" doc:"Text of the note."`
}

type sharedTax struct {
	Category   string        `json:"vat_category_code" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate       money.Decimal `json:"vat_rate" doc:"VAT rate in percent, such as 15."`
	Taxable    string        `json:"vat_category_taxable_amount" doc:"Amount on which the VAT is calculated."`
	VAT        string        `json:"vat_category_tax_amount" doc:"VAT of this category and rate, rounded once."`
	ReasonCode string        `json:"vat_exemption_reason_code" doc:"Code of the exemption reason, such as VATEX-SA-32; empty in category S."`
	ReasonText string        `json:"vat_exemption_reason_text" doc:"Exemption reason in words; empty in category S."`
}

func sharedPartyOf(p ledger.Party) sharedParty {
	out := sharedParty{
		Name: p.Name, NameArabic: p.NameArabic, VATNumber: p.VATNumber, Street: p.Street, MoreStreet: p.AdditionalStreet,
		Building: p.BuildingNumber, Plot: p.PlotIdentification, District: p.District, City: p.City, Province: p.ProvinceState,
		PostalCode: p.PostalCode, Country: p.CountryCode,
		StreetArabic: p.StreetArabic, MoreArabic: p.AdditionalStreetArabic, DistrictArabic: p.DistrictArabic, CityArabic: p.CityArabic, ProvinceArabic: p.ProvinceStateArabic,
	}
	for _, id := range p.Identifications {
		out.Identifications = append(out.Identifications, sharedIdentity(id))
	}
	return out
}

// lists fills the lists of the view.
func (v *sharedView) lists(r ledger.Record) {
	for _, l := range r.Lines {
		var gross *money.Decimal
		if !l.GrossPrice.IsZero() {
			gross = &l.GrossPrice
		}
		v.Lines = append(v.Lines, sharedLine{
			l.Name, l.NameArabic, l.Price, gross, l.Quantity, l.Unit, l.Category, l.Rate, l.ReasonCode, l.ReasonText,
			l.Net.Fixed2(), l.VAT.Fixed2(), l.Total.Fixed2(),
		})
	}
	for _, a := range r.Allowances {
		v.Allowances = append(v.Allowances, sharedAllowance{a.Amount.Fixed2(), a.ReasonCode, a.Reason, a.Category, a.Rate})
	}
	for _, a := range r.Advances {
		v.Advances = append(v.Advances, sharedAdvance{a.Number, a.Amount.Fixed2()})
	}
	for _, o := range r.Originals {
		v.Originals = append(v.Originals, sharedOriginal{o.Number, o.IssueDate})
	}
	for _, n := range r.Notes {
		v.Notes = append(v.Notes, sharedNote(n))
	}
	for _, b := range r.Breakdown {
		v.Breakdown = append(v.Breakdown, sharedTax{b.Category, b.Rate, b.Taxable.Fixed2(), b.VAT.Fixed2(), b.ReasonCode, b.ReasonText})
	}
}
