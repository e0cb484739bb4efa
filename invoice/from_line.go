package invoice

import (
	"strconv"

	"khatm/codes"
	"khatm/money"
	"khatm/ubl"
)

// lines reads lines and advances, and adds to each line the exemption reason
// from the breakdown of the document.
func (r *reading) lines(f *Facts, inv *ubl.Invoice) {
	places := make([]string, 0, len(inv.Lines)) // paths of the lines that are not advances
	for i, l := range inv.Lines {
		path := step("/Invoice", "cac:InvoiceLine", i)
		if l.ID.String() != strconv.Itoa(i+1) {
			r.problems.add(path+"/cbc:ID", "must be %d: lines are numbered from 1", i+1)
		}
		if isAdvance(l) {
			f.Advances = append(f.Advances, r.advance(path, l))
			continue
		}
		if len(f.Advances) > 0 {
			r.problems.add(path, "follows a line that deducts an advance; such lines must be last")
		}
		f.Lines = append(f.Lines, r.line(path, l))
		places = append(places, path)
	}
	r.reasons(f, inv.TaxTotals, places)
}

// isAdvance reports whether a line deducts an advance payment invoice.
func isAdvance(l *ubl.Line) bool {
	return len(l.DocumentReferences) > 0 &&
		l.DocumentReferences[0].DocumentTypeCode.String() == strconv.Itoa(int(AdvancePayment))
}

func (r *reading) line(path string, l *ubl.Line) Line {
	line := Line{
		Quantity: r.decimal(path+"/cbc:InvoicedQuantity", l.InvoicedQuantity),
		Unit:     l.InvoicedQuantity.Attr("unitCode"),
	}
	r.unsupported(path, l.Rest,
		element{"cbc:Note", len(l.Notes) > 0},
		element{"cac:DocumentReference", len(l.DocumentReferences) > 0},
		element{"cac:AllowanceCharge", len(l.AllowanceCharges) > 0},
		element{"cac:TaxTotal/cac:TaxSubtotal", len(subtotals(l.TaxTotals)) > 0})
	line.Name, line.Tax = r.item(path+"/cac:Item", l.Item)
	r.price(path, &line, l)
	return line
}

// price reads the price of a line, and the properties of its item, of which the
// price including VAT is the only one that Facts supports.
func (r *reading) price(path string, line *Line, l *ubl.Line) {
	var price ubl.Price
	if l.Price != nil {
		price = *l.Price
	}
	stated := r.amount(path+"/cac:Price/cbc:PriceAmount", price.PriceAmount)
	ours := line.takeGrossPrice(l.Item, price, stated)
	if !ours {
		line.Price = stated
	}
	r.unsupported(path, ubl.Rest{}, element{"cac:Item/cac:AdditionalItemProperty", !ours && l.Item != nil && len(l.Item.Properties) > 0})
	r.unsupported(path+"/cac:Price", price.Rest,
		element{"cbc:BaseQuantity", !ours && price.BaseQuantity != nil},
		element{"cac:AllowanceCharge", len(price.AllowanceCharges) > 0})
}

// takeGrossPrice sets the price including VAT from the only property of the
// item. It returns false if there is no such price, or if the price of the
// document is not the one that [Document.UBL] writes for it.
func (l *Line) takeGrossPrice(item *ubl.Item, price ubl.Price, stated money.Decimal) bool {
	if item == nil || len(item.Properties) != 1 {
		return false
	}
	property := item.Properties[0]
	gross, err := money.Parse(property.Value.String())
	if err != nil || property.Name.String() != codes.PriceIncludingVAT || gross.Sign() <= 0 || len(property.Rest.Unmodelled) > 0 {
		return false
	}
	with := *l
	with.GrossPrice = gross
	base := money.FromInt(1)
	if b := price.BaseQuantity; b != nil {
		base, err = money.Parse(b.Value)
		if err != nil || base.Equal(money.FromInt(1)) || b.Attr("unitCode") != l.Unit {
			return false
		}
	}
	if wantPrice, wantBase := with.written(); !stated.Equal(wantPrice) || !base.Equal(wantBase) {
		return false
	}
	*l = with
	return true
}

