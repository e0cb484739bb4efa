package render

import (
	"khatm/paper"
	"khatm/service/internal/ledger"
)

// supplement returns what is printed besides the XML. All of it is from the record
// of the invoice, so that later changes of the seller, the buyer, the items or the
// settings do not show.
func supplement(i ledger.Invoice) paper.Supplement {
	s := paper.Supplement{Seller: partySupplement(i.Record.Seller)}
	if i.Record.Buyer != nil {
		s.Buyer = partySupplement(*i.Record.Buyer)
	}
	for n, l := range i.Record.Lines {
		if l.NameArabic != "" && s.Items == nil {
			s.Items = make([]string, len(i.Record.Lines))
		}
		if l.NameArabic != "" {
			s.Items[n] = l.NameArabic
		}
	}
	if p := i.Record.Print; p != nil {
		s.AmountInWords, s.IBAN, s.Phone = p.AmountInWords, p.IBAN, p.Phone
		s.DueDate = i.DueDate()
	}
	return s
}

func partySupplement(p ledger.Party) paper.PartySupplement {
	return paper.PartySupplement{
		Name: p.Name,
		Address: paper.ArabicAddress{
			Street: p.StreetArabic, AdditionalStreet: p.AdditionalStreetArabic, District: p.DistrictArabic,
			City: p.CityArabic, Province: p.ProvinceStateArabic,
		},
	}
}
