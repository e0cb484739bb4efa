package money

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// Errors returned by [Parse] and [ParseNumber]. The messages are written to
// follow the name of a field.
var (
	ErrSyntax  = errors.New("must be a decimal number such as 12.50")
	ErrTooLong = fmt.Errorf("must have at most %d digits before and %d after the point", MaxWhole, MaxPlaces)
)

// Parse parses a decimal number: an optional minus sign, digits, and optionally
// a decimal point followed by digits. It rejects exponents, plus signs, spaces,
// separators, digits of other scripts, NaN and infinity.
func Parse(text string) (Decimal, error) {
	whole, places, err := measure(text)
	if err != nil {
		return Decimal{}, err
	}
	if whole > MaxWhole || places > MaxPlaces {
		return Decimal{}, ErrTooLong
	}
	if whole+places < len(powers) { // the common case: the digits fit into an int64
		return Decimal{digits: digitsOf(text), places: int32(places)}, nil
	}
	n, ok := new(big.Int).SetString(strings.Replace(text, ".", "", 1), 10)
	if !ok {
		return Decimal{}, ErrSyntax
	}
	return narrow(decimal.NewFromBigInt(n, -int32(places))), nil
}

// digitsOf returns the digits of a valid number, without its decimal point.
func digitsOf(text string) (n int64) {
	for i := range len(text) {
		if isDigit(text[i]) {
			n = 10*n + int64(text[i]-'0')
		}
	}
	if text[0] == '-' {
		return -n
	}
	return n
}

// ParseNumber parses a JSON number. It is like [Parse] but also accepts an
// exponent from -99 to 99, because some programs write small numbers as 1e-05.
func ParseNumber(text string) (Decimal, error) {
	at := strings.IndexAny(text, "eE")
	if at < 0 {
		return Parse(text)
	}
	exponent := strings.TrimPrefix(text[at+1:], "+")
	shift, err := strconv.Atoi(exponent)
	if err != nil || shift < -99 || shift > 99 {
		return Decimal{}, ErrTooLong
	}
	d, err := Parse(text[:at])
	if err != nil {
		return Decimal{}, err
	}
	return Parse(d.wide().Shift(int32(shift)).String())
}

// MustParse is like [Parse] but panics if the text is invalid. It is meant for
// constants in the source code.
func MustParse(text string) Decimal {
	d, err := Parse(text)
	if err != nil {
		panic(fmt.Sprintf("money: %q: %v", text, err))
	}
	return d
}

// measure counts the digits before and after the decimal point. It returns
// ErrSyntax if the text is not a decimal number.
func measure(text string) (whole, places int, err error) {
	i := 0
	if i < len(text) && text[i] == '-' {
		i++
	}
	for ; i < len(text) && isDigit(text[i]); i++ {
		whole++
	}
	if i < len(text) && text[i] == '.' {
		for i++; i < len(text) && isDigit(text[i]); i++ {
			places++
		}
		if places == 0 {
			return 0, 0, ErrSyntax
		}
	}
	if whole == 0 || i != len(text) {
		return 0, 0, ErrSyntax
	}
	return whole, places, nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
