package share

import (
	"strconv"
	"time"

	"khatm/invoice"
)

var arabicMonths = [...]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"}

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
	at = at.In(invoice.Riyadh())
	comma := ", "
	if language == "ar" {
		comma = "، "
	}
	return Day(language, at) + comma + at.Format("15:04")
}
