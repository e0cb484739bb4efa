package invoice_test

import (
	"fmt"
	"math/big"
	"regexp"

	"khatm/ubl"
)

// arithmeticChecker checks the amounts in the texts of a document. It computes with
// fractions, allows no tolerance and shares no code with package money. It is stricter
// than the official rules BR-CO-17, BR-S-08, BR-KSA-79 and BR-KSA-EN16931-11.
type arithmeticChecker struct {
	inv    *ubl.Invoice
	faults []string
}

// arithmeticFaults returns the rules that the amounts of a document violate.
func arithmeticFaults(inv *ubl.Invoice) []string {
	a := &arithmeticChecker{inv: inv}
	for i, l := range inv.Lines {
		if len(l.DocumentReferences) > 0 {
			a.advance(fmt.Sprintf("line %d", i+1), l)
		} else {
			a.line(fmt.Sprintf("line %d", i+1), l)
		}
	}
	a.breakdown()
	a.totals()
	return a.faults
}

func (a *arithmeticChecker) fault(format string, args ...any) {
	a.faults = append(a.faults, fmt.Sprintf(format, args...))
}

// same reports a difference between got and want.
func (a *arithmeticChecker) same(rule string, got, want *big.Rat) {
	if got.Cmp(want) != 0 {
		a.fault("%s: got %s, want %s", rule, got.FloatString(8), want.FloatString(8))
	}
}

