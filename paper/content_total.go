package paper

import (
	"khatm/codes"
	"khatm/ubl"
)

// adjustment is a discount or a charge on the whole document.
type adjustment struct {
	kind    phrase
	reasons []string
	rate    string
	amount  string
}

// subtotal is one row of the VAT breakdown.
type subtotal struct {
	category     phrase
	code         string
	reasons      []string
	rate         string
	taxable, vat string
	withVAT      string // of a deducted advance
}

// total is one row of the totals.
type total struct {
	label phrase
	sum   string
}

func (c *content) readAdjustments(inv *ubl.Invoice) {
	for _, a := range inv.AllowanceCharges {
		out := c.adjustment(a)
		if a.Amount != nil && a.ChargeIndicator.String() != "true" {
			out.amount = c.amountOf(a.Amount, negated(a.Amount.String()))
		}
		c.adjustments = append(c.adjustments, out)
	}
}

func (c *content) adjustment(a *ubl.AllowanceCharge) adjustment {
	out := adjustment{kind: c.lang.word("discount"), amount: c.amount(a.Amount)}
	find := codes.FindAllowanceReason
	if a.ChargeIndicator.String() == "true" {
		out.kind, find = c.lang.word("charge"), codes.FindChargeReason
	}
	entry, _ := find(a.ReasonCode.String())
	if entry.Code == codes.Discount {
		entry = codes.Entry{} // its text would only repeat "discount"
	}
	out.reasons = c.lang.explain(entry.EN, entry.AR, texts(a.Reasons)...)
	if a.MultiplierFactorNumeric != nil && a.BaseAmount != nil {
		out.reasons = append(out.reasons, percent(a.MultiplierFactorNumeric.String())+" × "+c.amount(a.BaseAmount))
	}
	for _, t := range a.TaxCategories {
		out.rate = join(" ", out.rate, rateOf(t))
		out.reasons = append(out.reasons, c.categoryInWords(t.ID.String())...)
	}
	return out
}

func (c *content) subtotal(s *ubl.TaxSubtotal) subtotal {
	out := subtotal{taxable: c.amount(s.TaxableAmount), vat: c.amount(s.TaxAmount)}
	t := s.TaxCategory
	if t == nil {
		return out
	}
	out.code, out.rate = t.ID.String(), rateOf(t)
	if category, found := codes.FindCategory(out.code); found {
		out.category = c.lang.say(category.EN, category.AR)
	}
	if out.code == codes.ZeroRated {
		out.category = c.lang.word("zero_rated_supplies") // the code list says goods in English
	}
	reason, _ := codes.FindReason(t.TaxExemptionReasonCode.String())
	if category, found := codes.FindCategory(out.code); found && category.FreeText {
		reason.EN, reason.AR = "", "" // the taxpayer writes the text
	}
	out.reasons = c.lang.explain(reason.EN, reason.AR, texts(t.TaxExemptionReasons)...)
	if code := t.TaxExemptionReasonCode.String(); code != "" {
		if len(out.reasons) == 0 {
			out.reasons = []string{""}
		}
		out.reasons[0] = join(" – ", isolated(code), out.reasons[0])
	}
	return out
}

// readTotals reads the VAT breakdown and the totals, down to the amount due.
func (c *content) readTotals(inv *ubl.Invoice, note bool) {
	for _, t := range inv.TaxTotals {
		for _, s := range t.Subtotals {
			c.breakdown = append(c.breakdown, c.subtotal(s))
		}
	}
	m := inv.MonetaryTotal
	if m == nil {
		m = &ubl.MonetaryTotal{}
	}
	if m.AllowanceTotalAmount != nil || m.ChargeTotalAmount != nil {
		c.addTotal("lines_total", m.LineExtensionAmount)
		c.deduct("discounts_total", m.AllowanceTotalAmount)
		c.addTotal("charges_total", m.ChargeTotalAmount)
	}
	c.addTotal("total_excluding_vat", m.TaxExclusiveAmount)
	c.readTaxTotals(inv.TaxTotals)
	c.addTotal("total_including_vat", m.TaxInclusiveAmount)
	c.deduct("prepaid", m.PrepaidAmount)
	c.addTotal("rounding", m.PayableRoundingAmount)
	if m.PayableAmount != nil {
		key := "amount_due"
		if note {
			key = "note_total"
		}
		c.due = total{c.lang.word(key), c.sum(m.PayableAmount)}
	}
}

// readTaxTotals adds the VAT in the currency of the document, and the VAT in
// riyals below it if that is another currency. A document in riyals contains the
// VAT twice; it is added once.
func (c *content) readTaxTotals(totals []*ubl.TaxTotal) {
	seen := map[string]bool{}
	for _, own := range []bool{true, false} {
		for _, t := range totals {
			code := t.TaxAmount.Attr("currencyID")
			if code == "" {
				code = c.currency
			}
			if t.TaxAmount == nil || (code == c.currency) != own || seen[code] {
				continue
			}
			seen[code] = true
			key := "vat_total"
			if !own && code == codes.Riyal {
				key = "vat_total_sar"
			}
			c.addTotal(key, t.TaxAmount)
		}
	}
}

func (c *content) addTotal(key string, t *ubl.Text) {
	if t != nil {
		c.totals = append(c.totals, total{c.lang.word(key), c.sum(t)})
	}
}

// deduct adds an amount that is deducted.
func (c *content) deduct(key string, t *ubl.Text) {
	if t != nil {
		c.totals = append(c.totals, total{c.lang.word(key), c.deducted(t)})
	}
}
