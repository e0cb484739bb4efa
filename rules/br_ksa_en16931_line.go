package rules

import (
	"khatm/money"
)

func chargeInPrice(d *document, t *trial) {
	for i := range d.lines {
		for j, a := range d.lines[i].price.AllowanceCharges {
			t.seen()
			if (adjustment{AllowanceCharge: a}).isCharge() {
				t.fail(numbered(d.lines[i].path+"/cac:Price/cac:AllowanceCharge", j)+"/cbc:ChargeIndicator", a.ChargeIndicator.String(), "false")
			}
		}
	}
}

func wrongNetPrice(d *document, t *trial) {
	for i := range d.lines {
		l := d.lines[i]
		for _, a := range l.price.AllowanceCharges {
			if a.BaseAmount == nil {
				continue
			}
			t.seen()
			gross, _ := decimal(a.BaseAmount.Value)
			discount, hasDiscount := decimal(a.Amount.String())
			net, hasNet := decimal(l.price.PriceAmount.String())
			if want := gross.Sub(discount); !hasDiscount || !hasNet || !net.Equal(want) {
				t.fail(l.path+"/cac:Price/cbc:PriceAmount", l.price.PriceAmount.String(), written(want))
			}
		}
	}
}

func wrongNet(d *document, t *trial) {
	for i := range d.lines {
		l := d.lines[i]
		t.seen()
		if netIsRight(l) {
			continue
		}
		want, ok := netOf(l)
		net, hasNet := decimal(l.LineExtensionAmount.String())
		if !ok || !hasNet {
			t.fail(l.path+"/cbc:LineExtensionAmount", l.LineExtensionAmount.String(), "quantity times price")
			continue
		}
		// A difference of half a cent fails: the sheet compares with three numbers,
		// not with a range.
		if off := net.Sub(want).Abs(); !off.IsZero() && !off.Equal(cent) {
			t.fail(l.path+"/cbc:LineExtensionAmount", l.LineExtensionAmount.Value, written(want))
		}
	}
}

// netIsRight is the fast path for lines with plain numbers, which nearly all
// lines have. If it returns false, netOf decides.
func netIsRight(l *line) bool {
	quantity, ok1 := toFixed(l.InvoicedQuantity.String())
	price, ok2 := toFixed(l.price.PriceAmount.String())
	net, ok3 := toFixed(l.LineExtensionAmount.String())
	product, ok4 := quantity.times(price)
	if !ok1 || !ok2 || !ok3 || !ok4 || l.price.BaseQuantity != nil || len(l.adjustments) > 0 {
		return false
	}
	off := net - product.round2()
	return off == 0 || off == 10_000 || off == -10_000
}

// The sheet adds nudge before it rounds. It changes no half, because halves are
// rounded up anyway; it matters for amounts with thirteen decimals.
var (
	cent  = money.MustParse("0.01")
	nudge = money.MustParse("0.0000000000001")
)

// netOf computes the net amount of a line as the sheet does: quantity times
// price, truncated to three decimals, then charges and discounts, then rounded.
func netOf(l *line) (net money.Decimal, ok bool) {
	quantity, hasQuantity := decimal(l.InvoicedQuantity.String())
	price, hasPrice := decimal(l.price.PriceAmount.String())
	if l.price.BaseQuantity != nil {
		base, readable := decimal(l.price.BaseQuantity.Value)
		if !readable || base.IsZero() {
			return net, false // the sheet aborts
		}
		price = divide(price, base)
	}
	net = trunc3(quantity.Mul(price)).Add(nudge)
	for _, a := range l.adjustments {
		amount, _ := decimal(a.Amount.String())
		switch {
		case a.isCharge():
			net = net.Add(amount)
		case a.isAllowance():
			net = net.Sub(amount)
		}
	}
	return round2(net), hasQuantity && hasPrice
}

// baseQuantityNotPositive reports base quantities that are not above 0. It
// skips an empty base quantity.
func baseQuantityNotPositive(d *document, t *trial) {
	for i := range d.lines {
		quantity := d.lines[i].price.BaseQuantity
		if quantity.String() == "" {
			continue
		}
		t.seen()
		if !isPositive(quantity) {
			t.fail(d.lines[i].path+"/cac:Price/cbc:BaseQuantity", quantity.Value, "more than 0")
		}
	}
}
