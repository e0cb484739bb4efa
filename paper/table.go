package paper

import "khatm/pdfa"

// column is a column of a table.
type column struct {
	head phrase
	kind columnKind
}

// columnKind determines the width and the alignment of a column.
type columnKind uint8

const (
	rest    columnKind = iota // gets the remaining width; one per table
	figures                   // as wide as its numbers, right-aligned
	short                     // as wide as its texts, up to maxShortWidth
)

// maxShortWidth is the maximum width of a short column.
const maxShortWidth = 62.0

// cell holds the texts of a table cell, one below the other.
type cell []run

// minTableShrink is the smallest factor by which the texts of a table are shrunk.
const minTableShrink = 0.62

// tolerance is the tolerance for rounding errors in a sum of widths.
const tolerance = 1e-6

// table lays out rows of cells. The main table of a page has a dark head.
func (l *layout) table(f frame, columns []column, rows [][]cell, dark bool) grid {
	head := bold(l.look.styled(l.look.small, l.look.brand))
	fill := &l.look.pale
	if dark {
		head.Color, fill = l.look.onBrand, &l.look.brand
	}
	widths, scale, set := l.widths(f.width(), columns, rows, head)
	fitted := func(cells []cell, line int) row {
		r := row{slots: make([]slot, len(columns))}
		offset := 0.0
		for i, c := range columns {
			s := slot{frame: f.cut(offset, widths[i]), cell: i}
			if c.kind == figures {
				s.side = atRight
			}
			room := widths[i] - gutter
			switch {
			case c.kind == rest:
				s.lines = l.wrap(room, cells[i]...)
			case line >= 0 && scale == 1 && fits(set[i][line], room):
				s.lines = set[i][line]
			case line >= 0 && c.kind == figures:
				s.lines = l.whole(room, shrunk(cells[i], scale)...)
			default:
				s.lines = l.wrap(room, shrunk(cells[i], scale)...)
			}
			r.slots[i] = s
			offset += widths[i]
		}
		return r
	}
	heads := make([]cell, len(columns))
	for i, c := range columns {
		heads[i] = l.look.runs(c.head, head)
	}
	top := fitted(heads, -1)
	top.pad, top.fill = 4, fill
	g := grid{cells: len(columns), head: &top, rows: make([]row, len(rows))}
	for i, cells := range rows {
		g.rows[i] = fitted(cells, i)
		g.rows[i].pad, g.rows[i].rule = 3.5, true
	}
	return g
}

func fits(lines []pdfa.Line, width float64) bool {
	for _, line := range lines {
		if line.Width() > width+tolerance {
			return false
		}
	}
	return true
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
