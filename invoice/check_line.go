package invoice

import (
	"khatm/codes"
	"khatm/money"
)

// Limits of amounts, the same as in the API of the service.
var (
	priceLimit  = money.FromInt(1_000_000_000)
	amountLimit = money.FromInt(10_000_000_000_000)
	hundred     = money.FromInt(100)
	cent        = money.MustParse("0.01")
)

func (f *Facts) checkLines(ps *Problems) {
	switch {
	case len(f.Lines) == 0:
		ps.add("lines", "must have at least one line")
	case len(f.Lines) > MaxLines:
		ps.add("lines", "must have at most %d lines", MaxLines)
		return
	}
	for i, l := range f.Lines {
		// Building the paths is slow, so it is done for invalid lines only.
		var found Problems
		f.checkLine(&found, "", l)
		if len(found) > 0 {
			f.checkLine(ps, at("lines", i, "")+".", l)
		}
	}
}

func (f *Facts) checkLine(ps *Problems, place string, l Line) {
	ps.requireText(place+"item_name", l.Name)
	ps.amount(place+"item_net_price", l.Price, priceLimit)
	ps.amount(place+"item_gross_price", l.GrossPrice, priceLimit)
	switch {
	case l.Price.IsZero() && l.GrossPrice.IsZero():
		ps.add(place+"item_net_price", "must be greater than zero")
	case !l.Price.IsZero() && !l.GrossPrice.IsZero():
		ps.add(place+"item_gross_price", "must not be sent together with item_net_price")
	}
	if l.Quantity.Sign() <= 0 {
		ps.add(place+"invoiced_quantity", "must be greater than zero")
	}
	if l.Quantity.Places() > maxQuantity {
		ps.add(place+"invoiced_quantity", "must have at most %d decimals: rounding it would change an amount", maxQuantity)
	}
	if !l.Price.Add(l.GrossPrice).Mul(l.Quantity).Less(amountLimit) {
		ps.add(place+"invoiced_quantity", "times the price must stay below %s", amountLimit)
	}
	ps.requireText(place+"invoiced_quantity_unit_of_measure", l.Unit)
	ps.tax(place, l.Tax, true)
	if f.Transaction.Export && !exported(l.Tax) {
		ps.add(place+"vat_exemption_reason_code", "every line of an export must be category Z with VATEX-SA-32 or VATEX-SA-33")
	}
}

// exported reports whether the reason is the export of goods or services.
func exported(t Tax) bool {
	return t.Category == codes.ZeroRated && (t.ReasonCode == codes.ExportOfGoods || t.ReasonCode == codes.ExportOfServices)
}

// amount reports an amount that is negative, has more than two decimals or
// reaches the limit.
func (ps *Problems) amount(path string, d, limit money.Decimal) {
	switch {
	case d.Sign() < 0:
		ps.add(path, "must not be negative")
	case d.Places() > 2:
		ps.add(path, "must have at most two decimals")
	case !d.Less(limit):
		ps.add(path, "must be below %s", limit)
	}
}

// tax reports an unknown category, a rate that the category does not allow and,
// if reasoned is true, a missing or wrong exemption reason.
func (ps *Problems) tax(place string, t Tax, reasoned bool) {
	category, known := codes.FindCategory(t.Category)
	if !known {
		ps.add(place+"vat_category_code", "must be S, Z, E or O")
		return
	}
	switch {
	case category.NeedsReason() && !t.Rate.IsZero():
		ps.add(place+"vat_rate", "must be 0 in category %s", t.Category)
	case !category.NeedsReason() && (t.Rate.Sign() <= 0 || hundred.Less(t.Rate)):
		ps.add(place+"vat_rate", "must be greater than 0 and at most 100 in category S")
	}
	if !reasoned {
		return
	}
	if !category.NeedsReason() {
		if t.ReasonCode != "" || t.ReasonText != "" {
			ps.add(place+"vat_exemption_reason_code", "must be empty in category S")
		}
		return
	}
	if reason, known := codes.FindReason(t.ReasonCode); !known || reason.Category != t.Category {
		ps.add(place+"vat_exemption_reason_code", "must be a reason code of category %s", t.Category)
	}
	ps.requireText(place+"vat_exemption_reason_text", t.ReasonText)
}

func (f *Facts) checkAllowances(ps *Problems) {
	const list = "document_level_allowances"
	if len(f.Allowances) > MaxLines {
		ps.add(list, "must have at most %d entries", MaxLines)
		return
	}
	for i, a := range f.Allowances {
		ps.amount(at(list, i, "allowance_amount"), a.Amount, amountLimit)
		if a.ReasonCode != "" {
			if _, known := codes.FindAllowanceReason(a.ReasonCode); !known {
				ps.add(at(list, i, "reason_code"), "must be an allowance reason code, such as 95 (discount)")
			}
		}
		ps.text(at(list, i, "reason"), a.Reason)
		ps.tax(at(list, i, "")+".", Tax{Category: a.Category, Rate: a.Rate}, false)
	}
}

func (f *Facts) checkAdvances(ps *Problems) {
	const list = "prepaid_invoices"
	if len(f.Advances) == 0 {
		return
	}
	if f.Kind != TaxInvoice {
		ps.add(list, "advances can be deducted from a tax invoice only")
	}
	if len(f.Lines)+len(f.Advances) > MaxLines {
		ps.add(list, "lines and advances together must be at most %d", MaxLines)
		return
	}
	seen := make(map[string]bool, len(f.Advances))
	for i, a := range f.Advances {
		ps.requireText(at(list, i, "ref_num"), a.Number)
		if seen[a.Number] {
			ps.add(at(list, i, "ref_num"), "advance %s is deducted twice", a.Number)
		}
		seen[a.Number] = true
		ps.text(at(list, i, "uuid"), a.UUID)
		ps.date(at(list, i, "issue_date"), a.IssueDate, true)
		ps.timeOfDay(at(list, i, "issue_time"), a.IssueTime)
		if len(a.Breakdown) == 0 || len(a.Breakdown) > maxFew {
			ps.add(at(list, i, "vat_breakdown"), "must have 1 to %d entries", maxFew)
			continue
		}
		for j, s := range a.Breakdown {
			ps.subtotal(at(at(list, i, "vat_breakdown"), j, ""), s)
		}
	}
}

// subtotal reports a row of an advance that is zero or whose VAT does not match
// its taxable amount. A difference of one cent is allowed: the rest of a partly
// credited advance is a difference of two rounded amounts.
func (ps *Problems) subtotal(path string, s Subtotal) {
	ps.tax(path+".", s.Tax, true)
	ps.amount(path+".vat_category_taxable_amount", s.Taxable, amountLimit)
	ps.amount(path+".vat_category_tax_amount", s.Amount, amountLimit)
	if s.Taxable.IsZero() {
		ps.add(path+".vat_category_taxable_amount", "must be greater than zero")
	}
	want := s.Taxable.Percent(s.Rate).Round2()
	if off := s.Amount.Sub(want).Abs(); cent.Less(off) || s.Rate.IsZero() && !off.IsZero() {
		ps.add(path+".vat_category_tax_amount", "is %s, but %s percent of %s is %s", s.Amount.Fixed2(), s.Rate, s.Taxable.Fixed2(), want.Fixed2())
	}
}
