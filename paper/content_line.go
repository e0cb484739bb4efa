package paper

import (
	"slices"
	"strconv"
	"strings"

	"khatm/codes"
	"khatm/money"
	"khatm/ubl"
)

// line is one line of the invoice.
type line struct {
	id                string
	name              phrase
	gross             string // unit price including VAT, if that is the price of the item
	details           []string
	quantity          string
	unit              phrase
	price, base       string // base is the number of units that the price is for, if not 1
	rate, category    string
	net, vat, withVAT string
}

// advance is a deducted advance payment.
type advance struct {
	number, date string
	parts        []subtotal
}

func (c *content) readLines(inv *ubl.Invoice) {
	for _, l := range inv.Lines {
		if isAdvance(l) {
			c.advances = append(c.advances, c.advance(l, l.DocumentReferences[0]))
			continue
		}
		c.lines = append(c.lines, c.line(l))
	}
	c.addAdvanceTotal(inv)
}

func (c *content) advance(l *ubl.Line, d *ubl.DocumentReference) advance {
	a := advance{number: d.ID.String(), date: d.IssueDate.String()}
	for _, t := range l.TaxTotals {
		for _, s := range t.Subtotals {
			part := c.subtotal(s)
			part.reasons = append(c.categoryInWords(part.code), part.reasons...)
			part.withVAT = c.added(s.TaxableAmount, s.TaxAmount)
			a.parts = append(a.parts, part)
		}
	}
	return a
}

// addAdvanceTotal adds the total of the deducted advances if there are several
// amounts to add.
func (c *content) addAdvanceTotal(inv *ubl.Invoice) {
	var taxable, vat []*ubl.Text
	for _, l := range inv.Lines {
		if !isAdvance(l) {
			continue
		}
		for _, t := range l.TaxTotals {
			for _, s := range t.Subtotals {
				taxable, vat = append(taxable, s.TaxableAmount), append(vat, s.TaxAmount)
			}
		}
	}
	if len(taxable) > 1 {
		c.advanceTotal = &subtotal{taxable: c.added(taxable...), vat: c.added(vat...), withVAT: c.added(slices.Concat(taxable, vat)...)}
	}
}

// added returns the sum of amounts, or "" if one of them is not a number.
func (c *content) added(amounts ...*ubl.Text) string {
	var sum money.Decimal
	for _, t := range amounts {
		n, err := money.Parse(t.String())
		if err != nil {
			return ""
		}
		sum = sum.Add(n)
	}
	return c.amountOf(amounts[0], sum.String())
}

func isAdvance(l *ubl.Line) bool {
	d := l.DocumentReferences
	return len(d) > 0 && d[0].DocumentTypeCode.String() == strconv.Itoa(codes.AdvancePayment)
}

func (c *content) line(l *ubl.Line) line {
	out := line{
		id:       l.ID.String(),
		quantity: grouped(l.InvoicedQuantity.String()),
		unit:     c.unit(l.InvoicedQuantity.Attr("unitCode")),
		net:      c.amount(l.LineExtensionAmount),
	}
	for _, t := range l.TaxTotals {
		out.vat, out.withVAT = c.amount(t.TaxAmount), c.amount(t.RoundingAmount)
	}
	if p := l.Price; p != nil {
		c.readPrice(&out, p, l.Item)
		out.details = append(out.details, c.lineAdjustments(p.AllowanceCharges)...)
	}
	if i := l.Item; i != nil {
		out.name = c.lang.quote(i.Name.String())
		out.gross = c.grossPrice(i)
		out.details = append(out.details, c.details(i)...)
		for _, t := range i.TaxCategories {
			out.category, out.rate = t.ID.String(), rateOf(t)
		}
	}
	out.details = append(out.details, c.lineAdjustments(l.AllowanceCharges)...)
	out.details = append(out.details, texts(l.Notes)...)
	out.details = append(out.details, c.categoryInWords(out.category)...)
	return out
}

// readPrice reads the price before VAT. Beside a price including VAT, it is the
// price of one unit instead of the base quantity.
func (c *content) readPrice(out *line, p *ubl.Price, item *ubl.Item) {
	out.price = c.amount(p.PriceAmount)
	if p.BaseQuantity == nil || p.BaseQuantity.String() == "1" {
		return
	}
	price, err1 := money.Parse(p.PriceAmount.String())
	base, err2 := money.Parse(p.BaseQuantity.String())
	if err1 != nil || err2 != nil || base.Sign() <= 0 || !hasGrossPrice(item) {
		out.base = grouped(p.BaseQuantity.String())
		return
	}
	out.price = priced(price.Quo(base, unitPricePlaces).String())
}

// unitPricePlaces is the maximum number of decimals of a price before VAT that is
// printed beside a price including VAT.
const unitPricePlaces = 6

// hasGrossPrice reports whether the properties of an item contain its price
// including VAT.
func hasGrossPrice(item *ubl.Item) bool {
	return item != nil && slices.ContainsFunc(item.Properties, isGrossPrice)
}

func isGrossPrice(p *ubl.ItemProperty) bool { return p.Name.String() == codes.PriceIncludingVAT }

// grossPrice returns the unit price including VAT, or "".
func (c *content) grossPrice(item *ubl.Item) string {
	for _, p := range item.Properties {
		if isGrossPrice(p) {
			return c.amount(p.Value)
		}
	}
	return ""
}

// noRate is printed instead of a rate if a supply has none.
const noRate = "–"

// rateOf returns the VAT rate of a category. Supplies that are exempt or out of scope
// have no rate, although the document contains zero.
func rateOf(t *ubl.TaxCategory) string {
	switch t.ID.String() {
	case codes.Exempt, codes.NotSubjectToVAT:
		return noRate
	}
	return percent(t.Percent.String())
}

// categoryInWords returns the name of a VAT category in which no VAT is charged.
func (c *content) categoryInWords(code string) []string {
	key, found := map[string]string{
		codes.ZeroRated: "zero_rated", codes.Exempt: "exempt", codes.NotSubjectToVAT: "out_of_scope",
	}[code]
	if !found {
		return nil
	}
	name := c.lang.word(key)
	return []string{join(" / ", name.main, name.other)}
}

// details returns the descriptions, identifiers and properties of an item.
func (c *content) details(i *ubl.Item) []string {
	all := texts(i.Descriptions)
	for _, id := range []*ubl.Identification{i.SellersIdentification, i.BuyersIdentification, i.StandardIdentification} {
		if id != nil && id.ID.String() != "" {
			all = append(all, c.lang.word("item_code").labelling(id.ID.String()))
		}
	}
	for _, p := range i.Properties {
		if isGrossPrice(p) {
			continue
		}
		all = append(all, join(": ", isolated(p.Name.String()), isolated(p.Value.String())))
	}
	return all
}

// lineAdjustments returns the discounts and charges of a line or a price.
func (c *content) lineAdjustments(list []*ubl.AllowanceCharge) []string {
	var all []string
	for _, a := range list {
		adjustment := c.adjustment(a)
		text := adjustment.kind.labelling(adjustment.amount)
		if len(adjustment.reasons) > 0 {
			for i, reason := range adjustment.reasons {
				adjustment.reasons[i] = isolated(reason)
			}
			text += " (" + strings.Join(adjustment.reasons, " / ") + ")"
		}
		all = append(all, text)
	}
	return all
}

// unit returns the name of a unit of measure, or its code if it is unknown.
func (c *content) unit(code string) phrase {
	if entry, found := codes.FindUnit(code); found {
		return c.lang.say(entry.EN, entry.AR)
	}
	return phrase{main: code}
}
