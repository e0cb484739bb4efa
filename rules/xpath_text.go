package rules

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blanks are the white space characters of XPath, which do not include the
// no-break space.
const blanks = " \t\r\n"

// normalize is normalize-space(): it removes white space at both ends and
// replaces it within by single blanks.
func normalize(text string) string {
	for i := range len(text) {
		if isBlank(rune(text[i])) {
			return strings.Join(strings.FieldsFunc(text, isBlank), " ")
		}
	}
	return text
}

func isBlank(c rune) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// decimals counts the characters after the first point, as
// string-length(substring-after(x, '.')) does: trailing zeros and blanks count.
func decimals(text string) int {
	_, behind, _ := strings.Cut(text, ".")
	return stringLength(behind)
}

// stringLength is string-length(): characters, not bytes.
func stringLength(text string) int { return utf8.RuneCountInString(text) }

// character is substring(text, position, 1): "" beyond the end.
func character(text string, position int) string {
	for _, r := range text {
		if position--; position == 0 {
			return string(r)
		}
	}
	return ""
}

// matches is matches(text, pattern) for a pattern that comes from a document,
// such as a currency code. The sheets abort on an invalid pattern.
func matches(text, pattern string) bool {
	if !strings.ContainsAny(pattern, `\|.?*+(){}[]^$`) {
		return strings.Contains(text, pattern)
	}
	re, err := regexp.Compile(pattern)
	return err == nil && re.MatchString(text)
}

// asciiDigits is matches(text, '^[0-9]{n}$').
func asciiDigits(text string, n int) bool {
	return len(text) == n && strings.Trim(text, "0123456789") == ""
}

// allDigits is matches(text, '^\d+$'): the digits of every script count.
func allDigits(text string) bool {
	return text != "" && strings.IndexFunc(text, func(c rune) bool { return !unicode.IsDigit(c) }) < 0
}
