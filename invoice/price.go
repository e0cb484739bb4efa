package invoice

import "khatm/money"

// netPricePlaces is the number of decimal places of a price before VAT that is
// computed from a price including VAT.
const netPricePlaces = 6

// amounts computes the amounts of a line.
//
// The total of a line with a price including VAT is that price times the
// quantity, because the customer pays it. Its VAT is what remains of the total
// after the net amount, and differs by at most a cent from the VAT on the net
// amount.
func (l Line) amounts() LineAmounts {
	if l.GrossPrice.IsZero() {
		net := l.Price.Mul(l.Quantity).Round2()
		vat := net.Percent(l.Tax.Rate).Round2()
		return LineAmounts{Net: net, VAT: vat, Total: net.Add(vat)}
	}
	gross := l.GrossPrice.Mul(l.Quantity)
	net, total := l.withoutVAT(gross, 2), gross.Round2()
	return LineAmounts{Net: net, VAT: total.Sub(net), Total: total}
}

// withoutVAT returns an amount including VAT without its VAT, rounded once. A
// rate of -100 percent or less, which only [ComputeUnchecked] allows, counts as
// zero.
func (l Line) withoutVAT(gross money.Decimal, places int) money.Decimal {
	divisor := hundred.Add(l.Tax.Rate)
	if divisor.Sign() <= 0 {
		return gross.Round(places)
	}
	return gross.Mul(hundred).Quo(divisor, places)
}

// NetPrice returns the price of one unit before VAT. For a line with a price
// including VAT it is the net amount divided by the quantity, rounded to six
// decimal places.
func (l Line) NetPrice() money.Decimal {
	switch {
	case l.GrossPrice.IsZero():
		return l.Price
	case l.Quantity.Sign() <= 0: // only ComputeUnchecked allows it
		return l.withoutVAT(l.GrossPrice, netPricePlaces)
	}
	return l.amounts().Net.Quo(l.Quantity, netPricePlaces)
}

// written returns the price before VAT as the document contains it, and the
// number of units that it is the price of. A price including VAT rarely has a
// price before VAT with two decimals, so the document contains the net amount as
// the price of the whole quantity: the price times the quantity, divided by the
// base quantity, is then exactly the net amount (BR-KSA-EN16931-11).
func (l Line) written() (price, base money.Decimal) {
	one := money.FromInt(1)
	if l.GrossPrice.IsZero() || l.Quantity.Sign() <= 0 || l.Quantity.Equal(one) {
		return l.NetPrice(), one
	}
	return l.amounts().Net, l.Quantity
}

// RoundQuantity returns the line with its quantity rounded to six decimal
// places. Programs that compute in floating point send quantities such as
// 0.30000000000000004. It returns the line unchanged and false if an amount of
// the line would change.
func (l Line) RoundQuantity() (Line, bool) {
	if l.Quantity.Places() <= maxQuantity {
		return l, true
	}
	rounded := l
	rounded.Quantity = l.Quantity.Round(maxQuantity)
	was, is := l.amounts(), rounded.amounts()
	if rounded.Quantity.IsZero() || !is.Net.Equal(was.Net) || !is.Total.Equal(was.Total) {
		return l, false
	}
	return rounded, true
}

// shorten rounds quantities and the exchange rate to the length that a document
// can contain. A quantity whose rounding would change an amount stays as it is,
// and check reports it.
func (f *Facts) shorten() {
	if f.Currency != taxCurrency {
		f.ExchangeRate = shortRate(f.ExchangeRate)
	}
	var lines []Line // a copy, made only if a line changes
	for i, l := range f.Lines {
		if l.Quantity.Places() <= maxQuantity {
			continue
		}
		if lines == nil {
			lines = append(lines, f.Lines...)
		}
		lines[i], _ = l.RoundQuantity()
	}
	if lines != nil {
		f.Lines = lines
	}
}

// shortRate rounds an exchange rate to as many decimal places as fit into the
// length that BR-KSA-90 allows.
func shortRate(rate money.Decimal) money.Decimal {
	if len(rate.String()) <= maxRateText {
		return rate
	}
	whole := len(rate.Abs().Floor(0).String())
	return rate.Round(max(maxRateText-whole-1, 0))
}

// shelfDifference returns what must be added to the total with VAT so that each
// line with a price including VAT costs exactly its total. The lines with prices
// before VAT and the discounts of a group count with their own VAT, rounded once.
func (d *Document) shelfDifference() money.Decimal {
	var difference money.Decimal
	rows := map[group]LineAmounts{}
	for i, l := range d.Lines {
		if !l.GrossPrice.IsZero() {
			row, a := rows[groupOf(l.Tax)], d.Amounts[i]
			rows[groupOf(l.Tax)] = LineAmounts{Net: row.Net.Add(a.Net), VAT: row.VAT.Add(a.VAT)}
		}
	}
	if len(rows) == 0 {
		return difference
	}
	for _, s := range d.Breakdown {
		if row, ok := rows[groupOf(s.Tax)]; ok {
			others := s.Taxable.Sub(row.Net).Percent(s.Rate).Round2()
			difference = difference.Add(row.VAT).Add(others).Sub(s.Amount)
		}
	}
	return difference
}

// netPriced returns the number of lines with a price before VAT.
func (f *Facts) netPriced() int {
	n := 0
	for _, l := range f.Lines {
		if l.GrossPrice.IsZero() {
			n++
		}
	}
	return n
}
