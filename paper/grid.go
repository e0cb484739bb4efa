package paper

import "khatm/pdfa"

// grid is a table whose rows are laid out and ready to be drawn.
type grid struct {
	head  *row
	rows  []row
	cells int  // number of cells in a row
	named bool // whether the first cell of each row is its header

	// tail is the height of what must be on the same page as the last rows.
	tail float64
}

// last returns the index of the first row that is kept together with what follows the
// table: three rows of a long table, two of a short one, but never all rows.
func (g grid) last() int {
	n := len(g.rows)
	if n >= 9 {
		return n - 3
	}
	return n - min(2, n/2)
}

func (g grid) height() float64 {
	h := g.headHeight()
	for _, r := range g.rows {
		h += r.height()
	}
	return h
}

func (g grid) headHeight() float64 {
	if g.head == nil {
		return 0
	}
	return g.head.height()
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
		again = func() {
			y := l.y
			l.row(*g.head, nil, func() {})
			l.used -= l.y - y // it is content of the table's first page only
		}
	}
	for i, r := range g.rows {
		if g.tail > 0 && i == g.last() {
			l.keepTail(g, g.rows[i:], again)
		}
		cells := elements(table.Row(), g.cells, func(e *pdfa.Row, i int) *pdfa.Element {
			if g.named && i == 0 {
				return e.Head(pdfa.RowHead)
			}
			return e.Cell()
		})
		l.row(r, cells, again)
	}
}

// keepTail starts a new page if the last rows and what follows them do not fit on this
// page but would fit on an empty one.
func (l *layout) keepTail(g grid, last []row, again func()) {
	h := g.tail
	for _, r := range last {
		h += r.height()
	}
	if h > l.room() && g.headHeight()+h <= l.bottom-l.top-runningHeight {
		l.newPage()
		again()
	}
}

func elements(r *pdfa.Row, n int, cell func(*pdfa.Row, int) *pdfa.Element) []*pdfa.Element {
	all := make([]*pdfa.Element, n)
	for i := range all {
		all[i] = cell(r, i)
	}
	return all
}
