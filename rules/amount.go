package rules

import (
	"strconv"
	"strings"

	"khatm/ubl"
)

// amounts calls show for every amount in the currency of the document, with the
// path of the part that contains it and its own path within that part. It skips
// the VAT totals of the document, one of which is in riyals, and the totals of
// lines with VAT.
func (d *document) amounts(show func(within, name string, amount *ubl.Text)) {
	see := func(within, name string, amount *ubl.Text) {
		if amount != nil {
			show(within, name, amount)
		}
	}
	seeAdjustments(d.adjustments, see)
	seeSubtotals(d.subtotals, see)
	m := d.totals
	see(totalsPath, "/cbc:LineExtensionAmount", m.LineExtensionAmount)
	see(totalsPath, "/cbc:TaxExclusiveAmount", m.TaxExclusiveAmount)
	see(totalsPath, "/cbc:TaxInclusiveAmount", m.TaxInclusiveAmount)
	see(totalsPath, "/cbc:AllowanceTotalAmount", m.AllowanceTotalAmount)
	see(totalsPath, "/cbc:ChargeTotalAmount", m.ChargeTotalAmount)
	see(totalsPath, "/cbc:PrepaidAmount", m.PrepaidAmount)
	see(totalsPath, "/cbc:PayableRoundingAmount", m.PayableRoundingAmount)
	see(totalsPath, "/cbc:PayableAmount", m.PayableAmount)
	for _, l := range d.lines {
		see(l.path, "/cbc:LineExtensionAmount", l.LineExtensionAmount)
		see(l.path, "/cac:Price/cbc:PriceAmount", l.price.PriceAmount)
		seeAdjustments(l.adjustments, see)
		if len(l.price.AllowanceCharges) > 0 {
			seeAdjustments(adjustmentsOf(l.price.AllowanceCharges, l.path+"/cac:Price"), see)
		}
		for i, total := range l.TaxTotals {
			see(l.path, step("/cac:TaxTotal[1]/cbc:TaxAmount", i), total.TaxAmount)
		}
	}
	seeSubtotals(d.lineSubtotals, see)
	d.strayAmounts(see, "cbc:Amount", "cbc:BaseAmount", "cbc:PriceAmount", "cbc:LineExtensionAmount",
		"cbc:TaxExclusiveAmount", "cbc:TaxInclusiveAmount", "cbc:AllowanceTotalAmount", "cbc:ChargeTotalAmount",
		"cbc:PrepaidAmount", "cbc:PayableRoundingAmount", "cbc:PayableAmount")
}

func seeAdjustments(list []adjustment, see func(within, name string, amount *ubl.Text)) {
	for _, a := range list {
		see(a.path, "/cbc:Amount", a.Amount)
		see(a.path, "/cbc:BaseAmount", a.BaseAmount)
	}
}

func seeSubtotals(list []subtotal, see func(within, name string, amount *ubl.Text)) {
	for _, s := range list {
		see(s.path, "/cbc:TaxableAmount", s.TaxableAmount)
		see(s.path, "/cbc:TaxAmount", s.TaxAmount)
	}
}

// strayAmounts calls see for the amounts in stray elements.
func (d *document) strayAmounts(see func(within, name string, amount *ubl.Text), names ...string) {
	if len(d.strays) == 0 {
		return
	}
	for _, name := range names {
		for _, s := range d.straysNamed(name) {
			see(s.path, "", &ubl.Text{Value: s.node.Text, Attrs: s.node.Attrs})
		}
	}
}

// step returns first with its [1] replaced by the index of the part. Most parts
// do not repeat, and then nothing is allocated.
func step(first string, i int) string {
	if i == 0 {
		return first
	}
	return strings.Replace(first, "[1]", "["+strconv.Itoa(i+1)+"]", 1)
}

// currencyOf returns the currency of an amount and whether it has one.
func currencyOf(amount *ubl.Text) (code string, stated bool) {
	if amount == nil {
		return "", false
	}
	for _, a := range amount.Attrs {
		if a.Name == "currencyID" {
			return a.Value, true
		}
	}
	return "", false
}
