package guest

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"khatm/money"
)

// riyadh has had no other offset since there is such a thing as UTC.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

var arabicMonths = [...]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"}

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
func amount(d money.Decimal) string { return grouped(d.Fixed2()) }

// grouped puts separators between the thousands of a decimal number.
func grouped(text string) string {
	sign, digits := "", text
	if strings.HasPrefix(text, "-") {
		sign, digits = "-", text[1:]
	}
	whole, rest, point := strings.Cut(digits, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if point {
		b.WriteString("." + rest)
	}
	return b.String()
}

// day is a date to be read, and as the machine has it.
type day struct{ Text, ISO string }

// dayOf prints a date, Gregorian and in Western digits. What is no date is left
// as it is.
func (l language) dayOf(iso string) day {
	at, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return day{iso, iso}
	}
	return day{l.date(at), iso}
}

// momentOf prints a date and time of Riyadh.
func (l language) momentOf(at time.Time) day {
	at = at.In(riyadh)
	comma := l.pick(", ", "، ")
	return day{l.date(at) + comma + at.Format("15:04"), at.Format(time.RFC3339)}
}

func (l language) date(at time.Time) string {
	if l == arabic {
		return strconv.Itoa(at.Day()) + " " + arabicMonths[at.Month()-1] + " " + strconv.Itoa(at.Year())
	}
	return at.Format("2 January 2006")
}
