package issue

import (
	"strconv"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
)

// rate is a VAT category and rate. Advances are deducted from the amounts of
// the invoice with the same category and rate, whatever the exemption reason.
type rate struct{ category, percent string }

func rateOf(t invoice.Tax) rate { return rate{t.Category, t.Rate.String()} }

// deduction divides the amounts of an invoice among its advances.
type deduction struct {
	open map[rate]*invoice.Subtotal // what advances have not covered of the invoice
	left []invoice.Subtotal         // what is left of the current advance
	rows []invoice.Subtotal         // what is deducted from it
}

// advances returns the advances with the part of each that the invoice deducts,
// in the order of the request. The breakdown is that of the invoice.
func (p *prepared) advances(breakdown []invoice.Subtotal) ([]invoice.Advance, error) {
	d := deduction{open: map[rate]*invoice.Subtotal{}}
	for _, s := range breakdown {
		if open := d.open[rateOf(s.Tax)]; open != nil {
			open.Taxable, open.Amount = open.Taxable.Add(s.Taxable), open.Amount.Add(s.Amount)
			continue
		}
		d.open[rateOf(s.Tax)] = &s
	}
	var advances []invoice.Advance
	for _, id := range p.Prepaid {
		o := p.earlier[id]
		d.left, d.rows = o.remaining(), nil
		if err := p.deduct(&d, o); err != nil {
			return nil, err
		}
		if len(d.rows) == 0 {
			return nil, advanceUnused.refuse(o.Number)
		}
		advances = append(advances, invoice.Advance{Number: o.Number, UUID: o.ID.String(), IssueDate: o.IssueDate, IssueTime: o.IssueTime, Breakdown: d.rows})
	}
	return advances, nil
}

// deduct deducts the amounts that the request sets for an advance, or as much as
// possible if it sets none.
func (p *prepared) deduct(d *deduction, o Earlier) error {
	if len(p.PrepaidAmounts) == 0 {
		for n := range d.left {
			d.take(n, d.left[n].Taxable)
		}
		return nil
	}
	for n, a := range p.PrepaidAmounts {
		if a.Advance != o.ID {
			continue
		}
		key, left, open := rate{a.Category, a.Rate.String()}, money.Decimal{}, money.Decimal{}
		for _, r := range d.left {
			if rateOf(r.Tax) == key {
				left = left.Add(r.Taxable)
			}
		}
		if uncovered := d.open[key]; uncovered != nil {
			open = uncovered.Taxable
		}
		switch {
		case left.Less(a.Amount):
			return amountField(n, "amount", amountAboveAdvance.refuse(n, a.Amount.Fixed2(), left.Fixed2(), o.Number, a.Category, a.Rate.String()))
		case open.Less(a.Amount):
			return amountField(n, "amount", amountAboveInvoice.refuse(n, a.Amount.Fixed2(), open.Fixed2(), a.Category, a.Rate.String()))
		}
		rest := a.Amount
		for i := range d.left {
			if rateOf(d.left[i].Tax) == key {
				rest = rest.Sub(d.take(i, rest))
			}
		}
	}
	return nil
}

// amountField adds the path of a field of prepaid_amounts to a refusal.
func amountField(n int, field string, e *fault.Error) error {
	return e.With("path", Root+".prepaid_amounts."+strconv.Itoa(n)+"."+field)
}

// take deducts at most the given amount from a row of the advance, and returns
// how much it deducted: no more than is left of the row and open on the invoice.
func (d *deduction) take(n int, amount money.Decimal) money.Decimal {
	left := &d.left[n]
	open := d.open[rateOf(left.Tax)]
	if open == nil {
		return money.Decimal{}
	}
	amount = least(amount, left.Taxable, open.Taxable)
	if amount.Sign() <= 0 {
		return money.Decimal{}
	}
	vat := deductedVAT(*left, *open, amount)
	for _, s := range []*invoice.Subtotal{left, open} {
		s.Taxable, s.Amount = s.Taxable.Sub(amount), s.Amount.Sub(vat)
	}
	d.rows = append(d.rows, invoice.Subtotal{Tax: left.Tax, Taxable: amount, Amount: vat})
	return amount
}

// deductedVAT returns the VAT of an amount that is deducted from an advance of
// which left remains, on an invoice of which open is not covered yet.
//
// It leaves the advance with the rounded VAT of its remainder, so that no cent
// is lost over many deductions and the last one takes all VAT that is left. It
// is never more than the VAT of the invoice, otherwise the payable amount could
// become negative, and at most one cent from the rounded VAT of the amount,
// because BR-KSA-79 allows no more. The invoice is left with at least the
// rounded VAT of its remainder less one cent, so that further advances can be
// deducted within these bounds.
func deductedVAT(left, open invoice.Subtotal, amount money.Decimal) money.Decimal {
	vatOf := func(taxable money.Decimal) money.Decimal { return taxable.Percent(left.Rate).Round2() }
	own := vatOf(amount)
	vat := least(
		left.Amount.Sub(vatOf(left.Taxable.Sub(amount))),
		open.Amount,
		open.Amount.Sub(vatOf(open.Taxable.Sub(amount))).Add(cent),
		own.Add(cent),
	)
	if low := own.Sub(cent); vat.Less(low) {
		vat = low
	}
	if left.Rate.IsZero() || vat.Sign() < 0 {
		return money.Decimal{}
	}
	return vat
}

func least(first money.Decimal, others ...money.Decimal) money.Decimal {
	for _, d := range others {
		if d.Less(first) {
			first = d
		}
	}
	return first
}
