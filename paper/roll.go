package paper

import (
	"fmt"
	"slices"

	"khatm/pdfa"
)

// rollEnd is the lower limit of a page of a roll: the longest page that PDF/A-3
// allows, less the bottom margin.
const rollEnd = 14300.0

// roll draws the document on a receipt roll.
func (l *layout) roll() {
	const margin = 4 * pdfa.Millimetre
	l.look = onRoll
	l.width, l.height = 80*pdfa.Millimetre, 14400
	l.body = frame{margin, l.width - margin, l.c.lang.rightToLeft()}
	l.top, l.bottom = 14, rollEnd
	title := l.doc.Root().Heading(1)
	l.newPage()
	l.rollTop(title)
	l.dashes()
	l.grid(l.doc.Root(), l.rollLines())
	l.y += 10
	l.section("adjustments", l.adjustments(l.body))
	l.section("advances", l.advances(l.body))
	l.section("vat_breakdown", l.breakdown(l.body))
	l.grid(l.doc.Root(), l.sums(l.body, l.c.totals, l.c.due))
	l.drawWords(l.body, atCenter, l.inWords(l.body))
	l.y += 8
	l.drawRemarks(l.remarks(l.body))
	l.rollSymbol()
	for _, f := range l.c.uuid {
		style := l.look.styled(l.look.tiny, l.look.ink)
		l.centered(l.wrap(l.body.width(), append([]run{{join(" ", f.label.main, f.label.other), style}}, inStyle(style, f.text...)...)...))
	}
	l.rollFoot()
}

// centered draws centered lines.
func (l *layout) centered(lines []pdfa.Line) {
	l.paragraph(l.doc.Root(), l.body, atCenter, lines)
}

// dashes draws the dashed line between two parts of a receipt.
func (l *layout) dashes() {
	l.y += 6
	l.page.Artifact().Line(l.body.left, l.y, l.body.right, l.y, pdfa.Stroke{Width: 0.7, Dash: 2.5, Color: l.look.ink})
	l.y += 6
}

// rollTop draws what is above the lines. A standard document begins with its title and
// number, followed by the seller and the buyer. A receipt begins with the shop.
func (l *layout) rollTop(title *pdfa.Element) {
	if l.logo != nil {
		l.y += l.drawLogo(l.body, atCenter, 150, 56) + 6
	}
	text := bold(l.look.styled(l.look.text, l.look.ink))
	if l.c.simplified {
		l.rollShop()
		l.dashes()
	}
	l.rollTitle(title)
	l.grid(l.doc.Root(), l.pairs(l.body, l.c.facts(), rollLabels, text))
	if !l.c.simplified {
		l.rollParty("seller", l.c.seller)
	}
	l.rollParty("buyer", l.c.buyer)
}

// rollShop draws the seller of a receipt.
func (l *layout) rollShop() {
	s := l.c.seller
	if s == nil {
		return
	}
	k := l.look
	wide := l.body.width()
	small := k.styled(k.small, k.ink)
	lines := l.wrap(wide, k.runs(s.name, bold(k.styled(k.name, k.ink)))...)
	lines = append(lines, l.wrap(wide, inStyle(small, s.trade...)...)...)
	lines = append(lines, l.wrap(wide, k.runs(s.address, small)...)...)
	l.centered(lines)
	l.y += 3
	l.grid(l.doc.Root(), l.pairs(l.body, s.facts, rollLabels, k.styled(k.text, k.ink)))
}

func (l *layout) rollTitle(title *pdfa.Element) {
	k := l.look
	lines := l.wrap(l.body.width(), run{l.c.title.main, bold(k.styled(k.title, k.ink))}, run{l.c.title.other, k.styled(k.subtitle, k.ink)})
	l.y = put(l.page.In(title), l.body, atCenter, l.y, lines)
	for _, t := range l.c.traits {
		l.centered(l.wrap(l.body.width(), l.together(l.body.width(), "  ·  ", t, bold(k.styled(k.text, k.ink)))...))
	}
	l.y += 3
}

// rollParty draws the seller or the buyer under a heading.
func (l *layout) rollParty(key string, p *party) {
	if p == nil {
		return
	}
	l.dashes()
	k := l.look
	section := l.doc.Root().Section()
	l.heading(section, l.body, key)
	text := k.styled(k.text, k.ink)
	inner := l.body.inset(gutter / 2)
	lines := l.blocks(inner.width(), slices.Concat(k.runs(p.name, bold(text)), inStyle(text, p.trade...), k.runs(p.address, text))...)
	l.paragraph(section, inner, atStart, lines)
	l.grid(section, l.pairs(l.body, p.facts, rollLabels, text))
}

// rollSymbol draws the QR code, centered. A module of half a millimetre is four
// dots of a common thermal printer, so that all modules have the same width.
func (l *layout) rollSymbol() {
	if l.c.symbol == nil {
		return
	}
	n := float64(l.c.symbol.Size())
	module := 0.5 * pdfa.Millimetre
	if (n+2*quiet)*module > l.width {
		module = 0.4 * pdfa.Millimetre
	}
	side := n * module
	l.y += quiet*module + 4
	if side+quiet*module > l.room() {
		l.newPage()
	}
	l.drawSymbol((l.width-side)/2, l.y, module)
	l.y += side + quiet*module
}

// rollFoot cuts the last page below its content. It numbers the pages only if
// the receipt is longer than the longest page allowed.
func (l *layout) rollFoot() {
	pages := l.doc.Pages()
	if len(pages) > 1 {
		count := l.c.lang.word("page_of")
		for i, page := range pages {
			text := fmt.Sprintf(count.main, i+1, len(pages))
			put(page.Pagination(), l.body, atCenter, 2, []pdfa.Line{l.line(run{text, l.look.styled(l.look.small, l.look.ink)})})
		}
	}
	l.page.Cut(l.y + 14)
}
