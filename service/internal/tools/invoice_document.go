package tools

import (
	"github.com/google/uuid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/ubl"
)

// document calculates missing amounts and builds the UBL document. It refuses
// nothing, so that the rules can report what is wrong.
func (in Invoice) document(newID func() uuid.UUID) (*invoice.Document, *ubl.Invoice) {
	facts := in.facts(newID)
	d, _ := invoice.ComputeUnchecked(facts)
	in.state(d)
	laid := d.UBLUnchecked(facts.Identity)
	if in.unconverted() {
		laid.TaxTotals = laid.TaxTotals[1:] // the VAT in SAR is unknown
	}
	if in.Transaction != nil { // the facts cannot represent an invalid code
		laid.InvoiceTypeCode.Attrs = nil
		if *in.Transaction != "" {
			laid.InvoiceTypeCode.Attrs = []ubl.Attr{{Name: "name", Value: *in.Transaction}}
		}
	}
	return d, laid
}

// facts returns the invoice as facts, with defaults filled in.
func (in Invoice) facts(newID func() uuid.UUID) invoice.Facts {
	f := invoice.Facts{
		Identity:        invoice.Identity{Number: in.Number, IssueDate: in.IssueDate, IssueTime: in.IssueTime},
		Kind:            invoice.Kind(in.Kind),
		Transaction:     in.transaction(),
		SupplyDate:      in.IssueDate,
		SupplyEndDate:   in.SupplyEndDate,
		Currency:        in.Currency,
		PaymentMeans:    in.PaymentMeans,
		PaymentTerms:    in.PaymentTerms,
		Reason:          in.Reason,
		Notes:           each(in.Notes, func(n invoiceNote) invoice.Note { return invoice.Note(n) }),
		Seller:          in.Seller.facts(),
		Buyer:           in.Buyer.facts(),
		Lines:           each(in.Lines, invoiceLine.facts),
		Allowances:      each(in.Allowances, invoiceAllowance.facts),
		Advances:        each(in.Advances, invoiceAdvance.facts),
		Originals:       each(in.Originals, func(o invoiceOriginal) invoice.Original { return invoice.Original(o) }),
		ExpectedPayable: in.ExpectedPayable,
	}
	if in.Currency == codes.Riyal {
		f.ExchangeRate = money.FromInt(1)
	}
	give(&f.ExchangeRate, in.ExchangeRate)
	if in.SupplyDate != nil {
		f.SupplyDate = *in.SupplyDate
	}
	if in.UUID != nil {
		f.UUID = *in.UUID
	} else {
		f.UUID = newID().String()
	}
	return f
}

// unconverted reports whether the VAT in SAR is unknown: the currency is not SAR,
// and neither the amount nor the exchange rate is sent.
func (in Invoice) unconverted() bool {
	return in.Currency != codes.Riyal && in.ExchangeRate == nil && in.VATInSAR == nil
}

// transaction returns the transaction type; an invalid code counts as standard.
func (in Invoice) transaction() invoice.Transaction {
	if in.Transaction == nil {
		return invoice.Transaction{Simplified: in.Buyer == nil}
	}
	read, err := invoice.ParseTransaction(*in.Transaction)
	if err != nil {
		return invoice.Transaction{}
	}
	return read
}

// state replaces calculated amounts by those that were sent.
func (in Invoice) state(d *invoice.Document) {
	for _, one := range []struct {
		stated   *money.Decimal
		computed *money.Decimal
	}{
		{in.LineTotal, &d.LineTotal},
		{in.AllowanceTotal, &d.AllowanceTotal},
		{in.WithoutVAT, &d.WithoutVAT},
		{in.VAT, &d.VAT},
		{in.VATInSAR, &d.VATInSAR},
		{in.WithVAT, &d.WithVAT},
		{in.Prepaid, &d.Prepaid},
		{in.Rounding, &d.Rounding},
		{in.Payable, &d.Payable},
	} {
		give(one.computed, one.stated)
	}
	if len(in.Breakdown) > 0 {
		d.Breakdown = each(in.Breakdown, invoiceSubtotal.facts)
	}
	for i, l := range in.Lines {
		give(&d.Amounts[i].Net, l.Net)
		give(&d.Amounts[i].VAT, l.VAT)
		give(&d.Amounts[i].Total, l.Total)
	}
}

func give(to, from *money.Decimal) {
	if from != nil {
		*to = *from
	}
}

func (l invoiceLine) facts() invoice.Line {
	f := invoice.Line{Name: l.Name, Quantity: l.Quantity, Unit: l.Unit, Tax: l.invoiceTax.facts()}
	give(&f.GrossPrice, l.GrossPrice)
	if f.GrossPrice.IsZero() { // otherwise the price before VAT follows from it
		give(&f.Price, l.Price)
	}
	return f
}

// standardRate is the default rate in category S.
const standardRate = 15

func (t invoiceTax) facts() invoice.Tax {
	f := invoice.Tax{Category: t.Category, ReasonCode: t.ReasonCode, ReasonText: t.ReasonText}
	switch {
	case t.Rate != nil:
		f.Rate = *t.Rate
	case t.Category == codes.StandardRated:
		f.Rate = money.FromInt(standardRate)
	}
	return f
}

func (s invoiceSubtotal) facts() invoice.Subtotal {
	return invoice.Subtotal{Tax: s.invoiceTax.facts(), Taxable: s.Taxable, Amount: s.Amount}
}

func (a invoiceAllowance) facts() invoice.Allowance {
	tax := invoiceTax{Category: a.Category, Rate: a.Rate}.facts()
	return invoice.Allowance{Amount: a.Amount, ReasonCode: a.ReasonCode, Reason: a.Reason, Category: tax.Category, Rate: tax.Rate}
}

func (a invoiceAdvance) facts() invoice.Advance {
	return invoice.Advance{
		Number: a.Number, UUID: a.UUID, IssueDate: a.IssueDate, IssueTime: a.IssueTime,
		Breakdown: each(a.Breakdown, invoiceSubtotal.facts),
	}
}

// each converts every element of a list. It returns nil for an empty list.
func each[A, B any](list []A, turn func(A) B) []B {
	var out []B
	for _, one := range list {
		out = append(out, turn(one))
	}
	return out
}
