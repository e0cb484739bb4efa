package share

import (
	"strconv"
	"strings"
	"time"
)

// riyadh has had no other offset since there is such a thing as UTC.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

var arabicMonths = [...]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"}

// Grouped puts separators between the thousands of a decimal number.
func Grouped(text string) string {
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

// Currency is how a currency is written beside an amount.
func Currency(language, code string) string {
	if language == "ar" && code == "SAR" {
		return "ر.س"
	}
	return code
}

// Day prints the date of a time as it stands, Gregorian and in Western digits.
func Day(language string, at time.Time) string {
	if language == "ar" {
		return strconv.Itoa(at.Day()) + " " + arabicMonths[at.Month()-1] + " " + strconv.Itoa(at.Year())
	}
	return at.Format("2 January 2006")
}

// Moment prints a date and time of Riyadh.
func Moment(language string, at time.Time) string {
	at = at.In(riyadh)
	comma := ", "
	if language == "ar" {
		comma = "، "
	}
	return Day(language, at) + comma + at.Format("15:04")
}
