package invoice

import (
	"khatm/codes"
	"khatm/money"
)

// Document is an invoice with every amount computed. Amounts are in the
// currency of the document, with two places, unless a name says otherwise.
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
	Prepaid        money.Decimal // the advances that are deducted
	Rounding       money.Decimal // what ExpectedPayable added; may be negative
	Payable        money.Decimal
}

// LineAmounts are the amounts of one line.
type LineAmounts struct {
	Net, VAT, Total money.Decimal
}

// Compute checks the facts and computes the document. The error is a
// [Problems] that names every field that is wrong.
//
// Prices before VAT cannot always give the price on the shelf: 8.70 plus 15
// percent is 10.01, and 8.69 is 9.99, where the shelf says 10.00.
// ExpectedPayable is what the till showed; a difference of at most one cent a
// line becomes the payable rounding of the document, a larger one is refused.
func Compute(f Facts) (*Document, error) {
	if problems := f.check(); len(problems) > 0 {
		return nil, problems
	}
	d, misfits := Reckon(f)
	if len(misfits) > 0 {
		return nil, misfits
	}
	return d, nil
}

// Reckon is the arithmetic of [Compute] without its checks, for facts of which
// somebody else says what is wrong. An amount that does not fit the others comes
// out as it comes out, and is named besides: a discount that no line accounts
// for lowers the total and no row of the breakdown, and an ExpectedPayable too
// far off is left aside.
func Reckon(f Facts) (*Document, Problems) {
	var misfits Problems
	d := &Document{Facts: f}
	d.computeLines()
	d.takeAllowances(&misfits)
	d.computeVAT()
	d.deductAdvances(&misfits)
	d.roundPayable(&misfits)
	return d, misfits
}

// group is what lines must share to be taxed together.
type group struct {
	category, rate, reasonCode, reasonText string
}

// computeLines computes every line and sums up the taxable amount of each group.
func (d *Document) computeLines() {
	d.Amounts = make([]LineAmounts, len(d.Lines))
	groups := make(map[group]int)
	for i, l := range d.Lines {
		net := l.Price.Mul(l.Quantity).Round2()
		vat := net.Percent(l.Tax.Rate).Round2()
		d.Amounts[i] = LineAmounts{Net: net, VAT: vat, Total: net.Add(vat)}
		d.LineTotal = d.LineTotal.Add(net)

		key := group{l.Tax.Category, l.Tax.Rate.String(), l.Tax.ReasonCode, l.Tax.ReasonText}
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

// takeAllowances lowers the taxable amounts. An allowance reduces the first
// group of its category and rate, and what is left of it the next.
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

// rate is what an allowance must name of the lines it reduces.
type rate struct{ category, percent string }

func rateOf(category string, percent money.Decimal) rate { return rate{category, percent.String()} }

// groupsByRate lists the groups of each category and rate in their order.
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

// computeVAT rounds once for each group (BR-CO-17) and once for the riyal.
func (d *Document) computeVAT() {
	for i := range d.Breakdown {
		s := &d.Breakdown[i]
		s.Amount = s.Taxable.Percent(s.Rate).Round2()
		d.VAT = d.VAT.Add(s.Amount)
	}
	d.VATInSAR = d.VAT
	if d.Currency != taxCurrency { // whatever the rate says, a riyal is a riyal
		d.VATInSAR = d.VAT.Mul(d.ExchangeRate).Round2()
	}
	d.WithVAT = d.WithoutVAT.Add(d.VAT)
}

// deductAdvances takes off what was paid and taxed before.
func (d *Document) deductAdvances(ps *Problems) {
	for _, a := range d.Advances {
		for _, s := range a.Breakdown {
			d.Prepaid = d.Prepaid.Add(s.Taxable).Add(s.Amount)
		}
	}
	d.Payable = d.WithVAT.Sub(d.Prepaid)
	// Allowances above the lines are told where they stand, not here.
	if d.Payable.Sign() < 0 && d.Prepaid.Sign() > 0 {
		ps.add("prepaid_invoices", "the advances are %s, more than the invoice of %s", d.Prepaid.Fixed2(), d.WithVAT.Fixed2())
	}
}

// roundPayable meets the amount that the till showed.
func (d *Document) roundPayable(ps *Problems) {
	if d.ExpectedPayable == nil {
		return
	}
	expected := *d.ExpectedPayable
	difference := expected.Sub(d.Payable)
	if cent.Mul(money.FromInt(int64(len(d.Lines)))).Less(difference.Abs()) {
		if len(*ps) > 0 { // what the till showed is compared with a right sum only
			return
		}
		ps.add("expected_payable_amount", "is %s, but the invoice comes to %s: more than 0.01 a line apart", expected.Fixed2(), d.Payable.Fixed2())
		return
	}
	d.Rounding, d.Payable = difference, expected
}
