// Package money provides exact decimal numbers and the rounding rule of tax
// documents: two decimal places, half away from zero.
//
// A [Decimal] is parsed from text or made from an integer, never from a float,
// so no digit is lost. [Parse] rejects a number with more digits than an
// invoice can have, which bounds the cost of arithmetic. The package has no
// notion of currencies or taxes.
package money

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/shopspring/decimal"
)

// Limits of [Parse]. The largest possible amount of an invoice has 17 digits:
// 4,000 lines below 10,000,000,000,000 each.
const (
	MaxWhole  = 20 // digits before the point
	MaxPlaces = 30 // digits after the point; decimal types of other languages have up to 28
)

// Decimal is an exact decimal number. The zero value is 0.
type Decimal struct {
	digits int64            // the number without its decimal point; never the smallest int64
	places int32            // number of digits after the point, zero or more
	large  *decimal.Decimal // if not nil, the number: its digits do not fit into an int64
}

// FromInt returns n as a Decimal.
func FromInt(n int64) Decimal {
	if n == math.MinInt64 {
		return narrow(decimal.NewFromInt(n))
	}
	return Decimal{digits: n}
}

// Sum returns the sum of the numbers.
func Sum(numbers ...Decimal) Decimal {
	var total Decimal
	for _, n := range numbers {
		total = total.Add(n)
	}
	return total
}

// Add returns d + e.
func (d Decimal) Add(e Decimal) Decimal {
	if m, n, places, ok := align(d, e); ok {
		if sum, ok := add(m, n); ok {
			return Decimal{digits: sum, places: places}
		}
	}
	return narrow(d.wide().Add(e.wide()))
}

// Sub returns d − e.
func (d Decimal) Sub(e Decimal) Decimal { return d.Add(e.Neg()) }

// Mul returns d × e, exactly.
func (d Decimal) Mul(e Decimal) Decimal {
	if d.large == nil && e.large == nil {
		if product, ok := multiply(d.digits, e.digits); ok {
			return Decimal{digits: product, places: d.places + e.places}
		}
	}
	return narrow(d.wide().Mul(e.wide()))
}

// Neg returns −d.
func (d Decimal) Neg() Decimal {
	if d.large == nil {
		return Decimal{digits: -d.digits, places: d.places}
	}
	return narrow(d.large.Neg())
}

// Abs returns the absolute value of d.
func (d Decimal) Abs() Decimal {
	if d.Sign() < 0 {
		return d.Neg()
	}
	return d
}

// Percent returns rate percent of d, exactly: 15 percent of 200 is 30.
func (d Decimal) Percent(rate Decimal) Decimal { return d.Mul(rate).Mul(Decimal{digits: 1, places: 2}) }

// Round2 rounds d to two decimal places, half away from zero: 0.005 becomes
// 0.01 and -0.005 becomes -0.01.
func (d Decimal) Round2() Decimal { return d.Round(2) }

// Round rounds d to the given number of decimal places, half away from zero.
// Amounts are rounded with Round2.
func (d Decimal) Round(places int) Decimal {
	surplus := int(d.places) - places
	switch {
	case d.large != nil || surplus >= len(powers):
		return narrow(d.wide().Round(int32(places)))
	case surplus <= 0:
		return d
	}
	return Decimal{digits: divide(d.digits, powers[surplus]), places: int32(places)}
}

// Quo returns d ÷ e, rounded once to the given number of decimal places, half
// away from zero. It panics if e is zero.
func (d Decimal) Quo(e Decimal, places int) Decimal {
	return narrow(d.wide().DivRound(e.wide(), int32(places)))
}

// Floor returns the largest number with the given number of decimal places that
// is not greater than d. Amounts are rounded with Round2; Floor exists because
// the official rule sheets use it.
func (d Decimal) Floor(places int) Decimal {
	if surplus := int(d.places) - places; d.large == nil && surplus < len(powers) {
		if surplus <= 0 {
			return d
		}
		return Decimal{digits: floor(d.digits, powers[surplus]), places: int32(places)}
	}
	shift := int32(places)
	return narrow(d.wide().Shift(shift).Floor().Shift(-shift))
}

// Cmp returns -1, 0 or 1 if d is less than, equal to or greater than e.
func (d Decimal) Cmp(e Decimal) int {
	if m, n, _, ok := align(d, e); ok {
		return cmp.Compare(m, n)
	}
	return d.wide().Cmp(e.wide())
}

// Equal reports whether d and e are the same number: 1.50 equals 1.5.
func (d Decimal) Equal(e Decimal) bool { return d.Cmp(e) == 0 }

// Less reports whether d is less than e.
func (d Decimal) Less(e Decimal) bool { return d.Cmp(e) < 0 }

// Sign returns -1, 0 or 1 if d is negative, zero or positive.
func (d Decimal) Sign() int {
	if d.large != nil {
		return d.large.Sign()
	}
	return cmp.Compare(d.digits, 0)
}

// IsZero reports whether d is 0.
func (d Decimal) IsZero() bool { return d.Sign() == 0 }

// Places returns the number of significant decimal places: 1.500 has one.
func (d Decimal) Places() int {
	if d.large == nil {
		_, places := d.significant()
		return places
	}
	_, fraction, _ := strings.Cut(d.large.String(), ".")
	return len(fraction)
}

// String formats d without trailing zeros: 1.50 is "1.5".
func (d Decimal) String() string {
	var room [textSize]byte
	return string(d.appendText(room[:0]))
}

// textSize is enough for the text of most numbers.
const textSize = 32

func (d Decimal) appendText(out []byte) []byte {
	if d.large != nil {
		return append(out, d.large.String()...)
	}
	digits, places := d.significant()
	return appendDigits(out, digits, places)
}

// significant returns the digits of a number that is not large, without zeros at
// the end of its decimal places, and the number of places.
func (d Decimal) significant() (digits int64, places int) {
	digits, places = d.digits, int(d.places)
	for ; places > 0 && digits%10 == 0; digits /= 10 {
		places--
	}
	return digits, places
}

// Fixed2 formats d as an amount, with exactly two decimal places, rounded as by
// [Decimal.Round2].
func (d Decimal) Fixed2() string {
	rounded := d.Round2()
	if rounded.large == nil {
		if digits, ok := scale(rounded.digits, 2-rounded.places); ok {
			var room [textSize]byte
			return string(appendDigits(room[:0], digits, 2))
		}
	}
	return rounded.wide().StringFixed(2)
}

// MarshalJSON encodes d as a JSON string, so that no JSON parser turns it into
// a float.
func (d Decimal) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, textSize), '"')
	return append(d.appendText(out), '"'), nil
}

// UnmarshalJSON decodes a JSON number, or a JSON string that holds a decimal
// number.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	text := string(data)
	parse := ParseNumber
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		text, parse = text[1:len(text)-1], Parse
	}
	parsed, err := parse(text)
	if err != nil {
		return fmt.Errorf("decimal: %w", err)
	}
	*d = parsed
	return nil
}
