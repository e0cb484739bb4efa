package paper

import "khatm/pdfa"

// frame is a column of a page. On a page that is read from right to left its
// start is the right edge.
type frame struct {
	left, right float64
	rtl         bool
}

func (f frame) width() float64 { return f.right - f.left }

// cut is a part of the frame that begins so far from its start.
func (f frame) cut(offset, width float64) frame {
	if f.rtl {
		return frame{f.right - offset - width, f.right - offset, true}
	}
	return frame{f.left + offset, f.left + offset + width, false}
}

// inset is the frame without a margin on both sides.
func (f frame) inset(by float64) frame { return frame{f.left + by, f.right - by, f.rtl} }

// side is where in a frame text stands.
type side uint8

const (
	atStart side = iota
	atEnd
	atRight // figures: so that their points stand below each other
	atCenter
)

// anchor gives the point to draw at.
func (f frame) anchor(s side) (float64, pdfa.Align) {
	switch {
	case s == atCenter:
		return (f.left + f.right) / 2, pdfa.Center
	case s == atRight, s == atStart && f.rtl, s == atEnd && !f.rtl:
		return f.right, pdfa.Right
	}
	return f.left, pdfa.Left
}