func (r *reading) item(path string, item *ubl.Item) (string, Tax) {
	if item == nil {
		return "", Tax{}
	}
	r.unsupported(path, item.Rest,
		element{"cbc:Description", len(item.Descriptions) > 0},
		element{"cac:BuyersItemIdentification", item.BuyersIdentification != nil},
		element{"cac:SellersItemIdentification", item.SellersIdentification != nil},
		element{"cac:StandardItemIdentification", item.StandardIdentification != nil})
	return item.Name.String(), r.tax(path, "cac:ClassifiedTaxCategory", item.TaxCategories)
}

// advance reads a line that deducts an advance. The quantity, price and amount
// of the line itself must be zero.
func (r *reading) advance(path string, l *ubl.Line) Advance {
	for i, ref := range l.DocumentReferences {
		at := step(path, "cac:DocumentReference", i)
		if i > 0 {
			r.problems.add(at, "is a second advance on one line")
		}
		r.reference(at, ref)
	}
	ref := l.DocumentReferences[0]
	a := Advance{
		Number:    ref.ID.String(),
		UUID:      ref.UUID.String(),
		IssueDate: ref.IssueDate.String(),
		IssueTime: ref.IssueTime.String(),
	}
	for i, s := range subtotals(l.TaxTotals) {
		a.Breakdown = append(a.Breakdown, r.subtotal(step(path+"/cac:TaxTotal", "cac:TaxSubtotal", i), s))
	}
	r.mustBeZero(path+"/cbc:InvoicedQuantity", l.InvoicedQuantity)
	r.mustBeZero(path+"/cbc:LineExtensionAmount", l.LineExtensionAmount)
	if l.Price != nil {
		r.mustBeZero(path+"/cac:Price/cbc:PriceAmount", l.Price.PriceAmount)
	}
	name, _ := r.item(path+"/cac:Item", l.Item)
	r.unsupported(path, l.Rest,
		element{"cbc:Note", len(l.Notes) > 0},
		element{"cac:AllowanceCharge", len(l.AllowanceCharges) > 0},
		element{"cac:Item/cac:AdditionalItemProperty", l.Item != nil && len(l.Item.Properties) > 0},
		element{"cac:Item/cbc:Name", name != advanceName(a)})
	return a
}

// mustBeZero reports a number other than zero.
func (r *reading) mustBeZero(path string, t *ubl.Text) {
	if !r.decimal(path, t).IsZero() {
		r.problems.add(path, "must be zero on a line that deducts an advance")
	}
}

// subtotals returns the subtotals of all tax totals of a document or a line.
func subtotals(totals []*ubl.TaxTotal) []*ubl.TaxSubtotal {
	var all []*ubl.TaxSubtotal
	for _, t := range totals {
		all = append(all, t.Subtotals...)
	}
	return all
}

func (r *reading) subtotal(path string, s *ubl.TaxSubtotal) Subtotal {
	r.unsupported(path, s.Rest)
	var categories []*ubl.TaxCategory
	if s.TaxCategory != nil {
		categories = append(categories, s.TaxCategory)
	}
	return Subtotal{
		Tax:     r.tax(path, "cac:TaxCategory", categories),
		Taxable: r.amount(path+"/cbc:TaxableAmount", s.TaxableAmount),
		Amount:  r.amount(path+"/cbc:TaxAmount", s.TaxAmount),
	}
}

// tax reads the VAT category of a line, a discount or a subtotal.
func (r *reading) tax(path, name string, all []*ubl.TaxCategory) Tax {
	path += "/" + name
	if len(all) != 1 {
		r.problems.add(path, "occurs %d times, must occur once", len(all))
	}
	if len(all) == 0 {
		return Tax{}
	}
	c := all[0]
	r.scheme(path, c.TaxScheme)
	r.unsupported(path, c.Rest)
	return Tax{
		Category:   c.ID.String(),
		Rate:       r.decimal(path+"/cbc:Percent", c.Percent),
		ReasonCode: c.TaxExemptionReasonCode.String(),
		ReasonText: r.single(path+"/cbc:TaxExemptionReason", c.TaxExemptionReasons),
	}
}
