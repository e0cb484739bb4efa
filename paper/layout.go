package paper

import (
	"strings"
	"unicode"

	"khatm/pdfa"
)

// layout puts the content on pages, from the top down.
type layout struct {
	c     *content
	look  look
	logo  *Logo
	fonts *pdfa.Fonts
	doc   *pdfa.Document

	width, height float64 // of a page
	body          frame
	top, bottom   float64 // of what a page has room for
	page          *pdfa.Page
	y             float64 // how far down the page is filled
}

func newLayout(fonts *pdfa.Fonts, c *content, o Options) *layout {
	seller := ""
	if c.seller != nil {
		seller = c.seller.name.main
	}
	return &layout{
		c: c, logo: o.Logo, fonts: fonts,
		doc: pdfa.New(fonts, pdfa.Meta{
			Title: c.heading(), Author: seller, Producer: "Khatm", Lang: c.lang.tag(), Created: c.issued,
		}),
	}
}

// newPage goes on on a fresh page.
func (l *layout) newPage() {
	l.page = l.doc.AddPage(l.width, l.height)
	l.y = l.top
	l.drawMark()
}

// room is how much height is left on the page.
func (l *layout) room() float64 { return l.bottom - l.y }

// keep begins a new page if what comes does not fit on this one and would on a
// whole one.
func (l *layout) keep(height float64) {
	if height > l.room() && l.y > l.top && height <= l.bottom-l.top {
		l.newPage()
	}
}

// directed gives a style the direction and language of its text. On a page read
// from right to left a text that has any Arabic is Arabic, though it may begin
// with a Latin name or a number; on an English page its first letter decides.
func (l *layout) directed(s pdfa.Style, text string) pdfa.Style {
	first := strings.IndexFunc(text, unicode.IsLetter)
	if first < 0 {
		return s
	}
	arabic := hasRTL(text)
	if !l.body.rtl && arabic {
		first := []rune(text[first:])[0]
		arabic = isRTL(first)
	}
	s.Lang = "en"
	if arabic {
		s.Base, s.Lang = pdfa.RTL, "ar"
	}
	return s
}

// line sets a text in one line.
func (l *layout) line(r run) pdfa.Line {
	return l.fonts.Line(l.directed(r.style, r.text), r.text)
}

// wrap sets texts one below the other in lines of a width.
func (l *layout) wrap(width float64, runs ...run) []pdfa.Line {
	var lines []pdfa.Line
	for _, r := range runs {
		lines = append(lines, l.fonts.Wrap(l.directed(r.style, r.text), r.text, width)...)
	}
	return lines
}

// illegible is how far a figure is shrunk at most. No amount is so long; what
// is, is no figure.
const illegible = 0.35

// whole sets figures one below the other, each on one line: an amount that is
// broken over lines is read as two.
func (l *layout) whole(width float64, runs ...run) []pdfa.Line {
	var lines []pdfa.Line
	for _, r := range runs {
		if r.text == "" {
			continue
		}
		line := l.line(r)
		if scale := width / line.Width(); scale < 1 && scale >= illegible {
			r.style.Size *= scale
			line = l.line(r)
		}
		if line.Width() > width+hairsbreadth {
			lines = append(lines, l.wrap(width, r)...)
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

// Arabic needs air above and below: leading is the distance of base lines and
// ascent that from the upper edge to the first, both in parts of the size.
const (
	leading = 1.42
	ascent  = 1.04
)

func heightOf(lines []pdfa.Line) float64 {
	h := 0.0
	for _, line := range lines {
		h += line.Style().Size * leading
	}
	return h
}

// put draws lines in a frame from y on and gives the y below them.
func put(c pdfa.Canvas, f frame, s side, y float64, lines []pdfa.Line) float64 {
	x, align := f.anchor(s)
	for _, line := range lines {
		size := line.Style().Size
		c.Text(line, x, y+size*ascent, align)
		y += size * leading
	}
	return y
}

// hairline draws a thin rule across a frame.
func (l *layout) hairline(f frame, y float64) {
	l.page.Artifact().Line(f.left, y, f.right, y, pdfa.Stroke{Width: l.look.hair, Color: l.look.rule})
}
