package tafqit

import (
	"strings"

	"khatm/money"
)

// maxDigits is the maximum number of digits of the whole part: six groups of
// three. The largest amount of an invoice has 17 digits.
const maxDigits = 18

// amount is an amount split into units of its currency.
type amount struct {
	negative bool
	whole    string // digits without leading zeros, in groups of three; "" is zero
	minor    string // the same for the minor unit
	rest     string // a fraction that is not a whole number of minor units, such as 50/100
	currency *currency
	code     string
}

// split splits an amount. It reports false if the amount is too large.
func split(d money.Decimal, code string) (amount, bool) {
	whole, places, _ := strings.Cut(d.Abs().String(), ".")
	a := amount{negative: d.Sign() < 0, whole: grouped(whole), code: code}
	places = strings.TrimRight(places, "0")
	if c, known := currencies[code]; known {
		a.currency = &c
	}
	if a.currency != nil && len(places) <= a.currency.places {
		a.minor = grouped(places + strings.Repeat("0", a.currency.places-len(places)))
	} else if places != "" {
		places += strings.Repeat("0", max(0, 2-len(places)))
		a.rest = strings.TrimLeft(places, "0") + "/1" + strings.Repeat("0", len(places))
	}
	return a, len(a.whole) <= maxDigits
}

// grouped returns digits without leading zeros, padded to groups of three.
func grouped(digits string) string {
	digits = strings.TrimLeft(digits, "0")
	return strings.Repeat("0", (3-len(digits)%3)%3) + digits
}

// groups returns the groups of three digits, the lowest first.
func groups(digits string) []int {
	var all []int
	for end := len(digits); end > 0; end -= 3 {
		g := digits[end-3 : end]
		all = append(all, int(g[0]-'0')*100+int(g[1]-'0')*10+int(g[2]-'0'))
	}
	return all
}
