package qr

import (
	"fmt"
	"image"

	"github.com/makiuchi-d/gozxing"
)

// grid is a symbol that fills the box of the dark pixels of an image, as if it
// were drawn and not photographed.
type grid struct {
	bits  *gozxing.BitMatrix
	box   image.Rectangle
	size  int // modules per side
	turns int // quarter turns
}

// newGrid returns the grid whose fixed patterns fit best. The detector of
// photographs is not enough: in one of a hundred faultless drawings it takes a
// part of the content for a corner.
func newGrid(bits *gozxing.BitMatrix) (grid, error) {
	const mostWrong = 0.15 // part of the modules of the fixed patterns
	r := bits.GetEnclosingRectangle()
	if r == nil {
		return grid{}, fmt.Errorf("%w: nothing is dark", ErrNoSymbol)
	}
	g := grid{bits: bits, box: image.Rect(r[0], r[1], r[0]+r[2], r[1]+r[3])}
	best, least := g, mostWrong
	for g.size = minSide; g.size <= 177 && g.size <= min(r[2], r[3]); g.size += 4 {
		for g.turns = range 4 {
			if wrong := g.wrong(); wrong < least {
				best, least = g, wrong
			}
		}
	}
	if best.size == 0 {
		return grid{}, fmt.Errorf("%w: the drawing is not a symbol", ErrNoSymbol)
	}
	return best, nil
}

// dark reports whether the middle of a module is dark.
func (g grid) dark(x, y int) bool {
	for range g.turns {
		x, y = y, g.size-1-x
	}
	return g.bits.Get(g.box.Min.X+(2*x+1)*g.box.Dx()/(2*g.size), g.box.Min.Y+(2*y+1)*g.box.Dy()/(2*g.size))
}

// wrong returns which part of the modules of the three corners and of the lines
// between them is not as in a symbol.
func (g grid) wrong() float64 {
	wrong, all := 0, 0
	expect := func(x, y int, dark bool) {
		if all++; g.dark(x, y) != dark {
			wrong++
		}
	}
	far := g.size - 7
	for y := range 7 {
		for x := range 7 {
			ring := max(max(x-3, 3-x), max(y-3, 3-y)) // 0 is the center
			for _, corner := range []image.Point{{}, {X: far}, {Y: far}} {
				expect(corner.X+x, corner.Y+y, ring != 2)
			}
		}
	}
	for i := 8; i < g.size-8; i++ {
		expect(i, 6, i%2 == 0)
		expect(6, i, i%2 == 0)
	}
	return float64(wrong) / float64(all)
}

// modules returns the modules of the symbol.
func (g grid) modules() (*gozxing.BitMatrix, error) {
	out, err := gozxing.NewSquareBitMatrix(g.size)
	if err != nil {
		return nil, fmt.Errorf("create a matrix: %w", err)
	}
	for y := range g.size {
		for x := range g.size {
			if g.dark(x, y) {
				out.Set(x, y)
			}
		}
	}
	return out, nil
}
