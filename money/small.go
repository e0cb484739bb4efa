package money

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/shopspring/decimal"
)

// powers are the powers of ten that fit into an int64.
var powers = [...]int64{
	1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000,
	100_000_000, 1_000_000_000, 10_000_000_000, 100_000_000_000, 1_000_000_000_000,
	10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
	10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
}

// wide returns d in the type that holds any number of digits.
func (d Decimal) wide() decimal.Decimal {
	if d.large != nil {
		return *d.large
	}
	return decimal.New(d.digits, -d.places)
}

// narrow returns a number with its digits in an int64 if they fit.
func narrow(v decimal.Decimal) Decimal {
	if digits := v.Coefficient(); digits.IsInt64() && v.Exponent() <= 0 {
		if n := digits.Int64(); n != math.MinInt64 { // its negation does not fit
			return Decimal{digits: n, places: -v.Exponent()}
		}
	}
	return Decimal{large: &v}
}

// align returns the digits of both numbers with the same number of decimal
// places. It returns false if they do not fit.
func align(d, e Decimal) (m, n int64, places int32, ok bool) {
	if d.large != nil || e.large != nil {
		return 0, 0, 0, false
	}
	m, n, places = d.digits, e.digits, d.places
	switch {
	case d.places < e.places:
		places = e.places
		m, ok = scale(m, e.places-d.places)
	case d.places > e.places:
		n, ok = scale(n, d.places-e.places)
	default:
		ok = true
	}
	return m, n, places, ok
}

// scale returns n times a power of ten.
func scale(n int64, power int32) (int64, bool) {
	if int(power) >= len(powers) {
		return 0, n == 0
	}
	return multiply(n, powers[power])
}

// multiply returns m × n. It returns false if the product does not fit.
func multiply(m, n int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(m), magnitude(n))
	if high != 0 || low > math.MaxInt64 {
		return 0, false
	}
	if (m < 0) != (n < 0) {
		return -int64(low), true
	}
	return int64(low), true
}

// add returns m + n. It returns false if the sum does not fit.
func add(m, n int64) (int64, bool) {
	sum := m + n
	overflow := (m < 0) == (n < 0) && (sum < 0) != (m < 0)
	return sum, !overflow && sum != math.MinInt64
}

// magnitude returns the absolute value of n.
func magnitude(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}

// divide returns n ÷ divisor, rounded half away from zero. The divisor is a power of
// ten.
func divide(n, divisor int64) int64 {
	quotient, rest := n/divisor, n%divisor
	switch {
	case 2*rest >= divisor:
		quotient++
	case -2*rest >= divisor:
		quotient--
	}
	return quotient
}

// floor returns the largest integer that is not greater than n ÷ divisor. The
// divisor is positive.
func floor(n, divisor int64) int64 {
	quotient := n / divisor
	if n%divisor < 0 {
		quotient--
	}
	return quotient
}

// appendDigits appends n with the given number of decimal places, all of them.
func appendDigits(out []byte, n int64, places int) []byte {
	if n < 0 {
		out = append(out, '-')
	}
	if places == 0 {
		return strconv.AppendUint(out, magnitude(n), 10)
	}
	var room [20]byte
	digits := strconv.AppendUint(room[:0], magnitude(n), 10)
	if len(digits) <= places {
		out = append(out, '0', '.')
		for range places - len(digits) {
			out = append(out, '0')
		}
		return append(out, digits...)
	}
	point := len(digits) - places
	out = append(append(out, digits[:point]...), '.')
	return append(out, digits[point:]...)
}
