package rules

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// schemaKind is a type of value in the schema.
type schemaKind struct {
	valid func(text string) bool // nil if every text is valid
	want  string                 // an example
	id    bool                   // values must be unique within a document
}

// schemaKinds are the types by their names in the table.
var schemaKinds = map[string]*schemaKind{
	"string":       {},
	"decimal":      {valid: collapsed(isDecimal), want: "12.50"},
	"integer":      {valid: collapsed(isInteger), want: "12"},
	"boolean":      {valid: collapsed(isBoolean), want: "true, false"},
	"date":         {valid: collapsed(isDate), want: "2026-11-14"},
	"time":         {valid: collapsed(isTime), want: "13:05:00"},
	"dateTime":     {valid: collapsed(isDateTime), want: "2026-11-14T13:05:00"},
	"base64Binary": {valid: isBase64, want: "Base64"},
	"anyURI":       {valid: collapsed(isAnyURI), want: "URI"},
	"language":     {valid: collapsed(isLanguage), want: "ar"},
	"qualifier":    {valid: isQualifier, want: "OIDAsURI, OIDAsURN"},
	"ID":           {valid: collapsed(isName), want: "ID", id: true},
}

// collapsed returns a function that ignores the white space around a text. All
// types except string allow it there; within a value it is an error.
func collapsed(valid func(string) bool) func(string) bool {
	return func(text string) bool { return valid(strings.Trim(text, blanks)) }
}

func isDecimal(text string) bool {
	digits, points := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			digits++
		case c == '.':
			points++
		case i > 0 || c != '+' && c != '-':
			return false
		}
	}
	return digits > 0 && points <= 1
}

func isInteger(text string) bool { return isDecimal(text) && !strings.Contains(text, ".") }

func isBoolean(text string) bool {
	return text == "true" || text == "false" || text == "1" || text == "0"
}

func isQualifier(text string) bool { return text == "OIDAsURI" || text == "OIDAsURN" }

func isDate(text string) bool {
	zone, ok := cutDate(text)
	return ok && isZone(zone)
}

func isTime(text string) bool {
	zone, ok := cutTime(text)
	return ok && isZone(zone)
}

func isDateTime(text string) bool {
	clock, ok := cutDate(text)
	return ok && strings.HasPrefix(clock, "T") && isTime(clock[1:])
}

// cutDate removes a date from the beginning of a text: a year of four digits or
// more, which is not zero, and a valid month and day.
func cutDate(text string) (rest string, ok bool) {
	year, rest, found := strings.Cut(strings.TrimPrefix(text, "-"), "-")
	if !found || len(year) < 4 || len(year) > 4 && year[0] == '0' || len(rest) < 5 || rest[2] != '-' {
		return "", false
	}
	y, okYear := digitsBetween(year, 1, 1<<31-1)
	m, okMonth := digitsBetween(rest[:2], 1, 12)
	_, okDay := digitsBetween(rest[3:5], 1, daysIn(y, m))
	return rest[5:], okYear && okMonth && okDay
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// cutTime removes a time from the beginning of a text. 24:00:00 is valid.
func cutTime(text string) (rest string, ok bool) {
	if len(text) < 8 || text[2] != ':' || text[5] != ':' {
		return "", false
	}
	hour, okHour := digitsBetween(text[:2], 0, 24)
	minute, okMinute := digitsBetween(text[3:5], 0, 59)
	second, okSecond := digitsBetween(text[6:8], 0, 59)
	rest = text[8:]
	if fraction, found := strings.CutPrefix(rest, "."); found {
		rest = strings.TrimLeft(fraction, "0123456789")
		fraction = fraction[:len(fraction)-len(rest)]
		okSecond = okSecond && fraction != "" && (hour < 24 || strings.Trim(fraction, "0") == "")
	}
	return rest, okHour && okMinute && okSecond && (hour < 24 || minute+second == 0)
}

// isZone reports whether a text is a valid time zone after a date or a time:
// nothing, Z or an offset of at most 14 hours.
func isZone(text string) bool {
	if text == "" || text == "Z" {
		return true
	}
	if len(text) != 6 || text[0] != '+' && text[0] != '-' || text[3] != ':' {
		return false
	}
	hours, okHours := digitsBetween(text[1:3], 0, 14)
	minutes, okMinutes := digitsBetween(text[4:], 0, 59)
	return okHours && okMinutes && (hours < 14 || minutes == 0)
}

// digitsBetween parses a number of digits only. It returns false unless the
// number is between least and most.
func digitsBetween(text string, least, most int) (int, bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && least <= n && n <= most
}

// isBase64 reports whether a text consists of complete groups of four Base64
// characters, with white space anywhere. The unused bits before padding must be
// zero.
func isBase64(text string) bool {
	count, padding, last := 0, 0, 0
	for i := range len(text) {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case c == '=':
			padding++
		case padding > 0:
			return false
		default:
			if last = sextet(c); last < 0 {
				return false
			}
		}
		count++
	}
	switch padding {
	case 1:
		return count%4 == 0 && last&3 == 0
	case 2:
		return count%4 == 0 && last&15 == 0
	}
	return count%4 == 0 && padding == 0
}

// sextet returns the value of a Base64 character, or -1.
func sextet(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return int(c - 'A')
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 26
	case '0' <= c && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}

var (
	languageCode = regexp.MustCompile(`^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$`)
	uriScheme    = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*$`)
	badEscape    = regexp.MustCompile(`%([^0-9A-Fa-f]|.[^0-9A-Fa-f]|.?$)`)
)

func isLanguage(text string) bool { return languageCode.MatchString(text) }

// isAnyURI reports whether a text is a URI. It is false only for the few texts
// that are not a URI even after their special characters are escaped.
func isAnyURI(text string) bool {
	if badEscape.MatchString(text) || strings.Count(text, "#") > 1 {
		return false
	}
	address, _, _ := strings.Cut(text, "#")
	path, _, _ := strings.Cut(address, "?")
	before, after, colon := strings.Cut(path, ":")
	switch {
	case !colon || strings.Contains(before, "/"):
		return !strings.ContainsAny(path, "[]")
	case !uriScheme.MatchString(before), after == "" && address == path:
		return false
	}
	return !strings.HasPrefix(after, "/") || !strings.ContainsAny(after, "[]")
}

// isName reports whether a text is an XML name without a colon.
func isName(text string) bool {
	for i, r := range text {
		inner := unicode.In(r, unicode.Digit, unicode.Mn, unicode.Mc) || r == '-' || r == '.' || r == 0xB7
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !inner) {
			return false
		}
	}
	return text != ""
}
