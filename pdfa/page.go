package pdfa

import (
	"fmt"
	"strconv"
)

// Sizes of paper in points.
const (
	A4Width  = 595.276
	A4Height = 841.89
	// Millimetre is one millimetre in points.
	Millimetre = 72 / 25.4
)

// The smallest and greatest length of a page's edge that PDF/A-3 allows.
const (
	minEdge = 3
	maxEdge = 14400
)

// Page is one page. Nothing can be drawn on it directly: In draws content that
// belongs to an element, Artifact and Pagination draw what does not. Pages stay
// open until the document is written, so that a footer can be drawn last.
//
// Points are counted from the left and the upper edge.
type Page struct {
	doc           *Document
	width, height float64
	content       []byte
	id            int
	marks         []*Element // by number of the marked content
	open          Canvas     // whose marked content is open
	color         Color      // as it is set for filling
	stroke        Stroke     // as it is set for lines
	font          *usedFont
	size          float64
}

// Width is the page's width in points.
func (p *Page) Width() float64 { return p.width }

// Height is the page's height in points.
func (p *Page) Height() float64 { return p.height }

// Cut sets the height of the page, once it is known how far down it reaches:
// a receipt is as long as what stands on it.
func (p *Page) Cut(height float64) {
	p.height = height
	p.check()
}

func (p *Page) check() {
	for _, edge := range []float64{p.width, p.height} {
		if !(edge >= minEdge && edge <= maxEdge) {
			p.doc.fail(fmt.Errorf("page of %g by %g points", p.width, p.height))
			return
		}
	}
}

// artifact is the kind of a drawing that is no content.
type artifact uint8

const (
	content artifact = iota
	layoutArtifact
	paginationArtifact
)

// In draws content of an element.
func (p *Page) In(e *Element) Canvas { return Canvas{page: p, element: e} }

// Artifact draws what only a seeing reader needs: rules, backgrounds.
func (p *Page) Artifact() Canvas { return Canvas{page: p, kind: layoutArtifact} }

// Pagination draws what comes again on each page: page numbers, repeated heads
// of tables.
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

// leave closes the marked content that is open.
func (p *Page) leave() {
	if p.open.page != nil {
		p.content = append(p.content, "EMC\n"...)
	}
	p.open = Canvas{}
}

// numbers appends numbers, each with a space after it.
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
