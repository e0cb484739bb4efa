package trade

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// line tidies a text of one line: Unicode NFC, one blank between words, and
// nothing at its ends that does not show.
func line(text string) string {
	return trim(norm.NFC.String(strings.Join(strings.Fields(text), " ")))
}

// paragraph tidies a text that may have several lines, and keeps them.
func paragraph(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return trim(norm.NFC.String(strings.ReplaceAll(text, "\r", "\n")))
}

// number tidies a number that people write in groups: no blanks, no marks of
// direction, Latin digits.
func number(text string) string {
	return mapped(text, func(r rune) rune {
		if isInvisible(r) {
			return -1
		}
		return latinDigit(r)
	})
}

func trim(text string) string { return strings.TrimFunc(text, isInvisible) }

// isInvisible counts marks of direction too: they come along when a number is
// copied out of Arabic text.
func isInvisible(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// latinDigits writes Arabic-Indic and Persian digits as 0 to 9.
func latinDigits(text string) string { return mapped(text, latinDigit) }

// mapped is strings.Map for texts that are UTF-8. Another stays as it is, to be
// refused, and is not mended behind the caller's back.
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

// isDigits says whether a text is n digits 0 to 9.
func isDigits(text string, n int) bool {
	return len(text) == n && strings.Trim(text, "0123456789") == ""
}

// isVATNumber says whether a text has the shape of a Saudi VAT number.
func isVATNumber(text string) bool {
	return isDigits(text, 15) && text[0] == '3' && text[14] == '3'
}

// isAlphanumeric says whether a text is Latin letters and digits only.
func isAlphanumeric(text string) bool {
	for _, r := range text {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// hasArabic says whether a text has an Arabic letter.
func hasArabic(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r)
	})
}

// forbidden finds the first character that XML cannot hold; in a text that is
// no UTF-8 it is U+FFFD.
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
