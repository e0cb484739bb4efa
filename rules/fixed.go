package rules

import (
	"math/bits"
	"strings"

	"khatm/money"
)

// fixed is a number in millionths. Nearly every number of an invoice fits, and
// adding two of them takes a nanosecond, compared with a hundred for exact
// decimals of any length: a document may have 4,000 lines. Other numbers are
// computed with [money.Decimal], with the same results.
type fixed int64

const (
	million    fixed = 1_000_000
	fixedLimit fixed = 100_000_000_000_000_000 // every number that toFixed accepts is smaller
	fixedPlain       = 17                      // most digits that toFixed accepts
)

// toFixed parses digits with an optional minus and point, and up to six digits
// after the point. It returns false for all other numbers that decimal accepts.
func toFixed(text string) (fixed, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	var n fixed
	count, places := 0, -1
	for i := range len(digits) {
		c := digits[i]
		switch {
		case c == '.' && places < 0:
			places = 0
			continue
		case c < '0' || c > '9':
			return 0, false
		case places >= 0:
			places++
		}
		n, count = n*10+fixed(c-'0'), count+1
		if count > fixedPlain {
			return 0, false
		}
	}
	missing := 6 - max(places, 0)
	if count == 0 || missing < 0 || count+missing > fixedPlain {
		return 0, false
	}
	for range missing {
		n *= 10
	}
	if negative {
		n = -n
	}
	return n, true
}

func (n fixed) decimal() money.Decimal {
	return money.FromInt(int64(n)).Mul(oneMillionth)
}

var oneMillionth = money.MustParse("0.000001")

// round2 rounds like the function round2 on decimals.
func (n fixed) round2() fixed { return floorTo(n+5_000, 10_000) }

// floorTo returns the largest multiple of unit that is not greater than n.
func floorTo(n, unit fixed) fixed {
	rest := n % unit
	if rest < 0 {
		rest += unit
	}
	return n - rest
}

// times returns the product of two numbers, rounded down to three decimals, or
// false if it does not fit.
func (n fixed) times(m fixed) (fixed, bool) {
	hi, lo := bits.Mul64(uint64(max(n, -n)), uint64(max(m, -m)))
	if hi >= uint64(million) {
		return 0, false
	}
	quotient, rest := bits.Div64(hi, lo, uint64(million))
	if quotient > uint64(fixedLimit) {
		return 0, false
	}
	product := fixed(quotient)
	if (n < 0) != (m < 0) {
		product = -product
		if rest > 0 {
			product--
		}
	}
	return floorTo(product, 1_000), true
}

// tally sums up numbers.
type tally struct {
	fast fixed
	slow money.Decimal
}

// add adds a number. It ignores any other text, on which the sheets abort.
func (s *tally) add(text string) {
	n, ok := toFixed(text)
	if sum := s.fast + n; ok && max(sum, -sum) < 10*fixedLimit {
		s.fast = sum
		return
	}
	d, _ := decimal(text)
	s.slow = s.slow.Add(d)
}

// sub subtracts a number.
func (s *tally) sub(text string) {
	var off tally
	off.add(text)
	s.fast, s.slow = s.fast-off.fast, s.slow.Sub(off.slow)
}

func (s *tally) total() money.Decimal { return s.fast.decimal().Add(s.slow) }
