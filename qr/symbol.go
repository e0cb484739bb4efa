package qr

import (
	"errors"
	"fmt"

	encoder "rsc.io/qr"
)

// Symbol is a QR symbol: a square matrix of black and white modules. It does
// not include the quiet zone; leave four white modules on each side.
type Symbol struct {
	code *encoder.Code
}

// NewSymbol returns the smallest symbol that holds the text, with the highest
// error correction level that does not make it larger.
//
// Size matters more than redundancy here. The code of a stamped invoice has 500
// to 1,000 characters. At the lowest level, 700 characters need 89 modules a
// side and 1,000 need 105. With the quiet zone that is 339 dots at three dots a
// module, which fits the 384 dots of a 58 mm receipt printer. The next level
// needs 121 modules and does not fit, and cameras and thermal printers have
// trouble with smaller modules.
func NewSymbol(text string) (*Symbol, error) {
	if text == "" {
		return nil, errors.New("the text of the symbol is empty")
	}
	best, err := encoder.Encode(text, encoder.L)
	if err != nil {
		return nil, fmt.Errorf("encode a text of %d bytes: %w", len(text), err)
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

// Size returns the number of modules per side.
func (s *Symbol) Size() int { return s.code.Size }

// Black reports whether the module in column x and row y is black. Column 0,
// row 0 is the top left corner. Positions outside of the symbol are white.
func (s *Symbol) Black(x, y int) bool { return s.code.Black(x, y) }
