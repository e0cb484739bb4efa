package pdfa

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// The face of signs has the glyphs that no other face has: the riyal sign, and for
// every other character a box with its code point. Thus an emoji or an ideograph in
// a name does not disappear and does not make the file invalid. The glyph IDs are
// code points.

// riyalSign is the riyal sign, U+20C1.
const riyalSign rune = 0x20C1

// Dimensions of the signs, in thousandths of an em.
const (
	signTop, signBottom = 700, -20
	pixel               = 54 // size of a pixel of a digit in a box
	riyalWidth          = 680
)

func newSigns() *face {
	return &face{name: "KhatmSigns", em: 1000, ascent: 800, descent: -200, capHeight: signTop, box: [4]int{0, -200, 1000, 800}}
}

// point is a corner of an outline.
type point struct{ x, y int }

func signWidth(r rune) int {
	switch r {
	case 0:
		return 500
	case riyalSign:
		return riyalWidth
	}
	return boxWidth(r) + 2*pixel
}

// boxWidth returns the width of a box with two rows of two or three digits.
func boxWidth(r rune) int {
	digits := 2
	if r > 0xFFFF {
		digits = 3
	}
	return (4*digits + 3) * pixel
}

func signOutline(r rune) []byte {
	switch r {
	case 0:
		return nil
	case riyalSign:
		return trueTypeOutline(riyalContours())
	}
	return trueTypeOutline(boxContours(r))
}

// boxContours returns a frame around the hexadecimal digits of a code point.
func boxContours(r rune) [][]point {
	w := boxWidth(r)
	frame := func(in int) []point {
		l, b, x, t := pixel+in, signBottom+in, pixel+w-in, signTop+in*-1
		return []point{{l, b}, {l, t}, {x, t}, {x, b}}
	}
	inner := frame(pixel / 2)
	inner[1], inner[3] = inner[3], inner[1] // opposite direction, so that it is a hole
	contours := [][]point{frame(0), inner}
	code := fmt.Sprintf("%04X", r)
	if r > 0xFFFF {
		code = fmt.Sprintf("%06X", r)
	}
	half := len(code) / 2
	for i := range code {
		x := pixel + 2*pixel + (i%half)*4*pixel
		y := signTop - 2*pixel
		if i >= half {
			y -= 6 * pixel
		}
		contours = append(contours, digitContours(code[i], x, y)...)
	}
	return contours
}

// digitRows are the sixteen hexadecimal digits as bitmaps of three by five pixels.
// The highest bit is on the left.
var digitRows = [16][5]uint8{
	{7, 5, 5, 5, 7}, {2, 6, 2, 2, 7}, {7, 1, 7, 4, 7}, {7, 1, 3, 1, 7},
	{5, 5, 7, 1, 1}, {7, 4, 7, 1, 7}, {7, 4, 7, 5, 7}, {7, 1, 2, 2, 2},
	{7, 5, 7, 5, 7}, {7, 5, 7, 1, 7}, {2, 5, 7, 5, 5}, {6, 5, 6, 5, 6},
	{3, 4, 4, 4, 3}, {6, 5, 5, 5, 6}, {7, 4, 6, 4, 7}, {7, 4, 6, 4, 4},
}

func digitContours(digit byte, x, y int) [][]point {
	n, err := strconv.ParseUint(string(digit), 16, 8)
	if err != nil {
		return nil
	}
	var contours [][]point
	for row, bits := range digitRows[n] {
		for col := 0; col < 3; col++ {
			end := col
			for end < 3 && bits&(4>>end) != 0 {
				end++
			}
			if end == col {
				continue
			}
			l, t := x+col*pixel, y-row*pixel
			contours = append(contours, []point{{l, t - pixel}, {l, t}, {x + end*pixel, t}, {x + end*pixel, t - pixel}})
			col = end
		}
	}
	return contours
}

// trueTypeOutline encodes contours of straight lines as a simple glyph.
func trueTypeOutline(contours [][]point) []byte {
	var all []point
	var ends, xs, ys []byte
	lo, hi := contours[0][0], contours[0][0]
	for _, c := range contours {
		all = append(all, c...)
		ends = binary.BigEndian.AppendUint16(ends, uint16(len(all)-1))
	}
	var last point
	for _, p := range all {
		lo = point{min(lo.x, p.x), min(lo.y, p.y)}
		hi = point{max(hi.x, p.x), max(hi.y, p.y)}
		xs = binary.BigEndian.AppendUint16(xs, uint16(int16(p.x-last.x)))
		ys = binary.BigEndian.AppendUint16(ys, uint16(int16(p.y-last.y)))
		last = p
	}
	out := make([]byte, 0, 12+len(ends)+5*len(all))
	for _, v := range []int{len(contours), lo.x, lo.y, hi.x, hi.y} {
		out = binary.BigEndian.AppendUint16(out, uint16(int16(v)))
	}
	out = append(append(out, ends...), 0, 0) // no instructions
	for range all {
		out = append(out, 1) // point on the curve, both coordinates in two bytes
	}
	return append(append(out, xs...), ys...)
}
