package paper

import (
	"fmt"
	"slices"

	"khatm/codes"
	"khatm/pdfa"
)

// sheet lays out the document on A4 pages. A document that needs a second page is laid
// out with less space if one page suffices then.
func (p *Press) sheet(c *content, o Options) *layout {
	l := newLayout(p.fonts, c, o)
	l.sheet(onA4)
	for _, dense := range l.densities() {
		look := onA4
		look.dense = dense
		compact := newLayout(p.fonts, c, o)
		if compact.sheet(look); len(compact.doc.Pages()) == 1 {
			return compact
		}
	}
	return l
}

// minDense is the smallest factor of the space above and below texts.
const minDense = 0.4

// densities returns the factors of the space with which a document of two pages may fit
// on one page.
func (l *layout) densities() []float64 {
	if len(l.doc.Pages()) != 2 {
		return nil
	}
	tooHigh := l.used + l.y - l.start - (l.bottom - l.first)
	need := 1 - tooHigh/l.space
	if need < minDense {
		return nil
	}
	const margin = 0.05 // not all space is reduced by the same factor
	return []float64{max(need-margin, minDense), minDense}
}

// sheet draws the document on A4 pages.
func (l *layout) sheet(look look) {
	const margin = 40
	l.look = look
	l.width, l.height = pdfa.A4Width, pdfa.A4Height
	l.body = frame{margin, l.width - margin, l.c.lang.rightToLeft()}
	l.top, l.bottom = 36, l.height-54
	title := l.doc.Root().Heading(1)
	l.newPage()
	l.letterhead(title)
	l.sheetHead()
	l.sheetParties()
	lines, adjustments, advances, end := l.sheetLines(), l.adjustments(l.body), l.advances(l.body), l.closing()
	lines.tail = l.tail(lines, l.sectionHeight(adjustments), l.sectionHeight(advances), end.height())
	l.grid(l.doc.Root(), lines)
	l.gap(10)
	l.section("adjustments", adjustments)
	l.section("advances", advances)
	l.drawClosing(end)
	l.finePrint()
	l.sheetFoot()
}

// tail returns the height of the parts after the lines that are kept on one page with
// the last lines: as many of them as fit.
func (l *layout) tail(lines grid, parts ...float64) float64 {
	limit := l.bottom - l.top - runningHeight - lines.headHeight()
	for _, r := range lines.rows[lines.last():] {
		limit -= r.height()
	}
	h := 10 * l.look.dense
	for _, part := range parts {
		if h+part > limit {
			break
		}
		h += part
	}
	return h
}

// letterhead draws the seller's logo, or the seller's name if there is no logo, at
// the start and the title of the document at the end.
func (l *layout) letterhead(title *pdfa.Element) {
	k := l.look
	wide := l.body.width() / 2
	start, end := l.body.cut(0, wide-12), l.body.cut(wide, wide)
	left := l.y
	switch {
	case l.logo != nil:
		left += l.drawLogo(start, atStart, 170, 52)
	case l.c.seller != nil:
		lines := l.wrap(start.width(), run{l.c.seller.name.main, bold(k.styled(14, k.ink))})
		if l.c.seller.name.other != "" {
			lines = append(lines, l.wrap(start.width(), run{l.c.seller.name.other, k.styled(9, k.soft)})...)
		}
		left = put(l.page.In(l.doc.Root().Paragraph()), start, atStart, left, lines[:min(len(lines), 3)])
	}
	canvas := l.page.In(title)
	right := put(canvas, end, atEnd, l.y-4, l.whole(end.width(), run{l.c.title.main, bold(k.styled(k.title, k.brand))}))
	if l.c.title.other != "" {
		right = put(canvas, end, atEnd, right-3, l.wrap(end.width(), run{l.c.title.other, k.styled(k.subtitle, k.soft)}))
	}
	for _, t := range l.c.traits {
		text := l.together(end.width(), "  ·  ", t, bold(k.styled(k.text, k.brand)))
		right = put(l.page.In(l.doc.Root().Paragraph()), end, atEnd, right, l.wrap(end.width(), text...))
	}
	l.y = max(left, right)
	l.gap(7)
	l.page.Artifact().Line(l.body.left, l.y, l.body.right, l.y, pdfa.Stroke{Width: 1.4, Color: k.brand})
	l.gap(9)
}

