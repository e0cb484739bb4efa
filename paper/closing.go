package paper

import "khatm/pdfa"

// ending is the VAT breakdown, the totals and the amount in words, laid out.
type ending struct {
	breakdown, totals grid
	frame             frame // of the totals
	words             []pdfa.Line
	heading           float64 // height of the breakdown with its heading
}

// closing lays out the VAT breakdown and the totals.
func (l *layout) closing() ending {
	const wide = 276
	f := l.body.cut(l.body.width()-wide, wide)
	e := ending{breakdown: l.breakdown(l.body), frame: f, totals: l.sums(f, l.c.totals, l.c.due), words: l.inWords(f.inset(gutter / 2))}
	e.heading = l.sectionHeight(e.breakdown)
	return e
}

// totalsHeight returns the height of the totals with the amount in words.
func (e ending) totalsHeight() float64 { return e.totals.height() + wordsPad + heightOf(e.words) }

func (e ending) height() float64 { return e.heading + e.totalsHeight() }

// drawClosing draws the VAT breakdown and the totals, kept on one page if possible,
// and the payment details and notes beside or below them.
func (l *layout) drawClosing(e ending) {
	const between = 20
	l.keep(e.height())
	l.section("vat_breakdown", e.breakdown)
	l.keep(e.totalsHeight())
	side := l.remarks(l.body.cut(0, l.body.width()-e.frame.width()-between))
	y, page := l.y, l.page
	l.grid(l.doc.Root(), e.totals)
	l.drawWords(e.frame.inset(gutter/2), atStart, e.words)
	below := l.y
	if page == l.page && y+side.height() <= min(l.bottom, below+60) {
		l.y = y
		l.drawRemarks(side)
		l.y = max(l.y, below)
	} else {
		l.gap(10)
		l.drawRemarks(l.remarks(l.body))
	}
}

// wordsPad is the space above and below the amount in words.
const wordsPad = 4.0

// inWords returns the amount due in words, which are their own label.
func (l *layout) inWords(f frame) []pdfa.Line {
	return l.wrap(f.width(), l.look.runs(l.c.words, l.look.styled(l.look.text, l.look.ink))...)
}

func (l *layout) drawWords(f frame, s side, lines []pdfa.Line) {
	if len(lines) > 0 {
		l.y += wordsPad
		l.paragraph(l.doc.Root(), f, s, lines)
		l.y += wordsPad
	}
}

// remarks are the payment details and the notes.
type remarks struct {
	frame frame
	facts grid
	notes []pdfa.Line
}

func (l *layout) remarks(f frame) remarks {
	k := l.look
	text := k.styled(k.text, k.ink)
	return remarks{f, l.pairs(f, l.c.payment, narrowLabels, text), l.blocks(f.width()-gutter, inStyle(text, l.c.notes...)...)}
}

func (r remarks) height() float64 {
	h := r.facts.height()
	if len(r.notes) > 0 {
		h += 8 + headingHeight + heightOf(r.notes)
	}
	return h
}

func (l *layout) drawRemarks(r remarks) {
	l.grid(l.doc.Root(), r.facts)
	if len(r.notes) == 0 {
		return
	}
	l.y += 8
	l.keep(headingHeight + 20)
	section := l.doc.Root().Section()
	l.heading(section, r.frame, "notes")
	l.paragraph(section, r.frame.inset(gutter/2), atStart, r.notes)
}
