package tools

import (
	"strconv"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/ubl"
)

// totalsIn returns the totals that a document states.
func totalsIn(inv *ubl.Invoice) invoiceTotals {
	var out invoiceTotals
	if m := inv.MonetaryTotal; m != nil {
		out = invoiceTotals{
			LineTotal:      stated(m.LineExtensionAmount),
			AllowanceTotal: stated(m.AllowanceTotalAmount),
			WithoutVAT:     stated(m.TaxExclusiveAmount),
			WithVAT:        stated(m.TaxInclusiveAmount),
			Prepaid:        stated(m.PrepaidAmount),
			Rounding:       stated(m.PayableRoundingAmount),
			Payable:        stated(m.PayableAmount),
		}
	}
	// The VAT is stated twice: in SAR without a breakdown, and in the currency of
	// the document with one.
	for _, t := range inv.TaxTotals {
		if len(t.Subtotals) == 0 && out.VATInSAR == nil && t.TaxAmount.Attr("currencyID") == codes.Riyal {
			out.VATInSAR = stated(t.TaxAmount)
			continue
		}
		if out.VAT == nil {
			out.VAT = stated(t.TaxAmount)
		}
		for _, s := range t.Subtotals {
			out.Breakdown = append(out.Breakdown, subtotalIn(s))
		}
	}
	return out
}

// rateOf returns the exchange rate of facts, or nil if they have none.
func rateOf(f invoice.Facts) *money.Decimal {
	if f.ExchangeRate.Sign() <= 0 {
		return nil
	}
	return &f.ExchangeRate
}

func subtotalIn(s *ubl.TaxSubtotal) invoiceSubtotal {
	out := invoiceSubtotal{Taxable: number(s.TaxableAmount), Amount: number(s.TaxAmount)}
	c := s.TaxCategory
	if c == nil {
		return out
	}
	rate := number(c.Percent)
	out.invoiceTax = invoiceTax{Category: c.ID.String(), Rate: &rate, ReasonCode: c.TaxExemptionReasonCode.String()}
	if len(c.TaxExemptionReasons) > 0 {
		out.ReasonText = c.TaxExemptionReasons[0].Value
	}
	return out
}

// number returns an amount that a document states, or zero.
func number(t *ubl.Text) (d money.Decimal) {
	give(&d, stated(t))
	return d
}

// goods returns the lines for goods and services. Lines that deduct an advance
// payment are not lines of the facts.
func goods(lines []*ubl.Line) []*ubl.Line {
	var out []*ubl.Line
	for _, l := range lines {
		refs := l.DocumentReferences
		if len(refs) > 0 && refs[0].DocumentTypeCode.String() == strconv.Itoa(int(invoice.AdvancePayment)) {
			continue
		}
		out = append(out, l)
	}
	return out
}
