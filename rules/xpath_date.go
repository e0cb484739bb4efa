package rules

import (
	"strconv"
	"strings"
	"time"
)

// riyadh is the time zone of dates and times without one, as for the authority.
var riyadh = time.FixedZone("+03:00", 3*60*60)

// xsDate is xs:date() as the time at which the day begins. It does not accept
// years before the common era: no rule needs them.
func xsDate(text string) (time.Time, bool) {
	text = strings.Trim(text, blanks)
	if day, err := time.ParseInLocation("2006-01-02", text, riyadh); err == nil {
		return day, true
	}
	if day, err := time.Parse("2006-01-02Z07:00", text); err == nil {
		return day, true
	}
	return farDate(text)
}

// farDate parses a date whose year has more than four digits. It uses that the
// calendar repeats every 400 years.
func farDate(text string) (time.Time, bool) {
	digits, rest, _ := strings.Cut(text, "-")
	if len(digits) < 5 || len(digits) > 9 || digits[0] == '0' {
		return time.Time{}, false
	}
	year, err := strconv.Atoi(digits)
	if err != nil {
		return time.Time{}, false
	}
	near := 2000 + year%400
	day, ok := xsDate(strconv.Itoa(near) + "-" + rest)
	return day.AddDate(year-near, 0, 0), ok
}

// xsDateTime is xs:dateTime(concat(date, 'T', clock)). It returns false if the
// sheets abort, or if the year has more than four digits.
func xsDateTime(date, clock string) (time.Time, bool) {
	text := strings.Trim(date+"T"+clock, blanks)
	text, beforeOurEra := strings.CutPrefix(text, "-")
	text, midnight := cutMidnight(text)
	moment, err := time.ParseInLocation("2006-01-02T15:04:05", text, riyadh)
	if err != nil {
		moment, err = time.Parse("2006-01-02T15:04:05Z07:00", text)
	}
	if midnight {
		moment = moment.AddDate(0, 0, 1)
	}
	if beforeOurEra {
		moment = moment.AddDate(-2*moment.Year(), 0, 0)
	}
	return moment, err == nil
}

// cutMidnight replaces 24:00:00, the end of a day, by 00:00:00.
func cutMidnight(text string) (string, bool) {
	date, clock, found := strings.Cut(text, "T24:00:00")
	if !found {
		return text, false
	}
	return date + "T00:00:00" + clock, true
}
