package pdfa

import (
	"fmt"
	"math"
)

// Canvas draws on a page, either the content of one element or artifacts.
type Canvas struct {
	page    *Page
	element *Element
	kind    artifact
}

// Align is the horizontal alignment of a line of text: the x coordinate is its
// left edge, its center or its right edge.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Center
	Right
)

// Stroke is the style of a line.
type Stroke struct {
	Width float64
	Dash  float64 // length of dashes and gaps; 0 is a solid line
	Color Color
}

// ready opens the canvas for drawing. It records an error and returns false if a
// coordinate is out of range or the element must not have content.
func (c Canvas) ready(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.Abs(v) > maxEdge*2 {
			c.page.doc.fail(fmt.Errorf("cannot draw at %g: coordinate out of range", v))
			return false
		}
	}
	if c.kind == content && (c.element == nil || c.element.doc != c.page.doc) {
		c.page.doc.fail(fmt.Errorf("cannot draw in an element of another document"))
		return false
	}
	if c.kind == content && c.element.isGroup() {
		c.page.doc.fail(fmt.Errorf("cannot draw in a %s: it only groups elements", c.element.tag))
		return false
	}
	c.page.enter(c)
	return true
}

// Rect fills a rectangle.
func (c Canvas) Rect(b Box, color Color) {
	if !c.ready(b.X, b.Y, b.W, b.H) {
		return
	}
	p := c.page
	p.setColor(color)
	p.numbers(b.X, -b.Y-b.H, b.W, b.H)
	p.content = append(p.content, "re f\n"...)
}

// Line draws a straight line.
func (c Canvas) Line(x1, y1, x2, y2 float64, s Stroke) {
	if !c.ready(x1, y1, x2, y2, s.Width, s.Dash) {
		return
	}
	p := c.page
	p.setStroke(s)
	p.numbers(x1, -y1)
	p.content = append(p.content, "m "...)
	p.numbers(x2, -y2)
	p.content = append(p.content, "l S\n"...)
}

// Fill fills a path. One unit of the path is scale points, its origin is at x, y.
func (c Canvas) Fill(path *Path, x, y, scale float64, color Color) {
	if !c.ready(x, y, scale) {
		return
	}
	c.page.setColor(color)
	c.place(path, x, y, scale, "f")
}

// Outline strokes a path. The line width is scaled with the path.
func (c Canvas) Outline(path *Path, x, y, scale float64, s Stroke) {
	if !c.ready(x, y, scale, s.Width, s.Dash) {
		return
	}
	c.page.setStroke(s)
	c.place(path, x, y, scale, "S")
}

func (c Canvas) place(path *Path, x, y, scale float64, operator string) {
	p := c.page
	if path.err != nil {
		p.doc.fail(path.err)
		return
	}
	p.content = append(p.content, "q "...)
	p.content = append(decimal(p.content, scale, 5), " 0 0 "...)
	p.content = append(decimal(p.content, -scale, 5), ' ')
	p.numbers(x, -y)
	p.content = append(p.content, "cm\n"...)
	p.content = append(p.content, path.ops...)
	p.content = append(append(p.content, operator...), " Q\n"...)
}

// Image draws an image into a box.
func (c Canvas) Image(i *Image, b Box) {
	if !c.ready(b.X, b.Y, b.W, b.H) {
		return
	}
	p := c.page
	p.content = append(p.content, "q "...)
	p.numbers(b.W, 0, 0, b.H, b.X, -b.Y-b.H)
	p.content = append(p.content, "cm /"...)
	p.content = append(p.content, p.doc.useImage(i)...)
	p.content = append(p.content, " Do Q\n"...)
}

func (p *Page) setStroke(s Stroke) {
	if s.Width != p.stroke.Width {
		p.numbers(s.Width)
		p.content = append(p.content, "w\n"...)
	}
	if s.Dash != p.stroke.Dash {
		p.content = append(p.content, '[')
		if s.Dash > 0 {
			p.numbers(s.Dash, s.Dash)
		}
		p.content = append(p.content, "]0 d\n"...)
	}
	if s.Color != p.stroke.Color {
		p.rgb(s.Color, "RG\n")
	}
	p.stroke = s
}
