package paper

import "khatm/pdfa"

// column is a column of a table.
type column struct {
	head  phrase
	kind  columnKind
	width float64 // in points, with the gutter; ignored for kinds rest and over
}

// columnKind determines the alignment of a column and how its texts are broken.
type columnKind uint8

const (
	rest    columnKind = iota // gets the remaining width; at most one per table
	figures                   // numbers, each on one line, right-aligned
	short                     // short texts, which may be broken into lines
	over                      // texts above the rest of their row; only as the first column
)

// cell holds the texts of a table cell, one below the other.
type cell []run

// tolerance is the tolerance for rounding errors in a sum of widths.
const tolerance = 1e-6

// table lays out rows of cells in columns. The main table of a page has a dark head.
// If the numbers are too wide for their columns, even in the smallest font size, they
// are laid out below each other.
func (l *layout) table(f frame, columns []column, rows [][]cell, dark bool) grid {
	widths, scale, ok := l.fit(f, columns, rows)
	if !ok {
		return l.stack(f, columns, rows)
	}
	head := bold(l.look.styled(l.look.small, l.look.brand))
	fill := &l.look.pale
	if dark {
		head.Color, fill = l.look.onBrand, &l.look.brand
	}
	top := row{pad: 4 * l.look.dense, fill: fill}
	g := grid{cells: len(columns), head: &top, rows: make([]row, len(rows))}
	for i := range rows {
		g.rows[i] = row{pad: 2.8 * l.look.dense, rule: true}
	}
	offset := 0.0
	for i, c := range columns {
		room := widths[i] - gutter
		s := slot{frame: f.cut(offset, widths[i]), cell: i}
		if c.kind == over {
			s.frame = f
			top.above(s, l.wrap(f.width()-gutter, l.oneLine(c.head, head)))
			for n, cells := range rows {
				g.rows[n].above(s, l.blocks(f.width()-gutter, cells[i]...))
			}
			continue
		}
		if c.kind == figures {
			s.side = atRight
		}
		offset += widths[i]
		top.add(s, l.head(l.look.runs(c.head, head), room))
		for n, lines := range l.set(c.kind, i, rows, room, scale) {
			g.rows[n].add(s, lines)
		}
	}
	return g
}

// oneLine returns a phrase with both languages beside each other.
func (l *layout) oneLine(p phrase, s pdfa.Style) run { return run{join("  ·  ", p.main, p.other), s} }

// add adds lines in a slot.
func (r *row) add(s slot, lines []pdfa.Line) {
	s.lines = lines
	r.slots = append(r.slots, s)
}

// above adds lines above the slots of the row.
func (r *row) above(s slot, lines []pdfa.Line) {
	s.lines = lines
	r.over = &row{slots: []slot{s}, pad: r.pad / 2}
	r.pad /= 2
}

// shrunk returns the runs in a smaller font size, but not below minSize.
func shrunk(runs cell, scale float64) cell {
	if scale == 1 {
		return runs
	}
	small := make(cell, len(runs))
	for i, r := range runs {
		r.style.Size = max(r.style.Size*scale, min(r.style.Size, minSize))
		small[i] = r
	}
	return small
}