var (
	twoPlaces   = regexp.MustCompile(`^-?(0|[1-9][0-9]*)\.[0-9]{2}$`)
	plainNumber = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]{1,6})?$`)
)

// amount parses an amount in the currency of the document that must not be negative.
func (a *arithmeticChecker) amount(place string, t *ubl.Text) *big.Rat {
	return a.amountIn(a.inv.DocumentCurrencyCode.String(), place, t)
}

func (a *arithmeticChecker) amountIn(currency, place string, t *ubl.Text) *big.Rat {
	if got := t.Attr("currencyID"); got != currency {
		a.fault("%s: currency is %q, want %s (BR-KSA-CL-02)", place, got, currency)
	}
	n := a.signed(place, t)
	if n.Sign() < 0 {
		a.fault("%s: %s is negative (BR-KSA-F-04)", place, t)
	}
	return n
}

// signed parses an amount that may be negative. It must have exactly two decimals.
func (a *arithmeticChecker) signed(place string, t *ubl.Text) *big.Rat {
	if !twoPlaces.MatchString(t.String()) {
		a.fault("%s: %q does not have exactly two decimals (BR-DEC, BR-KSA-DEC)", place, t)
	}
	return rat(t)
}

// rat parses a number. It returns 0 for a missing or invalid number.
func rat(t *ubl.Text) *big.Rat {
	n, ok := new(big.Rat).SetString(t.String())
	if !ok {
		return new(big.Rat)
	}
	return n
}

func add(n ...*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, m := range n {
		sum.Add(sum, m)
	}
	return sum
}

func neg(n *big.Rat) *big.Rat { return new(big.Rat).Neg(n) }

func mul(n, m *big.Rat) *big.Rat { return new(big.Rat).Mul(n, m) }

// round2 rounds a non-negative number to hundredths, half up.
func round2(n *big.Rat) *big.Rat {
	return scaled(add(mul(n, big.NewRat(100, 1)), big.NewRat(1, 2)), 100)
}

// trunc3 truncates a non-negative number after three decimal places.
func trunc3(n *big.Rat) *big.Rat { return scaled(mul(n, big.NewRat(1000, 1)), 1000) }

// scaled returns the integer part of n, divided by by.
func scaled(n *big.Rat, by int64) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).Quo(n.Num(), n.Denom()), big.NewInt(by))
}

// vatOf returns the VAT on an amount, rounded once.
func vatOf(taxable *big.Rat, c *ubl.TaxCategory) *big.Rat {
	return round2(mul(taxable, mul(rat(c.Percent), big.NewRat(1, 100))))
}

func (a *arithmeticChecker) line(name string, l *ubl.Line) {
	if !plainNumber.MatchString(l.InvoicedQuantity.String()) || rat(l.InvoicedQuantity).Sign() <= 0 {
		a.fault("%s: quantity is %q (BR-KSA-F-04)", name, l.InvoicedQuantity)
	}
	product := mul(rat(l.InvoicedQuantity), a.amount(name+" price", l.Price.PriceAmount))
	if base := l.Price.BaseQuantity; base != nil {
		if !plainNumber.MatchString(base.String()) || rat(base).Sign() <= 0 || base.Attr("unitCode") != l.InvoicedQuantity.Attr("unitCode") {
			a.fault("%s: base quantity is %q (BR-KSA-EN16931-12)", name, base)
			return
		}
		product.Quo(product, rat(base))
	}
	net := a.amount(name+" net", l.LineExtensionAmount)
	a.same(name+": net is price times quantity", net, round2(product))
	a.same(name+": BR-KSA-EN16931-11", net, round2(trunc3(product)))
	vat, total := a.lineTax(name, l)
	category := l.Item.TaxCategories[0]
	if len(l.Item.Properties) > 0 {
		a.grossPrice(name, l, net, vat, total)
	} else {
		a.same(name+": VAT of the net amount", vat, vatOf(net, category))
	}
	a.same(name+": BR-KSA-51", total, add(net, vat))
	a.rate(name, category)
}

// grossPrice checks a line with a price including VAT: its total is that price times
// the quantity, and its VAT is within a cent of the VAT on the net amount.
func (a *arithmeticChecker) grossPrice(name string, l *ubl.Line, net, vat, total *big.Rat) {
	if p := l.Item.Properties[0]; len(l.Item.Properties) != 1 || p.Name.String() != "سعر الوحدة شامل الضريبة | Unit price including VAT" {
		a.fault("%s: properties are %v, want only the price including VAT", name, l.Item.Properties)
		return
	}
	category := l.Item.TaxCategories[0]
	shelf := mul(rat(l.InvoicedQuantity), a.signed(name+" price including VAT", l.Item.Properties[0].Value))
	share := new(big.Rat).Quo(big.NewRat(100, 1), add(big.NewRat(100, 1), rat(category.Percent)))
	a.same(name+": net of the price including VAT", net, round2(mul(shelf, share)))
	a.same(name+": total of the price including VAT", total, round2(shelf))
	off := add(vat, neg(vatOf(net, category)))
	if off.Abs(off).Cmp(big.NewRat(1, 100)) > 0 {
		a.fault("%s: the VAT of the line is %s away from the VAT on its net amount", name, off.FloatString(2))
	}
}

func (a *arithmeticChecker) lineTax(name string, l *ubl.Line) (vat, total *big.Rat) {
	return a.amount(name+" VAT", l.TaxTotals[0].TaxAmount), a.amount(name+" total", l.TaxTotals[0].RoundingAmount)
}

// advance checks a line that deducts an advance: its own amounts must be zero, and the
// VAT of its subtotals must be correct.
func (a *arithmeticChecker) advance(name string, l *ubl.Line) {
	vat, total := a.lineTax(name, l)
	worth := add(a.amount(name+" net", l.LineExtensionAmount), vat, total, a.amount(name+" price", l.Price.PriceAmount))
	a.same(name+": BR-KSA-82", worth, new(big.Rat))
	a.same(name+": quantity", rat(l.InvoicedQuantity), new(big.Rat))
	for _, s := range l.TaxTotals[0].Subtotals {
		taxable := a.amount(name+" taxable", s.TaxableAmount)
		a.same(name+": BR-KSA-79", a.amount(name+" tax", s.TaxAmount), vatOf(taxable, s.TaxCategory))
		a.rate(name, s.TaxCategory)
	}
}

// rate checks that only category S has a rate above zero (BR-S-05, BR-Z-05, …).
func (a *arithmeticChecker) rate(name string, c *ubl.TaxCategory) {
	if (rat(c.Percent).Sign() > 0) != (c.ID.String() == "S") {
		a.fault("%s: category %s at %s percent (BR-%s-05)", name, c.ID, c.Percent, c.ID)
	}
}

// taxed returns the category and rate as a key.
func taxed(c *ubl.TaxCategory) string { return c.ID.String() + " at " + rat(c.Percent).FloatString(4) }

// breakdown checks the subtotals of each category and rate.
func (a *arithmeticChecker) breakdown() {
	got, want := map[string]*big.Rat{}, map[string]*big.Rat{}
	put := func(to map[string]*big.Rat, c *ubl.TaxCategory, n *big.Rat) {
		if to[taxed(c)] == nil {
			to[taxed(c)] = new(big.Rat)
		}
		to[taxed(c)].Add(to[taxed(c)], n)
	}
	sum := new(big.Rat)
	for i, s := range a.inv.TaxTotals[1].Subtotals {
		name := fmt.Sprintf("subtotal %d", i+1)
		taxable, vat := a.amount(name+" taxable", s.TaxableAmount), a.amount(name+" VAT", s.TaxAmount)
		a.same(name+": BR-CO-17", vat, vatOf(taxable, s.TaxCategory))
		if c := s.TaxCategory.ID.String(); c != "S" && vat.Sign() != 0 {
			a.fault("%s: BR-%s-09: VAT is %s", name, c, s.TaxAmount)
		}
		a.rate(name, s.TaxCategory)
		put(got, s.TaxCategory, taxable)
		sum.Add(sum, vat)
	}
	for _, l := range a.inv.Lines {
		if len(l.DocumentReferences) == 0 {
			put(want, l.Item.TaxCategories[0], rat(l.LineExtensionAmount))
		}
	}
	for i, c := range a.inv.AllowanceCharges {
		put(want, c.TaxCategories[0], neg(a.amount(fmt.Sprintf("allowance %d", i+1), c.Amount)))
	}
	for key, n := range want {
		a.same("BR-"+key[:1]+"-08, "+key, add(got[key]), n)
	}
	if len(got) != len(want) {
		a.fault("the breakdown has %d categories and rates, the lines have %d (BR-S-01 …)", len(got), len(want))
	}
	a.same("BR-CO-14", rat(a.inv.TaxTotals[1].TaxAmount), sum)
}

func (a *arithmeticChecker) totals() {
	inv, m := a.inv, a.inv.MonetaryTotal
	nets, allowances, prepaid := new(big.Rat), new(big.Rat), new(big.Rat)
	for _, l := range inv.Lines {
		nets.Add(nets, rat(l.LineExtensionAmount))
		for _, s := range l.TaxTotals[0].Subtotals {
			prepaid = add(prepaid, rat(s.TaxableAmount), rat(s.TaxAmount))
		}
	}
	for _, c := range inv.AllowanceCharges {
		allowances.Add(allowances, rat(c.Amount))
	}
	if (m.AllowanceTotalAmount == nil) != (len(inv.AllowanceCharges) == 0) {
		a.fault("BR-CO-11: the document has allowances without their total, or the total without allowances")
	}
	vat := a.amount("VAT", inv.TaxTotals[1].TaxAmount)
	exclusive := a.amount("without VAT", m.TaxExclusiveAmount)
	inclusive := a.amount("with VAT", m.TaxInclusiveAmount)
	a.same("BR-CO-10", a.amount("sum of lines", m.LineExtensionAmount), nets)
	a.same("BR-CO-11", a.optional("sum of allowances", m.AllowanceTotalAmount), allowances)
	a.same("BR-CO-13", exclusive, add(nets, neg(allowances)))
	a.same("BR-CO-15", inclusive, add(exclusive, vat))
	a.same("BR-KSA-80", a.optional("prepaid", m.PrepaidAmount), prepaid)
	rounding := new(big.Rat)
	if m.PayableRoundingAmount != nil {
		rounding = a.signed("rounding", m.PayableRoundingAmount)
	}
	a.same("BR-CO-16", a.amount("payable", m.PayableAmount), add(inclusive, neg(prepaid), rounding))
	rate := big.NewRat(1, 1)
	if inv.TaxExchangeRate != nil {
		rate = rat(inv.TaxExchangeRate.CalculationRate)
	}
	a.same("VAT in riyals", a.amountIn("SAR", "VAT in riyals", inv.TaxTotals[0].TaxAmount), round2(mul(vat, rate)))
}

// optional parses an amount that is 0 if missing.
func (a *arithmeticChecker) optional(place string, t *ubl.Text) *big.Rat {
	if t == nil {
		return new(big.Rat)
	}
	return a.amount(place, t)
}
