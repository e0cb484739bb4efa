package invoice

import (
	"strconv"

	"khatm/codes"
	"khatm/money"
	"khatm/ubl"
)

func (d *Document) addLines(inv *ubl.Invoice) {
	inv.Lines = make([]*ubl.Line, 0, len(d.Lines)+len(d.Advances))
	for i, l := range d.Lines {
		inv.Lines = append(inv.Lines, d.line(i+1, l, d.Amounts[i]))
	}
	if len(d.Advances) == 0 {
		return
	}
	own := make(map[string]bool, len(d.Breakdown))
	for _, s := range d.Breakdown {
		own[s.Category] = true
	}
	for _, a := range d.Advances {
		inv.Lines = append(inv.Lines, d.advanceLine(len(inv.Lines)+1, a, own))
	}
}

// lineParts holds the parts that every line has. Allocating them together is faster
// than allocating each.
type lineParts struct {
	line       ubl.Line
	totals     [1]*ubl.TaxTotal
	total      ubl.TaxTotal
	item       ubl.Item
	categories [1]*ubl.TaxCategory
	category   ubl.TaxCategory
	scheme     ubl.Identification
	price      ubl.Price

	leaves     [10]ubl.Text
	attributes [5]ubl.Attr
	// numbers of leaves and attributes in use
	leafCount, attributeCount int
}

// leaf returns an element with the text.
func (p *lineParts) leaf(text string) *ubl.Text {
	t := &p.leaves[p.leafCount]
	p.leafCount++
	t.Value = text
	return t
}

// attributed is like the function of the same name.
func (p *lineParts) attributed(text, name, value string) *ubl.Text {
	t := p.leaf(text)
	if value != "" {
		n := p.attributeCount
		p.attributeCount++
		p.attributes[n] = ubl.Attr{Name: name, Value: value}
		t.Attrs = p.attributes[n : n+1 : n+1]
	}
	return t
}

// optional is like the function of the same name.
func (p *lineParts) optional(text string) *ubl.Text {
	if text == "" {
		return nil
	}
	return p.leaf(text)
}

func (d *Document) line(number int, l Line, amounts LineAmounts) *ubl.Line {
	p := &lineParts{}
	amount := func(a money.Decimal) *ubl.Text { return p.attributed(twoPlaces(a), "currencyID", d.Currency) }
	p.total = ubl.TaxTotal{TaxAmount: amount(amounts.VAT), RoundingAmount: amount(amounts.Total)}
	p.totals[0] = &p.total
	p.scheme = ubl.Identification{ID: p.leaf(vatScheme)}
	p.category = ubl.TaxCategory{ID: p.optional(l.Tax.Category), Percent: p.leaf(twoPlaces(l.Tax.Rate)), TaxScheme: &p.scheme}
	p.categories[0] = &p.category
	p.item = ubl.Item{Name: p.optional(l.Name), TaxCategories: p.categories[:]}
	price, base := l.written()
	p.price = ubl.Price{PriceAmount: amount(price)}
	if !base.Equal(money.FromInt(1)) {
		p.price.BaseQuantity = attributed(base.String(), "unitCode", l.Unit)
	}
	if !l.GrossPrice.IsZero() {
		// UBL has no element for a price including VAT.
		p.item.Properties = []*ubl.ItemProperty{{Name: ubl.NewText(codes.PriceIncludingVAT), Value: ubl.NewText(twoPlaces(l.GrossPrice))}}
	}
	p.line = ubl.Line{
		ID:                  p.leaf(strconv.Itoa(number)),
		InvoicedQuantity:    p.attributed(l.Quantity.String(), "unitCode", l.Unit),
		LineExtensionAmount: amount(amounts.Net),
		TaxTotals:           p.totals[:],
		Item:                &p.item,
		Price:               &p.price,
	}
	return &p.line
}

// advanceLine returns the line that deducts an advance. Its own amounts are
// zero; it refers to the advance and repeats its VAT breakdown. own is the set
// of VAT categories in the breakdown of the document.
func (d *Document) advanceLine(number int, a Advance, own map[string]bool) *ubl.Line {
	zero := money.Decimal{}
	total := &ubl.TaxTotal{TaxAmount: d.amount(zero), RoundingAmount: d.amount(zero)}
	for _, s := range a.Breakdown {
		total.Subtotals = append(total.Subtotals, d.subtotal(s))
	}
	return &ubl.Line{
		ID: ubl.NewText(strconv.Itoa(number)),
		// BR-22 rejects the text 0, but not 0.00.
		InvoicedQuantity:    ubl.NewText("0.00", "unitCode", "PCE"),
		LineExtensionAmount: d.amount(zero),
		DocumentReferences: []*ubl.DocumentReference{{
			ID:               optional(a.Number),
			UUID:             optional(a.UUID),
			IssueDate:        optional(a.IssueDate),
			IssueTime:        optional(a.IssueTime),
			DocumentTypeCode: ubl.NewText(strconv.Itoa(int(AdvancePayment))),
		}},
		TaxTotals: []*ubl.TaxTotal{total},
		Item: &ubl.Item{
			Name:          ubl.NewText(advanceName(a)),
			TaxCategories: []*ubl.TaxCategory{d.advanceTax(a, own).ubl(false)},
		},
		Price: &ubl.Price{PriceAmount: d.amount(zero)},
	}
}

// advanceName returns the item name of the line that deducts an advance.
func advanceName(a Advance) string { return "دفعة مقدمة " + a.Number + " | Advance payment" }

// advanceTax returns the tax category of the line that deducts an advance. It
// must be one of the document's own breakdown (BR-S-01, BR-Z-01, …), and the
// category of the advance may be missing there.
func (d *Document) advanceTax(a Advance, own map[string]bool) Tax {
	for _, s := range a.Breakdown {
		if own[s.Category] {
			return s.Tax
		}
	}
	if len(d.Breakdown) == 0 { // no lines: only ComputeUnchecked returns such a document
		return Tax{}
	}
	return d.Breakdown[0].Tax
}
