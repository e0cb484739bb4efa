package issue

import (
	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// writeRecord writes down the invoice as it will be issued.
func (d *draft) writeRecord(newID func() uuid.UUID) {
	doc := d.document
	d.record = ledger.Record{
		Device:     d.deviceRecord(),
		Seller:     d.sellerRecord(),
		Buyer:      d.buyerRecord(),
		SupplyDate: d.SupplyDate, SupplyEndDate: d.SupplyEndDate,
		Currency: d.Currency, ExchangeRate: d.ExchangeRate,
		PaymentMeans: d.PaymentMeans, PaymentTerms: doc.PaymentTerms, ReasonText: doc.Reason,
		Lines: d.lineRecords(newID),
		Totals: ledger.Totals{
			Lines: doc.LineTotal, Allowances: doc.AllowanceTotal, WithoutVAT: doc.WithoutVAT, VAT: doc.VAT, VATInSAR: doc.VATInSAR,
			WithVAT: doc.WithVAT, Prepaid: doc.Prepaid, Rounding: doc.Rounding, Payable: doc.Payable,
		},
		ExpectedPayable: d.ExpectedPayable,
	}
	r := &d.record
	if d.reason != nil {
		r.Reason = &d.reason.ID
	}
	for _, n := range d.Notes {
		r.Notes = append(r.Notes, ledger.Note(n))
	}
	for _, a := range doc.Allowances {
		r.Allowances = append(r.Allowances, ledger.Allowance(a))
	}
	for n, id := range d.Prepaid {
		advance := ledger.Advance{ID: id, Number: doc.Advances[n].Number}
		for _, row := range doc.Advances[n].Breakdown {
			advance.Amount = advance.Amount.Add(row.Taxable).Add(row.Amount)
		}
		r.Advances = append(r.Advances, advance)
	}
	for n, id := range d.Originals {
		r.Originals = append(r.Originals, ledger.Original{ID: id, Number: doc.Originals[n].Number, IssueDate: doc.Originals[n].IssueDate})
	}
	for _, s := range doc.Breakdown {
		r.Breakdown = append(r.Breakdown, subtotalRecord(s))
	}
}

func subtotalRecord(s invoice.Subtotal) ledger.Subtotal {
	return ledger.Subtotal{Category: s.Category, Rate: s.Rate, ReasonCode: s.ReasonCode, ReasonText: s.ReasonText, Taxable: s.Taxable, VAT: s.Amount}
}

func (d *draft) lineRecords(newID func() uuid.UUID) []ledger.Line {
	lines := make([]ledger.Line, len(d.document.Lines))
	references := d.lineReferences()
	for i, l := range d.document.Lines {
		amounts := d.document.Amounts[i]
		lines[i] = ledger.Line{
			ID: newID(), Name: l.Name, Price: l.Price, Quantity: l.Quantity, Unit: l.Unit,
			Category: l.Tax.Category, Rate: l.Tax.Rate, ReasonCode: l.Tax.ReasonCode, ReasonText: l.Tax.ReasonText,
			Net: amounts.Net, VAT: amounts.VAT, Total: amounts.Total,
		}
		if references[i] != uuid.Nil {
			lines[i].Original = &references[i]
		}
		if len(d.Lines) > 0 {
			lines[i].Item = &d.Lines[i].Item
		}
	}
	return lines
}

func (d *draft) deviceRecord() ledger.Device {
	return ledger.Device{
		ID: d.device.ID, CommonName: d.device.CommonName, SerialNumber: d.device.SerialNumber, Location: d.device.Location,
		UnitName: d.device.UnitName, Industry: d.device.Industry, InvoiceType: d.device.InvoiceType, Branch: d.device.Branch,
	}
}

func (d *draft) sellerRecord() ledger.Party {
	id, address := d.sellerPlace()
	p := ledger.Party{ID: d.seller.ID, Name: d.seller.Name, NameArabic: d.seller.NameArabic, VATNumber: d.seller.VATNumber}
	settle(&p, address)
	p.Identifications = []ledger.Identity{{Type: id.Type, Value: id.Value}}
	return p
}

func (d *draft) buyerRecord() *ledger.Party {
	if d.buyer == nil {
		return nil
	}
	b := d.buyer
	p := &ledger.Party{
		ID: b.ID, Name: b.Name, NameArabic: b.NameArabic, VATNumber: b.VATNumber, BusinessType: b.BusinessType, Industry: b.Industry,
		ContactName: b.ContactName, ContactEmail: b.ContactEmail, ContactPhone: b.ContactPhone,
	}
	settle(p, b.Address)
	for _, id := range b.Identifications {
		p.Identifications = append(p.Identifications, ledger.Identity{Type: id.Type, Value: id.Value})
	}
	return p
}

// settle gives a party its address.
func settle(p *ledger.Party, a org.Address) {
	p.Street, p.AdditionalStreet, p.BuildingNumber, p.PlotIdentification = a.Street, a.AdditionalStreet, a.BuildingNumber, a.PlotIdentification
	p.District, p.City, p.ProvinceState, p.PostalCode, p.CountryCode = a.District, a.City, a.ProvinceState, a.PostalCode, a.CountryCode
}
