package pdfa

import (
	"fmt"
	"strconv"
)

// Paper sizes in points.
const (
	A4Width  = 595.276
	A4Height = 841.89
	// Millimetre is one millimetre in points.
	Millimetre = 72 / 25.4
)

// The smallest and largest width or height of a page that PDF/A-3 allows.
const (
	minEdge = 3
	maxEdge = 14400
)

// Page is one page of a document. Draw on it with the [Canvas] that In,
// Artifact or Pagination returns. Pages can be drawn on until the document is
// written, so footers can be drawn last.
//
// Coordinates are in points from the left and upper edge.
type Page struct {
	doc           *Document
	width, height float64
	content       []byte
	id            int
	marks         []*Element // by marked content ID
	open          Canvas     // canvas of the open marked content
	color         Color      // current fill colour
	stroke        Stroke     // current stroke
	font          *usedFont
	size          float64
}

// Width returns the width of the page in points.
func (p *Page) Width() float64 { return p.width }

// Height returns the height of the page in points.
func (p *Page) Height() float64 { return p.height }

// Cut changes the height of the page. It can be called after drawing, for a
// receipt that is as long as its content.
func (p *Page) Cut(height float64) {
	p.height = height
	p.check()
}

func (p *Page) check() {
	for _, edge := range []float64{p.width, p.height} {
		if !(edge >= minEdge && edge <= maxEdge) {
			p.doc.fail(fmt.Errorf("page size is %g by %g points, must be %d to %d each", p.width, p.height, minEdge, maxEdge))
			return
		}
	}
}

// artifact is the type of an artifact, or content.
type artifact uint8

const (
	content artifact = iota
	layoutArtifact
	paginationArtifact
)

// In returns a canvas that draws the content of an element.
func (p *Page) In(e *Element) Canvas { return Canvas{page: p, element: e} }

// Artifact returns a canvas for decoration that screen readers skip, such as
// rules and backgrounds.
func (p *Page) Artifact() Canvas { return Canvas{page: p, kind: layoutArtifact} }

// Pagination returns a canvas for content that is repeated on each page and
// that screen readers skip, such as page numbers and repeated table heads.
func (p *Page) Pagination() Canvas { return Canvas{page: p, kind: paginationArtifact} }

// enter opens the marked content of a canvas, unless it is open already.
func (p *Page) enter(c Canvas) {
	if p.open == c {
		return
	}
	p.leave()
	p.open = c
	switch c.kind {
	case layoutArtifact:
		p.content = append(p.content, "/Artifact<</Type/Layout>>BDC\n"...)
	case paginationArtifact:
		p.content = append(p.content, "/Artifact<</Type/Pagination>>BDC\n"...)
	default:
		mark := len(p.marks)
		p.marks = append(p.marks, c.element)
		c.element.kids = append(c.element.kids, kid{page: p, mark: mark})
		p.content = append(append(p.content, '/'), c.element.tag...)
		p.content = append(p.content, "<</MCID "...)
		p.content = strconv.AppendInt(p.content, int64(mark), 10)
		p.content = append(p.content, ">>BDC\n"...)
	}
}

// leave closes the open marked content.
func (p *Page) leave() {
	if p.open.page != nil {
		p.content = append(p.content, "EMC\n"...)
	}
	p.open = Canvas{}
}

// numbers appends numbers, each followed by a space.
func (p *Page) numbers(values ...float64) {
	for _, v := range values {
		p.content = append(number(p.content, v), ' ')
	}
}

func (p *Page) setColor(c Color) {
	if c == p.color {
		return
	}
	p.color = c
	p.rgb(c, "rg\n")
}

func (p *Page) rgb(c Color, operator string) {
	for _, v := range []uint8{c.R, c.G, c.B} {
		p.content = append(decimal(p.content, float64(v)/255, 3), ' ')
	}
	p.content = append(p.content, operator...)
}