// sheetHead draws the header of the document and the QR code beside it.
func (l *layout) sheetHead() {
	text := bold(l.look.styled(l.look.text, l.look.ink))
	facts := append(l.c.facts(), l.c.uuid...)
	f, below := l.body, l.y
	if l.c.symbol != nil {
		n := float64(l.c.symbol.Size())
		// Phones can read modules of 0.42 mm from paper, and software from an
		// image of 150 dpi.
		module := min(max(104/n, 0.42*pdfa.Millimetre), 0.9*pdfa.Millimetre)
		side := module * n
		corner := f.cut(f.width()-side, side)
		l.drawSymbol(corner.left, l.y+module, module)
		below = l.y + side + quiet*module
		f = f.cut(0, f.width()-side-(quiet+2)*module-6)
	}
	labels := l.pairs(f, facts, wideLabels, text)
	if labels.height() > l.room() {
		// The facts are too long for the page, so they are drawn below the QR
		// code, on as many pages as necessary.
		l.y = below
		labels = l.pairs(l.body, facts, wideLabels, text)
	}
	l.grid(l.doc.Root(), labels)
	if len(l.doc.Pages()) == 1 {
		l.y = max(l.y, below)
	}
	l.gap(8)
}

// sheetLines returns the table of lines.
func (l *layout) sheetLines() grid {
	word := l.c.lang.word
	columns := []column{
		{word("line_number"), figures, 22},
		{word("item"), rest, 0},
		{word("quantity"), figures, 42},
		{word("unit"), short, 42},
		{word("unit_price"), figures, 54},
		{word("column_net"), figures, 58},
		{word("column_rate"), figures, 36},
		{word("vat_amount"), figures, 52},
		{word("column_total"), figures, 62},
	}
	k := l.look
	figure, soft := k.styled(k.text, k.ink), k.styled(k.small, k.soft)
	rows := make([][]cell, 0, len(l.c.lines))
	for _, n := range l.c.lines {
		rows = append(rows, []cell{
			{{n.id, k.styled(k.text, k.soft)}},
			slices.Concat(k.runs(n.name, figure), l.details(n, remaining(l.body, columns)-gutter, soft)),
			{{n.quantity, figure}},
			{{join(" ", n.unit.main, n.unit.other), soft}},
			l.price(n, figure, soft),
			{{n.net, figure}},
			{{n.rate, figure}},
			{{n.vat, figure}},
			{{n.withVAT, bold(figure)}},
		})
	}
	return l.table(l.body, columns, rows, true)
}

// details returns the details of a line in a column of the given width.
func (l *layout) details(n line, width float64, s pdfa.Style) []run {
	runs := inStyle(s, n.details...)
	if n.gross == "" {
		return runs
	}
	return append(l.together(width, " / ", l.c.lang.word("unit_price_including_vat").with(n.gross), s), runs...)
}

// price returns the unit price of a line, and below it the base quantity if
// that is not 1.
func (l *layout) price(n line, figure, soft pdfa.Style) cell {
	out := cell{{n.price, figure}}
	if n.base != "" {
		out = append(out, run{l.c.lang.word("per").main + " " + n.base, soft})
	}
	return out
}

// finePrint draws the counter and the hash above the footer of the last page.
func (l *layout) finePrint() {
	style := l.look.styled(l.look.tiny, l.look.soft)
	s := atStart
	for _, fact := range l.c.trail {
		lines := l.wrap(l.body.width()*0.6, run{fact.label.labelling(fact.text[0]), style})
		put(l.page.In(l.doc.Root().Paragraph()), l.body, s, l.height-50, lines[:1])
		s = atEnd
	}
}

// sheetFoot draws the footers with the page numbers.
func (l *layout) sheetFoot() {
	pages := l.doc.Pages()
	style := l.look.styled(l.look.small, l.look.soft)
	number := first(l.wrap(l.body.width()*0.5, run{l.c.number, style}))
	for i, page := range pages {
		l.page = page
		y := l.height - 40
		l.hairline(l.body, y)
		count := l.c.lang.word("page_of")
		canvas := page.Pagination()
		put(canvas, l.body, atStart, y+6, []pdfa.Line{l.line(run{fmt.Sprintf(count.main, i+1, len(pages)), style})})
		end := ""
		switch {
		case count.other != "":
			end = fmt.Sprintf(count.other, i+1, len(pages))
		case l.c.lang == English && !l.c.account:
			end = phrase{"Translation", codes.MustWord("mark_translation").AR}.joined(" · ")
		}
		if end != "" {
			put(canvas, l.body, atEnd, y+6, []pdfa.Line{l.line(run{end, style})})
		}
		put(canvas, l.body, atCenter, y+6, number)
	}
}
