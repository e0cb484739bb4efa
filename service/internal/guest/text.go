package guest

import (
	"strings"
	"time"
	"unicode"

	"khatm/money"
	"khatm/service/internal/share"
)

// riyadh has had no other offset since there is such a thing as UTC.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

// clean takes out of a text what could turn the writing around it: embeddings,
// overrides and isolates without an end, and whatever is no character to be seen.
// Who wrote the text is not who reads it.
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

// amount prints an amount of money: two places, separators between thousands.
func amount(d money.Decimal) string { return money.Grouped(d.Fixed2()) }

// day is a date to be read, and as the machine has it.
type day struct{ Text, ISO string }

// dayOf prints a date, Gregorian and in Western digits. What is no date is left
// as it is.
func (l language) dayOf(iso string) day {
	at, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return day{iso, iso}
	}
	return day{share.Day(string(l), at), iso}
}

// momentOf prints a date and time of Riyadh.
func (l language) momentOf(at time.Time) day {
	return day{share.Moment(string(l), at), at.In(riyadh).Format(time.RFC3339)}
}
