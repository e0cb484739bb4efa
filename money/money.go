// Package money holds exact decimal numbers and the one rounding of the tax
// document: two places, half away from zero.
//
// A [Decimal] comes from text, never from a binary fraction, so what a caller
// wrote is what is computed with. Parsing is bounded: a number with more
// digits than any invoice can hold is refused before any arithmetic is done.
// The package knows no currency and no tax.
package money

import (
	"fmt"
	"strconv"

	"github.com/shopspring/decimal"
)

// Bounds of what Parse accepts. The largest amount an invoice can reach is
// 4,000 lines below 10,000,000,000,000 each, which is 17 digits.
const (
	MaxWhole  = 20 // digits before the point
	MaxPlaces = 20 // digits after the point
)

// Decimal is an exact decimal number; its zero value is 0.
type Decimal struct {
	value decimal.Decimal
}

// FromInt returns the whole number n.
func FromInt(n int64) Decimal {
	return Decimal{decimal.NewFromInt(n)}
}

// Sum adds all of the numbers up.
func Sum(numbers ...Decimal) Decimal {
	var total Decimal
	for _, n := range numbers {
		total = total.Add(n)
	}
	return total
}

// Add returns d + e.
func (d Decimal) Add(e Decimal) Decimal { return Decimal{d.value.Add(e.value)} }

// Sub returns d − e.
func (d Decimal) Sub(e Decimal) Decimal { return Decimal{d.value.Sub(e.value)} }

// Mul returns d × e, exactly.
func (d Decimal) Mul(e Decimal) Decimal { return Decimal{d.value.Mul(e.value)} }

// Neg returns −d.
func (d Decimal) Neg() Decimal { return Decimal{d.value.Neg()} }

// Abs returns d without its sign.
func (d Decimal) Abs() Decimal { return Decimal{d.value.Abs()} }

// Percent returns rate percent of d, exactly: 200 at 15 is 30.
func (d Decimal) Percent(rate Decimal) Decimal {
	return Decimal{d.value.Mul(rate.value).Shift(-2)}
}

// Round2 returns d with two places, half away from zero: 0.005 becomes 0.01
// and -0.005 becomes -0.01.
func (d Decimal) Round2() Decimal { return Decimal{d.value.Round(2)} }

// Floor returns the largest number with so many places that is not above d. It
// is not how amounts are rounded; the official rule sheets compute with it.
func (d Decimal) Floor(places int) Decimal {
	shift := int32(places)
	return Decimal{d.value.Shift(shift).Floor().Shift(-shift)}
}

// Cmp is negative, zero or positive as d is less than, equal to or greater than e.
func (d Decimal) Cmp(e Decimal) int { return d.value.Cmp(e.value) }

// Equal says whether d and e are the same number: 1.50 equals 1.5.
func (d Decimal) Equal(e Decimal) bool { return d.Cmp(e) == 0 }

// Less says whether d is below e.
func (d Decimal) Less(e Decimal) bool { return d.Cmp(e) < 0 }

// Sign is -1, 0 or 1.
func (d Decimal) Sign() int { return d.value.Sign() }

// IsZero says whether d is 0.
func (d Decimal) IsZero() bool { return d.value.IsZero() }

// Places counts the digits after the point that the number needs: 1.500 has one.
func (d Decimal) Places() int {
	if n, small := d.small(); small {
		places := -int(d.value.Exponent())
		for ; places > 0 && n%10 == 0; n /= 10 {
			places--
		}
		return max(places, 0)
	}
	text := d.value.String()
	for i := range len(text) {
		if text[i] == '.' {
			return len(text) - i - 1
		}
	}
	return 0
}

// String writes the number with as many places as it needs: 1.50 is "1.5".
func (d Decimal) String() string { return d.value.String() }

// Fixed2 writes the number as an amount: rounded to two places, both shown.
func (d Decimal) Fixed2() string {
	n, small := d.small()
	switch d.value.Exponent() {
	case -2:
	case -1:
		n *= 10
	case 0:
		n *= 100
	default:
		small = false
	}
	if !small {
		return d.value.StringFixed(2)
	}
	// Nearly every amount takes this way, which needs no big number.
	out := make([]byte, 0, 24)
	if n < 0 {
		out, n = append(out, '-'), -n
	}
	out = strconv.AppendInt(out, n/100, 10)
	return string(append(out, '.', byte('0'+n/10%10), byte('0'+n%10)))
}

// small returns the digits of the number without its point, if they are few
// enough to be computed with, two more zeros included.
func (d Decimal) small() (digits int64, ok bool) {
	if d.value.NumDigits() > 16 {
		return 0, false
	}
	return d.value.CoefficientInt64(), true
}

// MarshalJSON writes the number as a decimal string, which no reader of JSON
// can turn into a binary fraction by accident.
func (d Decimal) MarshalJSON() ([]byte, error) {
	return []byte(`"` + d.String() + `"`), nil
}

// UnmarshalJSON reads a JSON number or a decimal string.
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
