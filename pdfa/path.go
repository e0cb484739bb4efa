package pdfa

import (
	"fmt"
	"math"
)

// Path is a drawing of lines and curves in its own units, with y growing downwards.
// It can be drawn several times.
type Path struct {
	ops []byte
	err error
}

func (p *Path) add(operator string, values ...float64) {
	for _, v := range values {
		if math.IsNaN(v) || math.Abs(v) > 1e6 {
			p.err = fmt.Errorf("path through %g: coordinate out of range", v)
			return
		}
		p.ops = append(decimal(p.ops, v, 3), ' ')
	}
	p.ops = append(append(p.ops, operator...), '\n')
}

// MoveTo begins a new subpath.
func (p *Path) MoveTo(x, y float64) { p.add("m", x, y) }

// LineTo appends a straight line.
func (p *Path) LineTo(x, y float64) { p.add("l", x, y) }

// CurveTo appends a cubic Bézier curve.
func (p *Path) CurveTo(x1, y1, x2, y2, x, y float64) { p.add("c", x1, y1, x2, y2, x, y) }

// Close closes the current subpath.
func (p *Path) Close() { p.add("h") }

// Rect adds a rectangle.
func (p *Path) Rect(b Box) { p.add("re", b.X, b.Y, b.W, b.H) }

// RoundRect adds a rectangle with rounded corners.
func (p *Path) RoundRect(b Box, radius float64) {
	r := min(radius, b.W/2, b.H/2)
	const bend = 0.4477 // 1 - 0.5523, where 0.5523 approximates a quarter circle
	k := r * bend
	x, y, right, bottom := b.X, b.Y, b.X+b.W, b.Y+b.H
	p.MoveTo(x+r, y)
	p.LineTo(right-r, y)
	p.CurveTo(right-k, y, right, y+k, right, y+r)
	p.LineTo(right, bottom-r)
	p.CurveTo(right, bottom-k, right-k, bottom, right-r, bottom)
	p.LineTo(x+r, bottom)
	p.CurveTo(x+k, bottom, x, bottom-k, x, bottom-r)
	p.LineTo(x, y+r)
	p.CurveTo(x, y+k, x+k, y, x+r, y)
	p.Close()
}

// Matrix adds the dark modules of a symbol of n by n modules, such as a QR code. A
// module is one unit. Adjacent modules of a row form one rectangle.
func (p *Path) Matrix(n int, dark func(x, y int) bool) {
	for y := range n {
		for x := 0; x < n; x++ {
			end := x
			for end < n && dark(end, y) {
				end++
			}
			if end > x {
				p.Rect(Box{float64(x), float64(y), float64(end - x), 1})
				x = end
			}
		}
	}
}
