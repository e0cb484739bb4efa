package pdfa

import "strconv"

// Text draws a line of text with its baseline at y. x is its left edge, center or
// right edge, depending on a.
func (c Canvas) Text(l Line, x, y float64, a Align) {
	if len(l.words) == 0 {
		return
	}
	lang := l.style.Lang
	if lang == "" {
		lang = c.page.doc.meta.Lang
	}
	if c.kind == content && c.element != nil {
		c.element.setLanguage(lang)
	}
	if !c.ready(x, y, l.style.Size, l.width) {
		return
	}
	switch a {
	case Center:
		x -= l.width / 2
	case Right:
		x -= l.width
	}
	p := c.page
	foreign := c.kind == content && lang != c.element.language()
	if foreign {
		p.content = appendText(append(p.content, "/Span<</Lang"...), lang)
		p.content = append(p.content, ">>BDC\n"...)
	}
	p.setColor(l.style.Color)
	p.content = append(p.content, "BT "...)
	p.numbers(x+l.lead, -y)
	p.content = append(p.content, "Td "...)
	p.words(l)
	p.content = append(p.content, "ET\n"...)
	if foreign {
		p.content = append(p.content, "EMC\n"...)
	}
}

// Lines draws lines below each other, the first with its baseline at y, and returns
// the baseline after the last line.
func (c Canvas) Lines(lines []Line, x, y, leading float64, a Align) float64 {
	for _, l := range lines {
		c.Text(l, x, y, a)
		y += leading
	}
	return y
}

// words writes the words of a line, with one TJ operator per font.
func (p *Page) words(l Line) {
	for i := 0; i < len(l.words); {
		f := l.words[i].face
		used := p.doc.useFont(f)
		if p.font != used || p.size != l.style.Size {
			p.font, p.size = used, l.style.Size
			p.content = append(append(append(p.content, '/'), used.name...), ' ')
			p.numbers(l.style.Size)
			p.content = append(p.content, "Tf "...)
		}
		p.content = append(p.content, "[("...)
		for ; i < len(l.words) && l.words[i].face == f; i++ {
			p.glyphs(used, l.words[i])
		}
		p.content = append(p.content, ")]TJ "...)
	}
}

func (p *Page) glyphs(used *usedFont, w *word) {
	b := p.content
	for i := range w.glyphs {
		g := &w.glyphs[i]
		slot := used.slot(g)
		b = literal(literal(b, byte(slot>>8)), byte(slot))
		if g.kern != 0 {
			b = append(b, ')')
			b = strconv.AppendInt(b, -int64(g.kern)*1000/int64(w.face.em), 10)
			b = append(b, '(')
		}
	}
	p.content = b
}

// literal appends one byte of a literal string. Literal strings are half as long as
// hexadecimal ones and faster to compress.
func literal(b []byte, c byte) []byte {
	switch c {
	case '(', ')', '\\':
		return append(b, '\\', c)
	case '\r':
		return append(b, '\\', 'r')
	}
	return append(b, c)
}
