package invoice

import (
	"khatm/codes"
	"khatm/money"
)

// Document is an invoice with every amount computed. Amounts have two decimal
// places and, except for VATInSAR, are in the currency of the document.
type Document struct {
	Facts
	Amounts   []LineAmounts // one for each line of the facts
	Breakdown []Subtotal    // by category, rate and reason, in the order of the lines

	LineTotal      money.Decimal // sum of the lines, before VAT
	AllowanceTotal money.Decimal
	WithoutVAT     money.Decimal // LineTotal less AllowanceTotal
	VAT            money.Decimal
	VATInSAR       money.Decimal
	WithVAT        money.Decimal
	Prepaid        money.Decimal // sum of the deducted advances, including VAT
	Rounding       money.Decimal // difference to reach the prices including VAT, or ExpectedPayable; may be negative
	Payable        money.Decimal
}

// LineAmounts are the amounts of one line.
type LineAmounts struct {
	Net, VAT, Total money.Decimal
}

// Compute checks the facts and computes the document. The error is a
// [Problems] that names every invalid field. A quantity with more than six
// decimal places is rounded if that changes no amount, and an exchange rate to
// the length that BR-KSA-90 allows.
//
// Some prices including VAT cannot be reached from a price before VAT: 8.69 plus
// 15 percent is 9.99 and 8.70 plus 15 percent is 10.01, so no price gives 10.00.
// There are two ways to invoice such a price.
//
// Line.GrossPrice is a price including VAT. What the document would charge more
// or less for such lines than their prices, usually no more than a cent per
// line, becomes the payable rounding amount. Nothing is rounded if discounts or
// advances leave nothing to pay, and rounding never makes the payable amount
// negative.
//
// Facts.ExpectedPayable is the amount that the customer was shown. A difference
// of at most one cent for each line with a price before VAT becomes the payable
// rounding amount of the document; a larger difference is an error.
func Compute(f Facts) (*Document, error) {
	f.shorten()
	if problems := f.check(); len(problems) > 0 {
		return nil, problems
	}
	d, misfits := ComputeUnchecked(f)
	if len(misfits) > 0 {
		return nil, misfits
	}
	return d, nil
}

// ComputeUnchecked is like [Compute] but does not check the facts. It is meant for callers
// that report errors by other means, such as the rules of package rules. The
// Problems list amounts that do not fit together. The document is computed
// nevertheless: a discount without matching lines lowers the total but no row of
// the breakdown, and an ExpectedPayable that differs too much is ignored.
func ComputeUnchecked(f Facts) (*Document, Problems) {
	var misfits Problems
	d := &Document{Facts: f}
	d.computeLines()
	d.takeAllowances(&misfits)
	d.computeVAT()
	d.deductAdvances(&misfits)
	d.roundPayable(&misfits)
	return d, misfits
}

// group identifies the lines that share one row of the VAT breakdown.
type group struct {
	category, rate, reasonCode, reasonText string
}

func groupOf(t Tax) group { return group{t.Category, t.Rate.String(), t.ReasonCode, t.ReasonText} }

// computeLines computes the amounts of every line and the taxable amount of each
// group.
func (d *Document) computeLines() {
	d.Amounts = make([]LineAmounts, len(d.Lines))
	groups := make(map[group]int)
	for i, l := range d.Lines {
		d.Amounts[i] = l.amounts()
		net := d.Amounts[i].Net
		d.LineTotal = d.LineTotal.Add(net)

		key := groupOf(l.Tax)
		index, known := groups[key]
		if !known {
			index = len(d.Breakdown)
			groups[key] = index
			d.Breakdown = append(d.Breakdown, Subtotal{Tax: l.Tax})
		}
		s := &d.Breakdown[index]
		s.Taxable = s.Taxable.Add(net)
	}
}

