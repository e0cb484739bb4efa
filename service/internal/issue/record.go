package issue

import (
	"strings"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// writeRecord fills in the record of the invoice as it will be issued.
func (p *prepared) writeRecord(newID func() uuid.UUID) {
	doc := p.document
	p.record = ledger.Record{
		Device:     p.deviceRecord(),
		Seller:     p.sellerRecord(),
		Buyer:      p.buyerRecord(),
		SupplyDate: p.SupplyDate, SupplyEndDate: p.SupplyEndDate,
		Currency: p.Currency, ExchangeRate: doc.ExchangeRate,
		PaymentMeans: p.PaymentMeans, PaymentTerms: doc.PaymentTerms, ReasonText: doc.Reason,
		Lines: p.lineRecords(newID),
		Totals: ledger.Totals{
			Lines: doc.LineTotal, Allowances: doc.AllowanceTotal, WithoutVAT: doc.WithoutVAT, VAT: doc.VAT, VATInSAR: doc.VATInSAR,
			WithVAT: doc.WithVAT, Prepaid: doc.Prepaid, Rounding: doc.Rounding, Payable: doc.Payable,
		},
		ExpectedPayable: p.ExpectedPayable,
	}
	r := &p.record
	p.buyerText = ""
	if b := r.Buyer; b != nil {
		p.buyerText = trade.Fold(strings.Join([]string{b.Name, b.NameArabic, b.VATNumber}, " "))
	}
	s := p.seller.Settings
	if p.reason != nil && p.reason.DueDays != nil {
		s.DueDays = *p.reason.DueDays
	}
	if s != (org.Settings{}) {
		r.Print = &ledger.Print{AmountInWords: s.AmountInWords, IBAN: s.IBAN, Phone: s.Phone, DueDays: s.DueDays}
	}
	if p.reason != nil {
		r.Reason = &p.reason.ID
	}
	for _, n := range p.Notes {
		r.Notes = append(r.Notes, ledger.Note(n))
	}
	for _, a := range doc.Allowances {
		r.Allowances = append(r.Allowances, ledger.Allowance(a))
	}
	for n, id := range p.Prepaid {
		advance := ledger.Advance{ID: id, Number: doc.Advances[n].Number}
		for _, row := range doc.Advances[n].Breakdown {
			advance.Amount = advance.Amount.Add(row.Taxable).Add(row.Amount)
			advance.Rows = append(advance.Rows, subtotalRecord(row))
		}
		r.Advances = append(r.Advances, advance)
	}
	for n, id := range p.Originals {
		r.Originals = append(r.Originals, ledger.Original{ID: id, Number: doc.Originals[n].Number, IssueDate: doc.Originals[n].IssueDate})
	}
	for _, s := range doc.Breakdown {
		r.Breakdown = append(r.Breakdown, subtotalRecord(s))
	}
}

func subtotalRecord(s invoice.Subtotal) ledger.Subtotal {
	return ledger.Subtotal{Category: s.Category, Rate: s.Rate, ReasonCode: s.ReasonCode, ReasonText: s.ReasonText, Taxable: s.Taxable, VAT: s.Amount}
}

func (p *prepared) lineRecords(newID func() uuid.UUID) []ledger.Line {
	lines := make([]ledger.Line, len(p.document.Lines))
	references := p.lineReferences()
	for i, l := range p.document.Lines {
		amounts := p.document.Amounts[i]
		lines[i] = ledger.Line{
			ID: newID(), Name: l.Name, Price: l.NetPrice(), GrossPrice: l.GrossPrice, Quantity: l.Quantity, Unit: l.Unit,
			Category: l.Tax.Category, Rate: l.Tax.Rate, ReasonCode: l.Tax.ReasonCode, ReasonText: l.Tax.ReasonText,
			Net: amounts.Net, VAT: amounts.VAT, Total: amounts.Total,
		}
		if references[i] != uuid.Nil {
			lines[i].Original = &references[i]
		}
		if len(p.Lines) > 0 {
			lines[i].Item, lines[i].NameArabic = &p.Lines[i].Item, p.items[p.Lines[i].Item].NameArabic
		}
	}
	return lines
}

func (p *prepared) deviceRecord() ledger.Device {
	created := p.device.CreatedAt
	return ledger.Device{
		CreatedAt: &created, Compliance: validity(p.device.Compliance), Production: validity(p.device.Production),
		ID: p.device.ID, CommonName: p.device.CommonName, SerialNumber: p.device.SerialNumber, Location: p.device.Location,
		UnitName: p.device.UnitName, Industry: p.device.Industry, InvoiceType: p.device.InvoiceType, Branch: p.device.Branch,
	}
}

func validity(c *device.Certificate) *ledger.Validity {
	if c == nil {
		return nil
	}
	return &ledger.Validity{From: c.NotBefore, Until: c.NotAfter}
}

func (p *prepared) sellerRecord() ledger.Party {
	id, address := p.sellerPlace()
	party := ledger.Party{ID: p.seller.ID, Name: p.seller.Name, NameArabic: p.seller.NameArabic, VATNumber: p.seller.VATNumber}
	setAddress(&party, address)
	party.Identifications = []ledger.Identity{{Type: id.Type, Value: id.Value}}
	return party
}

func (p *prepared) buyerRecord() *ledger.Party {
	if p.buyer == nil {
		return nil
	}
	b := p.buyer
	party := &ledger.Party{
		ID: b.ID, Name: b.Name, NameArabic: b.NameArabic, VATNumber: b.VATNumber, BusinessType: b.BusinessType, Industry: b.Industry,
		ContactName: b.ContactName, ContactEmail: b.ContactEmail, ContactPhone: b.ContactPhone,
		Logo: b.Logo != "", CreatedAt: &b.CreatedAt,
	}
	setAddress(party, b.Address)
	for _, id := range b.Identifications {
		party.Identifications = append(party.Identifications, ledger.Identity{Type: id.Type, Value: id.Value})
	}
	return party
}

// setAddress copies an address to a party.
func setAddress(p *ledger.Party, a org.Address) {
	p.Street, p.AdditionalStreet, p.BuildingNumber, p.PlotIdentification = a.Street, a.AdditionalStreet, a.BuildingNumber, a.PlotIdentification
	p.District, p.City, p.ProvinceState, p.PostalCode, p.CountryCode = a.District, a.City, a.ProvinceState, a.PostalCode, a.CountryCode
	p.StreetArabic, p.AdditionalStreetArabic, p.DistrictArabic = a.StreetArabic, a.AdditionalStreetArabic, a.DistrictArabic
	p.CityArabic, p.ProvinceStateArabic = a.CityArabic, a.ProvinceStateArabic
}
