package pdfa

import "encoding/binary"

// The face of signs has the glyphs that no other face has: the riyal sign, and for
// every other character the same neutral sign, a hollow diamond. Thus an emoji or an
// ideograph in a name does not disappear and does not make the file invalid; its
// text remains in the text layer. The glyph IDs are code points.

// riyalSign is the riyal sign, U+20C1.
const riyalSign rune = 0x20C1

// Dimensions of the signs, in thousandths of an em.
const (
	signTop, signBottom = 700, -20
	riyalWidth          = 680
	diamondWidth        = 560
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
	return diamondWidth
}

func signOutline(r rune) []byte {
	switch r {
	case 0:
		return nil
	case riyalSign:
		return trueTypeOutline(riyalContours())
	}
	return trueTypeOutline(diamondContours())
}

// diamondContours returns the sign for a character that no face has.
func diamondContours() [][]point {
	const (
		x, y   = diamondWidth / 2, 330 // center
		radius = 240
		hole   = radius - 70
	)
	return [][]point{
		{{x - radius, y}, {x, y + radius}, {x + radius, y}, {x, y - radius}},
		{{x - hole, y}, {x, y - hole}, {x + hole, y}, {x, y + hole}}, // opposite direction, so that it is a hole
	}
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
