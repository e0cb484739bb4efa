package spreadsheet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Harmless returns a text that spreadsheets do not read as a formula: it puts an
// apostrophe before one. Some ignore invisible characters before the sign that
// begins a formula.
func Harmless(text string) string {
	seen := strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc) })
	if beginsWith(seen, "=+-@＝＋－＠") || beginsWith(text, "\t\r\n") {
		return "'" + text
	}
	return text
}

// beginsWith reports whether a text begins with one of the signs.
func beginsWith(text, signs string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && strings.ContainsRune(signs, first)
}
