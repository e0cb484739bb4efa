package guest

import (
	"khatm/money"
	"khatm/service/internal/ledger"
)

// sharedParty is the seller or the buyer. Whom to ask there is not for strangers.
type sharedParty struct {
	Name            string           `json:"name" doc:"Name in Latin letters, or the only one."`
	NameArabic      string           `json:"name_arabic" doc:"Name in Arabic letters."`
	VATNumber       string           `json:"vat_registration_number" doc:"15 digits; empty without one."`
	Identifications []sharedIdentity `json:"identifications" doc:"What registers call it."`
	Street          string           `json:"street" doc:"Street."`
	MoreStreet      string           `json:"additional_street" doc:"Further part of the street."`
	Building        string           `json:"building_number" doc:"Number of the building."`
	Plot            string           `json:"plot_identification" doc:"Secondary number."`
	District        string           `json:"district" doc:"District."`
	City            string           `json:"city" doc:"City."`
	Province        string           `json:"province_state" doc:"Region."`
	PostalCode      string           `json:"postal_code" doc:"Postal code."`
	Country         string           `json:"country_code" doc:"ISO 3166-1 code."`
}

type sharedIdentity struct {
	Type  string `json:"type_id" doc:"Which register: CRN, TIN, …"`
	Value string `json:"value" doc:"The number there."`
}

type sharedLine struct {
	Name       string        `json:"item_name" doc:"What is sold."`
	Price      string        `json:"item_net_price" doc:"Price of one unit before VAT."`
	Quantity   money.Decimal `json:"invoiced_quantity" doc:"Quantity."`
	Unit       string        `json:"invoiced_quantity_unit_of_measure" doc:"Code of the unit."`
	Category   string        `json:"vat_category_code" doc:"S, Z, E or O."`
	Rate       money.Decimal `json:"vat_rate" doc:"Percentage."`
	ReasonCode string        `json:"vat_exemption_reason_code" doc:"Why there is no VAT; empty in S."`
	ReasonText string        `json:"vat_exemption_reason_text" doc:"The same in words; empty in S."`
	Net        string        `json:"line_net_amount" doc:"Price times quantity, rounded to two places."`
	VAT        string        `json:"line_vat_amount" doc:"VAT of the line alone, for information."`
	Total      string        `json:"line_total_amount" doc:"Line with its VAT, for information."`
}

type sharedAllowance struct {
	Amount     string        `json:"allowance_amount" doc:"Amount of the discount, before VAT."`
	ReasonCode string        `json:"reason_code" doc:"Code of the reason."`
	Reason     string        `json:"reason" doc:"The reason in words."`
	Category   string        `json:"vat_category_code" doc:"S, Z, E or O."`
	Rate       money.Decimal `json:"vat_rate" doc:"Percentage."`
}

type sharedAdvance struct {
	Number string `json:"ref_num" doc:"Number of the advance payment invoice."`
	Amount string `json:"amount" doc:"What is deducted, with VAT."`
}

type sharedOriginal struct {
	Number    string `json:"ref_num" doc:"Number of the invoice."`
	IssueDate string `json:"issue_date" format:"date" doc:"When it was issued."`
}

type sharedNote struct {
	Language string `json:"language_id" doc:"ar or en."`
	Text     string `json:"note" doc:"The text."`
}

type sharedTax struct {
	Category   string        `json:"vat_category_code" doc:"S, Z, E or O."`
	Rate       money.Decimal `json:"vat_rate" doc:"Percentage."`
	Taxable    string        `json:"vat_category_taxable_amount" doc:"What the VAT is computed on."`
	VAT        string        `json:"vat_category_tax_amount" doc:"The VAT, rounded once."`
	ReasonCode string        `json:"vat_exemption_reason_code" doc:"Why there is no VAT; empty in S."`
	ReasonText string        `json:"vat_exemption_reason_text" doc:"The same in words; empty in S."`
}

func sharedPartyOf(p ledger.Party) sharedParty {
	out := sharedParty{
		Name: p.Name, NameArabic: p.NameArabic, VATNumber: p.VATNumber, Street: p.Street, MoreStreet: p.AdditionalStreet,
		Building: p.BuildingNumber, Plot: p.PlotIdentification, District: p.District, City: p.City, Province: p.ProvinceState,
		PostalCode: p.PostalCode, Country: p.CountryCode,
	}
	for _, id := range p.Identifications {
		out.Identifications = append(out.Identifications, sharedIdentity(id))
	}
	return out
}

// lists copies what there are several of.
func (v *sharedView) lists(r ledger.Record) {
	for _, l := range r.Lines {
		v.Lines = append(v.Lines, sharedLine{
			l.Name, l.Price.Fixed2(), l.Quantity, l.Unit, l.Category, l.Rate, l.ReasonCode, l.ReasonText,
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
