package share

import (
	"strconv"
	"time"

	"khatm/invoice"
)

var arabicMonths = [...]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"}

// Currency returns the currency as written beside an amount.
func Currency(language, code string) string {
	if language == "ar" && code == "SAR" {
		return "ر.س"
	}
	return code
}

// Day formats the Gregorian date of a time in its own zone, with Western
// digits.
func Day(language string, at time.Time) string {
	if language == "ar" {
		return strconv.Itoa(at.Day()) + " " + arabicMonths[at.Month()-1] + " " + strconv.Itoa(at.Year())
	}
	return at.Format("2 January 2006")
}

// Moment formats a date and time in Riyadh time.
func Moment(language string, at time.Time) string {
	at = at.In(invoice.Riyadh())
	comma := ", "
	if language == "ar" {
		comma = "، "
	}
	return Day(language, at) + comma + at.Format("15:04")
}
