package paper

import "khatm/pdfa"

// slot is a column of text in a row. A cell may have several slots.
type slot struct {
	frame frame
	side  side
	lines []pdfa.Line
	cell  int
}

// row is a row of slots, side by side.
type row struct {
	over   *row // text above the slots, in a cell of the same row
	slots  []slot
	pad    float64 // space above and below the text
	fill   *pdfa.Color
	rule   bool // thin line below
	strong bool // thick lines above and below, unless it is filled
}

func (r row) height() float64 {
	h, lead := 0.0, r.lead()
	for _, s := range r.slots {
		h = max(h, s.drop(lead)+heightOf(s.lines))
	}
	if r.over != nil {
		h += r.over.height()
	}
	return h + 2*r.pad
}

// lead returns the largest font size on the first line of the row.
func (r row) lead() float64 {
	lead := 0.0
	for _, s := range r.slots {
		if len(s.lines) > 0 {
			lead = max(lead, s.lines[0].Style().Size)
		}
	}
	return lead
}

// drop returns how far a smaller text is lowered to have the same baseline.
func (s slot) drop(lead float64) float64 {
	if len(s.lines) == 0 {
		return 0
	}
	return (lead - s.lines[0].Style().Size) * ascent
}

// row draws a row into the elements of its cells, or as an artifact if cells is
// nil. It starts a new page if the row does not fit on this one. A row that is too
// long for any page is split. again is called on each new page.
func (l *layout) row(r row, cells []*pdfa.Element, again func()) {
	h := r.height()
	if h > l.room() && l.y > l.start && h < (l.bottom-l.start)*0.8 {
		l.newPage()
		again()
	}
	if r.over != nil {
		l.row(*r.over, cells, again)
		r.over = nil
		h = r.height()
	}
	if f := r.frame(); h <= l.room() && r.fill != nil {
		l.page.Artifact().Rect(pdfa.Box{X: f.left, Y: l.y, W: f.width(), H: h}, *r.fill)
	} else if r.strong {
		l.thick(f)
	}
	l.y += r.pad
	l.strip(r, cells, again)
	l.y += r.pad
	l.space += 2 * r.pad
	if r.rule {
		l.hairline(r.frame(), l.y)
	}
	if r.strong && r.fill == nil {
		l.thick(r.frame())
	}
}

func (l *layout) thick(f frame) {
	l.page.Artifact().Line(f.left, l.y, f.right, l.y, pdfa.Stroke{Width: 1.2, Color: l.look.ink})
}

// frame returns the frame around all slots.
func (r row) frame() frame {
	f := r.slots[0].frame
	for _, s := range r.slots {
		f.left, f.right = min(f.left, s.frame.left), max(f.right, s.frame.right)
	}
	return f
}

// strip draws the text of a row, on as many pages as necessary.
func (l *layout) strip(r row, cells []*pdfa.Element, again func()) {
	left := make([][]pdfa.Line, len(r.slots))
	for i, s := range r.slots {
		left[i] = s.lines
	}
	lead := r.lead()
	for fresh := false; ; fresh = true {
		deepest, more := l.y, false
		for i, s := range r.slots {
			drop := s.drop(lead)
			if fresh {
				drop = 0
			}
			n := fitting(left[i], l.room()-drop)
			if n == 0 && fresh && len(left[i]) > 0 {
				n = 1 // otherwise the loop would never end
			}
			canvas := l.page.Pagination()
			if cells != nil {
				canvas = l.page.In(cells[s.cell])
			}
			inner := s.frame.inset(gutter / 2)
			deepest = max(deepest, put(canvas, inner, s.side, l.y+drop, left[i][:n]))
			left[i] = left[i][n:]
			more = more || len(left[i]) > 0
		}
		l.y = deepest
		if !more {
			return
		}
		l.newPage()
		again()
	}
}

// gutter is the space between two columns.
const gutter = 8.0

// fitting returns the number of lines that fit into a height.
func fitting(lines []pdfa.Line, height float64) int {
	for i, line := range lines {
		if height -= line.Style().Size * leading; height < 0 {
			return i
		}
	}
	return len(lines)
}

// paragraph draws lines of text, on as many pages as necessary.
func (l *layout) paragraph(parent *pdfa.Element, f frame, s side, lines []pdfa.Line) {
	if len(lines) > 0 {
		// strip insets the text; a paragraph has no inset.
		r := row{slots: []slot{{frame: f.inset(-gutter / 2), side: s, lines: lines}}}
		l.strip(r, []*pdfa.Element{parent.Paragraph()}, func() {})
	}
}