// takeAllowances subtracts the allowances from the taxable amounts. An allowance
// reduces the first group of its category and rate, and its remainder the next.
func (d *Document) takeAllowances(ps *Problems) {
	allowances := make([]Allowance, len(d.Allowances))
	copy(allowances, d.Allowances)
	d.Allowances = allowances
	byRate := d.groupsByRate()
	for i := range allowances {
		a := &allowances[i]
		if a.ReasonCode == "" && a.Reason == "" && a.Amount.Sign() > 0 {
			a.ReasonCode = codes.Discount
		}
		groups, matched := byRate[rateOf(a.Category, a.Rate)]
		left := a.Amount
		for matched && left.Sign() > 0 && len(*groups) > 0 {
			s := (*groups)[0]
			taken := left
			if s.Taxable.Less(taken) {
				taken, *groups = s.Taxable, (*groups)[1:]
			}
			s.Taxable, left = s.Taxable.Sub(taken), left.Sub(taken)
		}
		switch {
		case !matched:
			ps.add(at("document_level_allowances", i, "vat_category_code"), "no line has category %s at %s percent", a.Category, a.Rate)
		case left.Sign() > 0:
			ps.add(at("document_level_allowances", i, "allowance_amount"), "is %s more than the lines of category %s at %s percent", left.Fixed2(), a.Category, a.Rate)
		}
		d.AllowanceTotal = d.AllowanceTotal.Add(a.Amount)
	}
	d.WithoutVAT = d.LineTotal.Sub(d.AllowanceTotal)
}

// rate is a VAT category and rate, which select the lines that an allowance
// reduces.
type rate struct{ category, percent string }

func rateOf(category string, percent money.Decimal) rate { return rate{category, percent.String()} }

// groupsByRate returns the groups of each category and rate in their order.
func (d *Document) groupsByRate() map[rate]*[]*Subtotal {
	byRate := make(map[rate]*[]*Subtotal)
	for i := range d.Breakdown {
		s := &d.Breakdown[i]
		key := rateOf(s.Category, s.Rate)
		if byRate[key] == nil {
			byRate[key] = new([]*Subtotal)
		}
		*byRate[key] = append(*byRate[key], s)
	}
	return byRate
}

// computeVAT computes the VAT of each group, rounded once per group (BR-CO-17),
// and the totals.
func (d *Document) computeVAT() {
	for i := range d.Breakdown {
		s := &d.Breakdown[i]
		s.Amount = s.Taxable.Percent(s.Rate).Round2()
		d.VAT = d.VAT.Add(s.Amount)
	}
	d.VATInSAR = d.VAT
	if d.Currency != taxCurrency { // riyals are not converted, whatever the exchange rate is
		d.VATInSAR = d.VAT.Mul(d.ExchangeRate).Round2()
	}
	d.WithVAT = d.WithoutVAT.Add(d.VAT)
}

// deductAdvances subtracts the advances from the payable amount.
func (d *Document) deductAdvances(ps *Problems) {
	for _, a := range d.Advances {
		for _, s := range a.Breakdown {
			d.Prepaid = d.Prepaid.Add(s.Taxable).Add(s.Amount)
		}
	}
	d.Payable = d.WithVAT.Sub(d.Prepaid)
	// Without advances, takeAllowances has already reported the negative amount.
	if d.Payable.Sign() < 0 && d.Prepaid.Sign() > 0 {
		ps.add("prepaid_invoices", "the advances total %s, more than the invoice total of %s", d.Prepaid.Fixed2(), d.WithVAT.Fixed2())
	}
}

// roundPayable sets the payable rounding so that Payable is the sum of the prices
// including VAT, or equals ExpectedPayable.
func (d *Document) roundPayable(ps *Problems) {
	if d.Payable.Sign() > 0 {
		d.roundBy(d.shelfDifference())
		if d.Payable.Sign() < 0 {
			d.roundBy(d.Payable.Neg())
		}
	}
	if d.ExpectedPayable == nil {
		return
	}
	expected, free := *d.ExpectedPayable, d.netPriced()
	difference := expected.Sub(d.Payable)
	if cent.Mul(money.FromInt(int64(free))).Less(difference.Abs()) {
		if len(*ps) > 0 { // other problems explain the difference
			return
		}
		why := "more than 0.01 a line apart"
		if free < len(d.Lines) {
			why = "the prices including VAT leave no such difference"
		}
		ps.add("expected_payable_amount", "is %s, but the invoice comes to %s: %s", expected.Fixed2(), d.Payable.Fixed2(), why)
		return
	}
	d.roundBy(difference)
}

// roundBy adds to the payable amount and to its rounding.
func (d *Document) roundBy(difference money.Decimal) {
	d.Rounding, d.Payable = d.Rounding.Add(difference), d.Payable.Add(difference)
}
