package paper

import "khatm/pdfa"

// grid is a table whose rows are laid out and ready to be drawn.
type grid struct {
	head  *row
	rows  []row
	cells int  // number of cells in a row
	named bool // whether the first cell of each row is its header
}

func (g grid) height() float64 {
	h := 0.0
	if g.head != nil {
		h = g.head.height()
	}
	for _, r := range g.rows {
		h += r.height()
	}
	return h
}

// grid draws a table. Its head is repeated on each page, as an artifact and not
// as content.
func (l *layout) grid(parent *pdfa.Element, g grid) {
	if g.head == nil && len(g.rows) == 0 {
		return
	}
	table := parent.Table()
	again := func() {}
	if g.head != nil {
		begin := g.head.height()
		if len(g.rows) > 0 {
			begin += g.rows[0].height()
		}
		l.keep(begin)
		l.row(*g.head, elements(table.Row(), g.cells, func(r *pdfa.Row, _ int) *pdfa.Element { return r.Head(pdfa.ColumnHead) }), again)
		again = func() { l.row(*g.head, nil, func() {}) }
	}
	for _, r := range g.rows {
		cells := elements(table.Row(), g.cells, func(e *pdfa.Row, i int) *pdfa.Element {
			if g.named && i == 0 {
				return e.Head(pdfa.RowHead)
			}
			return e.Cell()
		})
		l.row(r, cells, again)
	}
}

func elements(r *pdfa.Row, n int, cell func(*pdfa.Row, int) *pdfa.Element) []*pdfa.Element {
	all := make([]*pdfa.Element, n)
	for i := range all {
		all[i] = cell(r, i)
	}
	return all
}
