package guest

import (
	"strings"
	"time"
	"unicode"

	"khatm/money"
	"khatm/service/internal/share"
)

// riyadh is a fixed zone: Saudi Arabia has no daylight saving time.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

// clean removes characters from a text that could change the direction of the
// text around it, such as embeddings, overrides and isolates, and replaces
// control characters with spaces. The text may come from a third party.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069', r == unicode.ReplacementChar, r == '\uFEFF':
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text)
}

// amount formats an amount with two decimals and thousands separators.
func amount(d money.Decimal) string { return money.Grouped(d.Fixed2()) }

// price formats a unit price, which may have more than two decimals.
func price(d money.Decimal) string {
	if d.Places() > 2 {
		return money.Grouped(d.String())
	}
	return amount(d)
}

// grossPrice formats a unit price including VAT; it returns "" for zero.
func grossPrice(d money.Decimal) string {
	if d.IsZero() {
		return ""
	}
	return price(d)
}

// day is a formatted date and its ISO form.
type day struct{ Text, ISO string }

// dayOf formats a Gregorian date with Western digits. A text that is not a date
// stays unchanged.
func (l language) dayOf(iso string) day {
	at, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return day{iso, iso}
	}
	return day{share.Day(string(l), at), iso}
}

// momentOf formats a date and time in Riyadh time.
func (l language) momentOf(at time.Time) day {
	return day{share.Moment(string(l), at), at.In(riyadh).Format(time.RFC3339)}
}
