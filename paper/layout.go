package paper

import (
	"strings"
	"unicode"

	"khatm/pdfa"
)

// layout draws the content on pages, from top to bottom.
type layout struct {
	c     *content
	look  look
	logo  *Logo
	fonts *pdfa.Fonts
	doc   *pdfa.Document

	width, height float64 // size of a page
	body          frame
	top, bottom   float64 // limits of the usable area of a page
	page          *pdfa.Page
	y             float64 // current position on the page
	start         float64 // position below what is at the top of every page
	first         float64 // start of the first page
	used          float64 // height of the content of the pages before this one
	space         float64 // height of the space that a denser look reduces

	sellerLine, titleLine []pdfa.Line // of the running head, shaped once
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

// newPage continues on a new page.
func (l *layout) newPage() {
	l.used += l.y - l.start
	l.page = l.doc.AddPage(l.width, l.height)
	l.y = l.top
	l.drawMark()
	if len(l.doc.Pages()) > 1 {
		l.runningHead()
	}
	l.start = l.y
	if len(l.doc.Pages()) == 1 {
		l.first = l.start
	}
}

// runningHead draws the seller, the title and the number at the top of each page
// after the first, so that a single page says what it belongs to.
func (l *layout) runningHead() {
	style := l.look.styled(l.look.small, l.look.soft)
	canvas, half := l.page.Pagination(), l.body.width()/2-gutter
	if l.titleLine == nil {
		l.titleLine = first(l.wrap(half, run{l.c.title.main + " " + isolated(l.c.number), bold(style)}))
		if l.c.seller != nil {
			l.sellerLine = first(l.wrap(half, run{l.c.seller.name.main, style}))
		}
	}
	put(canvas, l.body, atStart, l.y, l.sellerLine)
	put(canvas, l.body, atEnd, l.y, l.titleLine)
	l.y += runningHeight - 8
	l.hairline(l.body, l.y)
	l.y += 8
}

// runningHeight is the height of the running head.
const runningHeight = 21.0

// first returns the first of several lines.
func first(lines []pdfa.Line) []pdfa.Line { return lines[:min(len(lines), 1)] }

// gap moves down by a height, which is smaller if the page is dense.
func (l *layout) gap(height float64) {
	l.y += height * l.look.dense
	l.space += height
}

// room returns the height that is left on the page.
func (l *layout) room() float64 { return l.bottom - l.y }

// keep starts a new page if the height does not fit on this page but would fit
// on an empty one.
func (l *layout) keep(height float64) {
	if height > l.room() && l.y > l.start && height <= l.bottom-l.start {
		l.newPage()
	}
}

// directed sets the direction and language of a style for a text. On a
// right-to-left page, a text with any Arabic letter is Arabic, even if it begins
// with a Latin name or a number. On an English page, the first letter decides.
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

// line shapes a text as one line.
func (l *layout) line(r run) pdfa.Line {
	return l.fonts.Line(l.directed(r.style, r.text), r.text)
}

// wrap breaks texts into lines of at most the given width.
func (l *layout) wrap(width float64, runs ...run) []pdfa.Line {
	var lines []pdfa.Line
	for _, r := range runs {
		lines = append(lines, l.fonts.Wrap(l.directed(r.style, r.text), r.text, width)...)
	}
	return lines
}

// together returns both texts of a phrase on one line, with a separator, if they fit
// into the width, and otherwise below each other: a line that is broken within a
// text of the other direction is hard to read.
func (l *layout) together(width float64, separator string, p phrase, s pdfa.Style) []run {
	joined := run{p.joined(separator), s}
	if p.other == "" || l.line(joined).Width() <= width {
		return []run{joined}
	}
	return inStyle(s, p.main, p.other)
}

// whole shapes numbers, each on one line, because an amount that is broken into
// two lines could be read as two amounts. It shrinks numbers that are too wide. Only
// numbers that are too wide even in the smallest font size are broken; no real amount
// is so long.
func (l *layout) whole(width float64, runs ...run) []pdfa.Line {
	var lines []pdfa.Line
	for _, r := range runs {
		if r.text == "" {
			continue
		}
		line := l.line(r)
		if line.Width() > width+tolerance {
			r.style.Size = max(r.style.Size*width/line.Width(), min(r.style.Size, minSize))
			line = l.line(r)
		}
		if line.Width() > width+tolerance {
			lines = append(lines, l.wrap(width, r)...)
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

// leading is the distance between baselines, ascent the distance from the upper
// edge to the first baseline, both relative to the font size. Arabic needs more
// space than Latin.
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

// put draws lines in a frame, starting at y, and returns the y below them.
func put(c pdfa.Canvas, f frame, s side, y float64, lines []pdfa.Line) float64 {
	x, align := f.anchor(s)
	for _, line := range lines {
		size := line.Style().Size
		c.Text(line, x, y+size*ascent, align)
		y += size * leading
	}
	return y
}

// blocks wraps texts. The lines of a text in the direction opposite to that of the page
// begin at the same edge.
func (l *layout) blocks(width float64, runs ...run) []pdfa.Line {
	var all []pdfa.Line
	for _, r := range runs {
		lines := l.wrap(width, r)
		if len(lines) > 1 && l.body.rtl != (lines[0].Style().Base == pdfa.RTL) {
			widest := 0.0
			for _, line := range lines {
				widest = max(widest, line.Width())
			}
			for i := range lines {
				lines[i] = lines[i].Padded(widest)
			}
		}
		all = append(all, lines...)
	}
	return all
}

// hairline draws a thin rule across a frame.
func (l *layout) hairline(f frame, y float64) {
	l.page.Artifact().Line(f.left, y, f.right, y, pdfa.Stroke{Width: l.look.hair, Color: l.look.rule})
}
