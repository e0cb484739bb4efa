package rules

import (
	"math/big"
	"strings"

	"khatm/money"
)

// decimal is xs:decimal(): digits with an optional sign and point, and white
// space around them. It returns false for a text on which the sheets abort.
func decimal(text string) (money.Decimal, bool) {
	if d, err := money.Parse(text); err == nil {
		return d, true
	}
	text = strings.Trim(text, blanks)
	digits, negative := strings.CutPrefix(text, "-")
	if !negative {
		digits = strings.TrimPrefix(text, "+")
	}
	whole, places, _ := strings.Cut(digits, ".")
	if whole+places == "" || len(digits) > maxDigits {
		return money.Decimal{}, false
	}
	d, ok := digitsOf(strings.TrimLeft(whole, "0"), strings.TrimRight(places, "0"))
	if negative {
		d = d.Neg()
	}
	return d, ok
}

// maxDigits limits the numbers that the rules compute with. The sheets have no
// limit; this one is far beyond any amount.
const maxDigits = 200

// The factors for 19 more digits before the point, and after it.
var (
	chunk    = money.MustParse("10000000000000000000")
	perChunk = money.MustParse("0.0000000000000000001")
)

// digitsOf builds a number that may be longer than money.Parse accepts, 19
// digits at a time.
func digitsOf(whole, places string) (money.Decimal, bool) {
	const size = 19
	var sum money.Decimal
	for n := len(whole) % size; whole != ""; n = size {
		part, err := money.Parse("0" + whole[:n])
		if err != nil {
			return sum, false
		}
		sum, whole = sum.Mul(chunk).Add(part), whole[n:]
	}
	for unit := perChunk; places != ""; unit = unit.Mul(perChunk) {
		n := min(size, len(places))
		part, err := money.Parse("0" + places[:n] + strings.Repeat("0", size-n))
		if err != nil {
			return sum, false
		}
		sum, places = sum.Add(part.Mul(unit)), places[n:]
	}
	return sum, true
}

// half2 is half a cent.
var half2 = money.MustParse("0.005")

// round2 is round(x × 100) div 100 and round(x, 2) of a decimal: half towards
// positive infinity, so that -0.005 becomes 0.
func round2(d money.Decimal) money.Decimal { return d.Add(half2).Floor(2) }

// trunc3 is floor(x × 1000) div 1000: -0.0001 becomes -0.001.
func trunc3(d money.Decimal) money.Decimal { return d.Floor(3) }

// divide is the operator div on decimals. A quotient that does not terminate is
// rounded, half towards zero, to 18 decimals, or to as many more as the dividend
// has beyond the divisor (trailing zeros of a whole number count as negative
// decimals). The divisor must not be 0.
func divide(a, b money.Decimal) money.Decimal {
	dividend, aPlaces := unscaled(a)
	divisor, bPlaces := unscaled(b)
	places := max(18, aPlaces-bPlaces+18)
	dividend.Mul(dividend, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places-aPlaces+bPlaces)), nil))
	sign := int64(dividend.Sign() * divisor.Sign())
	quotient, rest := dividend.QuoRem(dividend, divisor, new(big.Int))
	if rest.Lsh(rest, 1).CmpAbs(divisor) > 0 {
		quotient.Add(quotient, big.NewInt(sign))
	}
	text := quotient.Abs(quotient).String()
	text = strings.Repeat("0", max(0, places+1-len(text))) + text
	point := len(text) - places
	d, _ := decimal(text[:point] + "." + text[point:])
	if sign < 0 {
		d = d.Neg()
	}
	return d
}

// unscaled splits a number: 1.25 is 125 with 2 decimals, 300 is 3 with -2.
func unscaled(d money.Decimal) (digits *big.Int, places int) {
	whole, behind, _ := strings.Cut(d.String(), ".")
	text := whole + behind
	short := strings.TrimRight(text, "0")
	digits, ok := new(big.Int).SetString(short, 10)
	if !ok {
		return new(big.Int), 0
	}
	return digits, len(behind) - (len(text) - len(short))
}

// formatDecimal is format-number(d, '#.00') of a decimal: half to even, with the
// minus kept if the result is zero.
func formatDecimal(d money.Decimal) string {
	sign := ""
	if d.Sign() < 0 {
		sign = "-"
	}
	d = d.Abs()
	rounded := d.Add(half2).Floor(2)
	if rounded.Sub(d).Equal(half2) && rounded.Mul(money.FromInt(50)).Places() > 0 {
		rounded = d.Floor(2)
	}
	return sign + rounded.Fixed2()
}
