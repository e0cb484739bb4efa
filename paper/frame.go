package paper

import "khatm/pdfa"

// frame is a column of a page. On a right-to-left page, it starts at its right
// edge.
type frame struct {
	left, right float64
	rtl         bool
}

func (f frame) width() float64 { return f.right - f.left }

// cut returns the part of the frame with the given width at the given offset from
// its start.
func (f frame) cut(offset, width float64) frame {
	if f.rtl {
		return frame{f.right - offset - width, f.right - offset, true}
	}
	return frame{f.left + offset, f.left + offset + width, false}
}

// inset returns the frame without a margin on both sides.
func (f frame) inset(by float64) frame { return frame{f.left + by, f.right - by, f.rtl} }

// side is the alignment of text in a frame.
type side uint8

const (
	atStart side = iota
	atEnd
	atRight // for numbers, so that their decimal points are aligned
	atCenter
)

// anchor returns the x coordinate and the alignment to draw text with.
func (f frame) anchor(s side) (float64, pdfa.Align) {
	switch {
	case s == atCenter:
		return (f.left + f.right) / 2, pdfa.Center
	case s == atRight, s == atStart && f.rtl, s == atEnd && !f.rtl:
		return f.right, pdfa.Right
	}
	return f.left, pdfa.Left
}
