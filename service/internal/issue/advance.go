package issue

import (
	"maps"
	"slices"
	"time"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// remaining returns what is left of an advance by VAT category, rate and reason:
// its breakdown less its credit notes and its deductions.
func (e Earlier) remaining() []invoice.Subtotal {
	if e.Spent {
		return nil
	}
	var rows []invoice.Subtotal
	for _, b := range e.Breakdown {
		taxable, vat := b.Taxable, b.VAT
		for _, taken := range [][]ledger.Subtotal{e.CreditedRows, e.DeductedRows} {
			for _, t := range taken {
				if t.Category == b.Category && t.Rate.Equal(b.Rate) && t.ReasonCode == b.ReasonCode && t.ReasonText == b.ReasonText {
					taxable, vat = taxable.Sub(t.Taxable), vat.Sub(t.VAT)
				}
			}
		}
		if taxable.Sign() > 0 {
			tax := invoice.Tax{Category: b.Category, Rate: b.Rate, ReasonCode: b.ReasonCode, ReasonText: b.ReasonText}
			rows = append(rows, invoice.Subtotal{Tax: tax, Taxable: taxable, Amount: vat})
		}
	}
	return rows
}

// cent is the smallest amount of money.
var cent = money.MustParse("0.01")

// advanceCreditLeft refuses a credit above what is left of the advance in any
// VAT category, because advances are deducted by category.
func (p *prepared) advanceCreditLeft(advance Earlier) error {
	for _, s := range p.document.Breakdown {
		left := invoice.Subtotal{}
		for _, r := range advance.remaining() {
			if r.Category == s.Category && r.Rate.Equal(s.Rate) && r.ReasonCode == s.ReasonCode && r.ReasonText == s.ReasonText {
				left = r
			}
		}
		if left.Taxable.Less(s.Taxable) {
			return advanceExceeded.refuse(s.Taxable.Fixed2(), s.Category, s.Rate.String(), left.Taxable.Fixed2(), advance.Number)
		}
		// The VAT of a credit note is rounded, and so is that of the advance.
		// What remains must be deductible within the tolerance of BR-KSA-79.
		rest := left.Taxable.Sub(s.Taxable).Percent(s.Rate).Round2().Sub(cent)
		if rest.Sign() < 0 {
			rest = money.Decimal{}
		}
		if left.Amount.Sub(s.Amount).Less(rest) {
			return advanceVATExceeded.refuse(s.Amount.Fixed2(), s.Category, s.Rate.String(), left.Amount.Fixed2(), advance.Number)
		}
	}
	return nil
}

// refresh computes the document again if what is left of an advance has changed
// since, so that concurrent invoices can deduct the same advance. If it returns an
// error, p is unchanged: a retried transaction must compute the document again.
func (i *Issuer) refresh(p *prepared, state *State, now time.Time) error {
	next := *p
	next.earlier = maps.Clone(p.earlier)
	changed := false
	for _, id := range p.Prepaid {
		if current := state.Earlier[id]; !equalRows(current.remaining(), p.earlier[id].remaining()) {
			next.earlier[id], changed = current, true
		}
	}
	if !changed {
		return nil
	}
	if err := advancesWrong(&next, now); err != nil {
		return err
	}
	if err := i.compute(&next, now); err != nil {
		return err
	}
	if p.refuses != nil {
		if err := p.refuses(next.record); err != nil {
			return err
		}
	}
	*p = next
	return nil
}

// deductionsLeft returns an error if the document deducts more than is left of an
// advance. After refresh it never does.
func (p *prepared) deductionsLeft(state *State) error {
	for _, d := range p.deductions() {
		left := state.Earlier[d.Advance].remaining()
		for _, row := range d.Rows {
			if !slices.ContainsFunc(left, func(s invoice.Subtotal) bool { return covers(s, row) }) {
				return unwritten(fault.NotIssued, "The advance payments of this invoice have changed. Nothing was written. Try again.")
			}
		}
	}
	return nil
}

// covers reports whether what is left of an advance includes a deduction.
func covers(left invoice.Subtotal, d ledger.Subtotal) bool {
	same := left.Category == d.Category && left.Rate.Equal(d.Rate) && left.ReasonCode == d.ReasonCode && left.ReasonText == d.ReasonText
	return same && !left.Taxable.Less(d.Taxable) && !left.Amount.Less(d.VAT)
}

// equalRows reports whether two remainders of one advance are equal.
func equalRows(a, b []invoice.Subtotal) bool {
	if len(a) != len(b) {
		return false
	}
	for n := range a {
		if !a[n].Taxable.Equal(b[n].Taxable) || !a[n].Amount.Equal(b[n].Amount) || rateOf(a[n].Tax) != rateOf(b[n].Tax) ||
			a[n].ReasonCode != b[n].ReasonCode || a[n].ReasonText != b[n].ReasonText {
			return false
		}
	}
	return true
}

// deductions returns what the document deducts from each advance.
func (p *prepared) deductions() []Deduction {
	var all []Deduction
	for n, id := range p.Prepaid {
		all = append(all, Deduction{Advance: id, Rows: p.record.Advances[n].Rows})
	}
	return all
}
