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
		amounts := d.Amounts[i]
		line := &ubl.Line{
			ID:                  ubl.NewText(strconv.Itoa(i + 1)),
			InvoicedQuantity:    attributed(l.Quantity.String(), "unitCode", l.Unit),
			LineExtensionAmount: d.amount(amounts.Net),
			TaxTotals: []*ubl.TaxTotal{{
				TaxAmount:      d.amount(amounts.VAT),
				RoundingAmount: d.amount(amounts.Total),
			}},
			Item: &ubl.Item{
				Name:          optional(l.Name),
				TaxCategories: []*ubl.TaxCategory{l.Tax.ubl(false)},
			},
		}
		d.addPrice(line, l)
		inv.Lines = append(inv.Lines, line)
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

// addPrice adds the price to a line. UBL has no element for a price including
// VAT, so that price is a property of the item.
func (d *Document) addPrice(line *ubl.Line, l Line) {
	price, base := l.written()
	line.Price = &ubl.Price{PriceAmount: d.amount(price)}
	if !base.Equal(money.FromInt(1)) {
		line.Price.BaseQuantity = attributed(base.String(), "unitCode", l.Unit)
	}
	if !l.GrossPrice.IsZero() {
		line.Item.Properties = []*ubl.ItemProperty{{Name: ubl.NewText(codes.PriceIncludingVAT), Value: ubl.NewText(twoPlaces(l.GrossPrice))}}
	}
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
