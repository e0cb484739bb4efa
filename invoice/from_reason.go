package invoice

import (
	"khatm/money"
	"khatm/ubl"
)

// maxDeals bounds the search for the lines of each reason.
const maxDeals = 250_000

// reasons gives the lines their exemption reasons, which a document states in
// its breakdown only. A line whose own category has a reason keeps it.
func (r *reading) reasons(f *Facts, totals []*ubl.TaxTotal, places []string) {
	lines := map[group]bool{}
	for _, l := range f.Lines {
		lines[kindOf(l.Tax)] = true
	}
	var breakdown []Subtotal
	of := map[group][]Tax{}
	for i, s := range subtotals(totals) {
		path := step("/Invoice/cac:TaxTotal", "cac:TaxSubtotal", i)
		subtotal := r.subtotal(path, s)
		key := kindOf(subtotal.Tax)
		if !lines[key] {
			r.problems.add(path, "has a category and rate that no line has")
		}
		breakdown = append(breakdown, subtotal)
		of[key] = append(of[key], subtotal.Tax)
	}
	open := -1 // the first line whose reason is still to be found
	for i := range f.Lines {
		t := &f.Lines[i].Tax
		switch choice := of[kindOf(*t)]; {
		case t.ReasonCode != "":
		case len(choice) == 1:
			*t = choice[0]
		case len(choice) > 1 && open < 0:
			open = i
		}
	}
	if open >= 0 && !deal(f, breakdown) {
		r.problems.add(places[open]+"/cac:Item/cac:ClassifiedTaxCategory",
			"has several reasons in the breakdown, and no sharing out of the lines among them was found")
	}
}

// kindOf is a tax without its reason.
func kindOf(t Tax) group { return group{category: t.Category, rate: t.Rate.String()} }

// deal shares the lines out among several reasons of one category. Any sharing
// that gives each subtotal its amount and its place makes the same document,
// for nothing in it says which line has which reason.
func deal(f *Facts, breakdown []Subtotal) bool {
	d := dealer{lines: f.Lines, reasons: breakdown, left: make([]money.Decimal, len(breakdown)), budget: maxDeals}
	first := map[group]int{}
	for j, s := range breakdown {
		d.left[j] = s.Taxable
		if _, seen := first[kindOf(s.Tax)]; !seen {
			first[kindOf(s.Tax)] = j
		}
	}
	// A discount was taken off the first reason; it is put back before dealing.
	for _, a := range f.Allowances {
		if j, known := first[kindOf(Tax{Category: a.Category, Rate: a.Rate})]; known {
			d.left[j] = d.left[j].Add(a.Amount)
		}
	}
	d.choice = make([]int, len(f.Lines))
	if !d.from(0, 0) {
		return false
	}
	for i, j := range d.choice {
		f.Lines[i].Tax = breakdown[j].Tax
	}
	return true
}

// dealer searches for a sharing of the lines that leaves nothing.
type dealer struct {
	lines   []Line
	reasons []Subtotal
	left    []money.Decimal // of each reason
	choice  []int           // the reason of each line
	budget  int
}

// from deals the lines from k on. Reasons stand in the order of their first
// lines, so the first one not yet begun is the furthest that a line can take.
func (d *dealer) from(k, begun int) bool {
	if k == len(d.lines) {
		for _, l := range d.left {
			if !l.IsZero() {
				return false
			}
		}
		return begun == len(d.left)
	}
	l := d.lines[k]
	net := l.Price.Mul(l.Quantity).Round2()
	for j := range min(begun+1, len(d.left)) {
		if d.budget--; d.budget < 0 {
			return false
		}
		if !d.fits(l.Tax, j) || d.left[j].Less(net) {
			continue
		}
		d.left[j] = d.left[j].Sub(net)
		d.choice[k] = j
		if d.from(k+1, max(begun, j+1)) {
			return true
		}
		d.left[j] = d.left[j].Add(net)
	}
	return false
}

// fits says whether a line may have a reason: it is of its category and rate,
// and says no other reason itself.
func (d *dealer) fits(t Tax, j int) bool {
	s := d.reasons[j].Tax
	return t.Category == s.Category && t.Rate.Equal(s.Rate) && (t.ReasonCode == "" || t.ReasonCode == s.ReasonCode)
}
