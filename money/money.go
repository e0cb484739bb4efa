// Package money provides exact decimal numbers and the rounding rule of tax
// documents: two decimal places, half away from zero.
//
// A [Decimal] is parsed from text or made from an integer, never from a float,
// so no digit is lost. [Parse] rejects a number with more digits than an
// invoice can have, which bounds the cost of arithmetic. The package has no
// notion of currencies or taxes.
package money

import (
	"fmt"
	"strconv"

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
	value decimal.Decimal
}

// FromInt returns n as a Decimal.
func FromInt(n int64) Decimal {
	return Decimal{decimal.NewFromInt(n)}
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
func (d Decimal) Add(e Decimal) Decimal { return Decimal{d.value.Add(e.value)} }

// Sub returns d − e.
func (d Decimal) Sub(e Decimal) Decimal { return Decimal{d.value.Sub(e.value)} }

// Mul returns d × e, exactly.
func (d Decimal) Mul(e Decimal) Decimal { return Decimal{d.value.Mul(e.value)} }

// Neg returns −d.
func (d Decimal) Neg() Decimal { return Decimal{d.value.Neg()} }

// Abs returns the absolute value of d.
func (d Decimal) Abs() Decimal { return Decimal{d.value.Abs()} }

// Percent returns rate percent of d, exactly: 15 percent of 200 is 30.
func (d Decimal) Percent(rate Decimal) Decimal {
	return Decimal{d.value.Mul(rate.value).Shift(-2)}
}

// Round2 rounds d to two decimal places, half away from zero: 0.005 becomes
// 0.01 and -0.005 becomes -0.01.
func (d Decimal) Round2() Decimal { return Decimal{d.value.Round(2)} }

// Round rounds d to the given number of decimal places, half away from zero.
// Amounts are rounded with Round2.
func (d Decimal) Round(places int) Decimal { return Decimal{d.value.Round(int32(places))} }

// Quo returns d ÷ e, rounded once to the given number of decimal places, half
// away from zero. It panics if e is zero.
func (d Decimal) Quo(e Decimal, places int) Decimal {
	return Decimal{d.value.DivRound(e.value, int32(places))}
}

// Floor returns the largest number with the given number of decimal places that
// is not greater than d. Amounts are rounded with Round2; Floor exists because
// the official rule sheets use it.
func (d Decimal) Floor(places int) Decimal {
	shift := int32(places)
	return Decimal{d.value.Shift(shift).Floor().Shift(-shift)}
}

// Cmp returns -1, 0 or 1 if d is less than, equal to or greater than e.
func (d Decimal) Cmp(e Decimal) int { return d.value.Cmp(e.value) }

// Equal reports whether d and e are the same number: 1.50 equals 1.5.
func (d Decimal) Equal(e Decimal) bool { return d.Cmp(e) == 0 }

// Less reports whether d is less than e.
func (d Decimal) Less(e Decimal) bool { return d.Cmp(e) < 0 }

// Sign returns -1, 0 or 1 if d is negative, zero or positive.
func (d Decimal) Sign() int { return d.value.Sign() }

// IsZero reports whether d is 0.
func (d Decimal) IsZero() bool { return d.value.IsZero() }

// Places returns the number of significant decimal places: 1.500 has one.
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

// String formats d without trailing zeros: 1.50 is "1.5".
func (d Decimal) String() string { return d.value.String() }

// Fixed2 formats d as an amount, with exactly two decimal places, rounded as by
// [Decimal.Round2].
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
	// The common case: no big.Int is needed.
	out := make([]byte, 0, 24)
	if n < 0 {
		out, n = append(out, '-'), -n
	}
	out = strconv.AppendInt(out, n/100, 10)
	return string(append(out, '.', byte('0'+n/10%10), byte('0'+n%10)))
}

// small returns the digits of d as an integer, without the decimal point. It
// returns false if d has so many digits that the integer times 100 could
// overflow.
func (d Decimal) small() (digits int64, ok bool) {
	if d.value.NumDigits() > 16 {
		return 0, false
	}
	return d.value.CoefficientInt64(), true
}

// MarshalJSON encodes d as a JSON string, so that no JSON parser turns it into
// a float.
func (d Decimal) MarshalJSON() ([]byte, error) {
	return []byte(`"` + d.String() + `"`), nil
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
