package qr

import (
	"errors"
	"fmt"

	encoder "rsc.io/qr"
)

// Symbol is the square of black and white modules that a camera reads, without
// the quiet zone: who draws it leaves four white modules on each side.
type Symbol struct {
	code *encoder.Code
}

// NewSymbol makes the smallest symbol that holds the text.
//
// Size counts for more than redundancy here. A stamped code has 500 to 1,000
// characters; at the lowest level of correction, 700 need 89 modules a side
// and 1,000 need 105, which with the quiet zone is 339 dots at three a module
// and fits the 384 dots of a 58 mm till. The next level needs 121 and does
// not fit, and finer modules are what cameras and thermal heads fail on. So the
// level is the highest one that costs no larger symbol.
func NewSymbol(text string) (*Symbol, error) {
	if text == "" {
		return nil, errors.New("the text of the symbol is empty")
	}
	best, err := encoder.Encode(text, encoder.L)
	if err != nil {
		return nil, fmt.Errorf("draw a text of %d bytes: %w", len(text), err)
	}
	for _, level := range []encoder.Level{encoder.M, encoder.Q, encoder.H} {
		code, err := encoder.Encode(text, level)
		if err != nil || code.Size > best.Size {
			break
		}
		best = code
	}
	return &Symbol{best}, nil
}

// Size is the number of modules on a side.
func (s *Symbol) Size() int { return s.code.Size }

// Black reports whether the module in column x and row y, counted from the top
// left corner, is black. Outside of the symbol everything is white.
func (s *Symbol) Black(x, y int) bool { return s.code.Black(x, y) }
