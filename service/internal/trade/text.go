package trade

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"khatm/ubl"
)

// line normalises a single-line text: Unicode NFC, single spaces between words,
// no invisible characters at the ends.
func line(text string) string {
	return trim(norm.NFC.String(strings.Join(strings.Fields(text), " ")))
}

// paragraph normalises a text and keeps its line breaks.
func paragraph(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return trim(norm.NFC.String(strings.ReplaceAll(text, "\r", "\n")))
}

// Number normalises a number: it removes spaces and direction marks, and
// converts Arabic-Indic and Persian digits to 0 to 9.
func Number(text string) string {
	return mapped(text, func(r rune) rune {
		if ubl.IsInvisible(r) {
			return -1
		}
		return latinDigit(r)
	})
}

func trim(text string) string { return strings.TrimFunc(text, ubl.IsInvisible) }

// latinDigits converts Arabic-Indic and Persian digits to 0 to 9.
func latinDigits(text string) string { return mapped(text, latinDigit) }

// mapped is strings.Map for valid UTF-8. Invalid text is returned unchanged, so
// that it is refused rather than silently repaired.
func mapped(text string, change func(rune) rune) string {
	if !utf8.ValidString(text) {
		return text
	}
	return strings.Map(change, text)
}

func latinDigit(r rune) rune {
	switch {
	case '٠' <= r && r <= '٩':
		return r - '٠' + '0'
	case '۰' <= r && r <= '۹':
		return r - '۰' + '0'
	}
	return r
}

// isDigits reports whether text consists of n digits 0 to 9.
func isDigits(text string, n int) bool {
	return len(text) == n && strings.Trim(text, "0123456789") == ""
}

// isVATNumber reports whether text has the form of a Saudi VAT number.
func isVATNumber(text string) bool {
	return isDigits(text, 15) && text[0] == '3' && text[14] == '3'
}

// isAlphanumeric reports whether text consists of Latin letters and digits.
func isAlphanumeric(text string) bool {
	for _, r := range text {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// hasArabic reports whether text contains an Arabic letter.
func hasArabic(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r)
	})
}

// forbidden returns the first character that XML cannot contain. For invalid
// UTF-8 it is U+FFFD.
func forbidden(text string) (r rune, found bool) {
	for at, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[at:], "\uFFFD"), r == 0xFFFE, r == 0xFFFF:
			return r, true
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			return r, true
		}
	}
	return 0, false
}
