package paper

import (
	"slices"

	"khatm/pdfa"
)

// sheetParties draws the seller and the buyer side by side, or one below the other
// if they are too long.
func (l *layout) sheetParties() {
	const between = 14
	half := (l.body.width() - between) / 2
	seller := l.card(l.body.cut(0, half), "seller", l.c.seller)
	buyer := l.card(l.body.cut(half+between, half), "buyer", l.c.buyer)
	switch h := max(seller.height(), buyer.height()); {
	case h > l.bottom-l.top-40:
		l.drawCard(l.card(l.body, "seller", l.c.seller))
		l.drawCard(l.card(l.body, "buyer", l.c.buyer))
	default:
		l.keep(h)
		y := l.y
		l.drawCard(seller)
		below := l.y
		l.y = y
		l.drawCard(buyer)
		l.y = max(l.y, below)
	}
	l.gap(4)
}

// card is a party laid out in a frame.
type card struct {
	frame frame
	title phrase
	lines []pdfa.Line
	facts grid
}

// cardHead is the height of the title bar of a card.
const cardHead = 17.0

func (l *layout) card(f frame, key string, p *party) card {
	c := card{frame: f, title: l.c.lang.word(key)}
	if p == nil {
		return c
	}
	k := l.look
	text := k.styled(k.text, k.ink)
	wide := f.width() - gutter
	name := bold(k.styled(k.name, k.ink))
	c.lines = l.blocks(wide, slices.Concat(k.runs(p.name, name), inStyle(text, p.trade...), k.runs(p.address, text))...)
	c.facts = l.pairs(f, p.facts, narrowLabels, text)
	return c
}

func (c card) height() float64 {
	return cardHead + 4 + heightOf(c.lines) + 3 + c.facts.height() + 6
}

func (l *layout) drawCard(c card) {
	if len(c.lines) == 0 && len(c.facts.rows) == 0 {
		return
	}
	l.keep(cardHead + 40)
	section := l.doc.Root().Section()
	l.bar(section.Heading(2), c.frame, c.title)
	l.y += 4
	l.paragraph(section, c.frame.inset(gutter/2), atStart, c.lines)
	l.y += 3
	l.grid(section, c.facts)
	l.gap(6)
}

// bar draws a light bar with a title at its start, and with the title in the
// second language at its end.
func (l *layout) bar(e *pdfa.Element, f frame, title phrase) {
	style := bold(l.look.styled(l.look.text, l.look.brand))
	var path pdfa.Path
	path.RoundRect(pdfa.Box{W: f.width(), H: cardHead}, 2)
	l.page.Artifact().Fill(&path, f.left, l.y, 1, l.look.pale)
	inner := f.inset(gutter / 2)
	y := l.y + (cardHead-style.Size*leading)/2
	put(l.page.In(e), inner, atStart, y, []pdfa.Line{l.line(run{title.main, style})})
	if title.other != "" {
		put(l.page.In(e), inner, atEnd, y, []pdfa.Line{l.line(run{title.other, style})})
	}
	l.y += cardHead
}
