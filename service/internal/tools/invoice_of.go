package tools

import (
	"khatm/invoice"
	"khatm/money"
	"khatm/ubl"
)

// invoiceOf returns a calculated document with all its amounts.
func invoiceOf(d *invoice.Document, id invoice.Identity) Invoice {
	f := d.Facts
	f.Identity = id
	in := invoiceOfFacts(f)
	in.invoiceTotals = invoiceTotals{
		LineTotal: &d.LineTotal, AllowanceTotal: &d.AllowanceTotal, WithoutVAT: &d.WithoutVAT,
		VAT: &d.VAT, VATInSAR: &d.VATInSAR, WithVAT: &d.WithVAT,
		Prepaid: &d.Prepaid, Rounding: &d.Rounding, Payable: &d.Payable,
		Breakdown: each(d.Breakdown, subtotalOf),
	}
	for i := range in.Lines {
		a := &d.Amounts[i]
		in.Lines[i].Net, in.Lines[i].VAT, in.Lines[i].Total = &a.Net, &a.VAT, &a.Total
	}
	return in
}

// invoiceFrom returns a parsed document with the amounts it states. The error is
// that of [invoice.FromUBL]: parts of the document that facts cannot represent.
func invoiceFrom(inv *ubl.Invoice) (Invoice, error) {
	f, err := invoice.FromUBL(inv)
	f.ExpectedPayable = nil // the document states the rounding itself
	in := invoiceOfFacts(f)
	code := inv.InvoiceTypeCode.Attr("name") // unchanged, even if it is not a valid code
	in.Transaction = &code
	in.invoiceTotals = totalsIn(inv)
	lines := goods(inv.Lines)
	for i := range in.Lines {
		l := &in.Lines[i]
		l.Net = stated(lines[i].LineExtensionAmount)
		if len(lines[i].TaxTotals) > 0 {
			l.VAT, l.Total = stated(lines[i].TaxTotals[0].TaxAmount), stated(lines[i].TaxTotals[0].RoundingAmount)
		}
	}
	return in, err
}

// invoiceOfFacts returns facts without the amounts calculated from them.
func invoiceOfFacts(f invoice.Facts) Invoice {
	code := f.Transaction.String()
	return Invoice{
		Number:          f.Number,
		UUID:            &f.UUID,
		IssueDate:       f.IssueDate,
		IssueTime:       f.IssueTime,
		Kind:            int(f.Kind),
		Transaction:     &code,
		SupplyDate:      &f.SupplyDate,
		SupplyEndDate:   f.SupplyEndDate,
		Currency:        f.Currency,
		ExchangeRate:    rateOf(f),
		PaymentMeans:    f.PaymentMeans,
		PaymentTerms:    f.PaymentTerms,
		Reason:          f.Reason,
		Notes:           each(f.Notes, func(n invoice.Note) invoiceNote { return invoiceNote(n) }),
		Seller:          sellerOf(f.Seller),
		Buyer:           buyerOf(f.Buyer),
		Lines:           each(f.Lines, lineOf),
		Allowances:      each(f.Allowances, allowanceOf),
		Advances:        each(f.Advances, advanceOf),
		Originals:       each(f.Originals, func(o invoice.Original) invoiceOriginal { return invoiceOriginal(o) }),
		ExpectedPayable: f.ExpectedPayable,
	}
}

func lineOf(f invoice.Line) invoiceLine {
	price := f.NetPrice()
	out := invoiceLine{Name: f.Name, Price: &price, Quantity: f.Quantity, Unit: f.Unit, invoiceTax: taxOf(f.Tax)}
	if !f.GrossPrice.IsZero() {
		out.GrossPrice = &f.GrossPrice
	}
	return out
}

func taxOf(f invoice.Tax) invoiceTax {
	return invoiceTax{Category: f.Category, Rate: &f.Rate, ReasonCode: f.ReasonCode, ReasonText: f.ReasonText}
}

func subtotalOf(f invoice.Subtotal) invoiceSubtotal {
	return invoiceSubtotal{invoiceTax: taxOf(f.Tax), Taxable: f.Taxable, Amount: f.Amount}
}

func allowanceOf(f invoice.Allowance) invoiceAllowance {
	return invoiceAllowance{Amount: f.Amount, ReasonCode: f.ReasonCode, Reason: f.Reason, Category: f.Category, Rate: &f.Rate}
}

func advanceOf(f invoice.Advance) invoiceAdvance {
	return invoiceAdvance{
		Number: f.Number, UUID: f.UUID, IssueDate: f.IssueDate, IssueTime: f.IssueTime,
		Breakdown: each(f.Breakdown, subtotalOf),
	}
}

// stated returns an amount that a document states, or nil if it is missing or not
// a number.
func stated(t *ubl.Text) *money.Decimal {
	if t == nil {
		return nil
	}
	d, err := money.Parse(t.Value)
	if err != nil {
		return nil
	}
	return &d
}
