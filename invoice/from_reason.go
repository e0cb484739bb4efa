package invoice

import (
	"khatm/money"
	"khatm/ubl"
)

// maxAssignSteps limits the steps of the search for the reasons of the lines.
const maxAssignSteps = 250_000

// reasons sets the exemption reasons of the lines. A document usually has them
// in its breakdown only; a line with its own reason keeps it.
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
	open := -1 // the first line with several possible reasons
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
	if open >= 0 && !assignReasons(f, breakdown) {
		r.problems.add(places[open]+"/cac:Item/cac:ClassifiedTaxCategory",
			"has several possible reasons in the breakdown, and no assignment of the lines to them was found")
	}
}

// kindOf returns the category and rate of a tax, without its reason.
func kindOf(t Tax) group { return group{category: t.Category, rate: t.Rate.String()} }

// assignReasons assigns the lines to the reasons and reports whether it
// succeeded. A document does not say which line has which reason. Any
// assignment that matches the amounts and the order of the subtotals results in
// the same document.
func assignReasons(f *Facts, breakdown []Subtotal) bool {
	d := assigner{lines: f.Lines, reasons: breakdown, left: make([]money.Decimal, len(breakdown)), budget: maxAssignSteps}
	first := map[group]int{}
	for j, s := range breakdown {
		d.left[j] = s.Taxable
		if _, seen := first[kindOf(s.Tax)]; !seen {
			first[kindOf(s.Tax)] = j
		}
	}
	// Allowances were subtracted from the first reason; add them again.
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

// assigner searches for an assignment of lines to reasons in which the lines of
// each reason add up to its taxable amount.
type assigner struct {
	lines   []Line
	reasons []Subtotal
	left    []money.Decimal // amount of each reason not yet assigned
	choice  []int           // reason of each line
	budget  int             // remaining steps
}

// from assigns the lines from index k on and reports whether it succeeded. The
// first begun reasons have a line already. Reasons are in the order of their
// first lines, so a line can only have one of these or the next.
func (d *assigner) from(k, begun int) bool {
	if k == len(d.lines) {
		for _, l := range d.left {
			if !l.IsZero() {
				return false
			}
		}
		return begun == len(d.left)
	}
	l := d.lines[k]
	net := l.amounts().Net
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

// fits reports whether a line can have reason j: category and rate must match,
// and the line must not state another reason itself.
func (d *assigner) fits(t Tax, j int) bool {
	s := d.reasons[j].Tax
	return t.Category == s.Category && t.Rate.Equal(s.Rate) && (t.ReasonCode == "" || t.ReasonCode == s.ReasonCode)
}
