package paper

import "khatm/pdfa"

// column is a column of a table.
type column struct {
	head  phrase
	kind  columnKind
	width float64 // in points, with the gutter; ignored for kind rest
}

// columnKind determines the alignment of a column and how its texts are broken.
type columnKind uint8

const (
	rest    columnKind = iota // gets the remaining width; one per table
	figures                   // numbers, each on one line, right-aligned
	short                     // short texts, which may be broken into lines
)

// cell holds the texts of a table cell, one below the other.
type cell []run

// minTableShrink is the smallest factor by which the texts of a table are shrunk.
const minTableShrink = 0.62

// tolerance is the tolerance for rounding errors in a sum of widths.
const tolerance = 1e-6

// table lays out rows of cells in columns of fixed width. The main table of a page
// has a dark head.
func (l *layout) table(f frame, columns []column, rows [][]cell, dark bool) grid {
	head := bold(l.look.styled(l.look.small, l.look.brand))
	fill := &l.look.pale
	if dark {
		head.Color, fill = l.look.onBrand, &l.look.brand
	}
	top := row{slots: make([]slot, len(columns)), pad: 4, fill: fill}
	g := grid{cells: len(columns), head: &top, rows: make([]row, len(rows))}
	for i := range rows {
		g.rows[i] = row{slots: make([]slot, len(columns)), pad: 2.8, rule: true}
	}
	offset := 0.0
	for i, c := range columns {
		if c.kind == rest {
			c.width = remaining(f, columns)
		}
		room := c.width - gutter
		s := slot{frame: f.cut(offset, c.width), cell: i}
		if c.kind == figures {
			s.side = atRight
		}
		offset += c.width
		top.slots[i] = s
		top.slots[i].lines = l.head(l.look.runs(c.head, head), room)
		var set [][]pdfa.Line
		if c.kind != rest {
			set = l.set(c.kind, i, rows, room)
		}
		for n, cells := range rows {
			g.rows[n].slots[i] = s
			if c.kind == rest {
				g.rows[n].slots[i].lines = l.wrap(room, cells[i]...)
			} else {
				g.rows[n].slots[i].lines = set[n]
			}
		}
	}
	return g
}

// remaining returns the width of the column of kind rest.
func remaining(f frame, columns []column) float64 {
	w := f.width()
	for _, c := range columns {
		if c.kind != rest {
			w -= c.width
		}
	}
	return w
}

// shrunk returns the runs in a smaller font size.
func shrunk(runs cell, scale float64) cell {
	if scale == 1 {
		return runs
	}
	small := make(cell, len(runs))
	for i, r := range runs {
		r.style.Size *= scale
		small[i] = r
	}
	return small
}
