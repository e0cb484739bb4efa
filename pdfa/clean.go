package pdfa

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// keep returns the replacement for a character of an untrusted text: the
// character itself, a space, a line break, U+FFFD, or -1 to remove it.
func keep(r rune) rune {
	switch {
	case r >= 0x20 && r < 0x7F:
		return r
	case r == '\n' || r == 0x2028 || r == 0x2029 || r == 0x85 || r == '\v' || r == '\f':
		return '\n'
	case r == '\t' || r == 0x3000 || r >= 0x2000 && r <= 0x200A && r != 0x2007 || r == 0x205F || r == 0x1680:
		return ' '
	case r == 0x2007 || r == 0x202F:
		return 0xA0 // no-break space
	case r < 0x20 || r >= 0x7F && r < 0xA0:
		return -1
	case isJoiner(r) || isDirectionMark(r) || r >= 0x2066 && r <= 0x2069:
		return r
	case r == 0xAD || r == 0x034F || r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0 || r == 0x180E || r == 0x17B4 || r == 0x17B5:
		return -1 // invisible
	case unicode.Is(unicode.Cf, r) && !(r >= 0x600 && r <= 0x605 || r == 0x6DD || r == 0x70F || r == 0x8E2):
		return -1 // including overrides and embeddings, which can disguise a text
	case unicode.Is(unicode.Variation_Selector, r) || r >= 0xE0000 && r <= 0xE0FFF:
		return -1
	case r >= 0xFDD0 && r <= 0xFDEF || r&0xFFFE == 0xFFFE || r >= 0xD800 && r < 0xE000 || r > unicode.MaxRune:
		return utf8.RuneError
	}
	return r
}

// isJoiner reports whether r is ZWNJ or ZWJ.
func isJoiner(r rune) bool { return r == 0x200C || r == 0x200D }

// isDirectionMark reports whether r is LRM, RLM or ALM.
func isDirectionMark(r rune) bool { return r == 0x200E || r == 0x200F || r == 0x061C }

// isInvisible reports whether r is an invisible character that is kept because it
// affects other characters.
func isInvisible(r rune) bool {
	return r >= 0x200C && (r <= 0x200F || r >= 0x2066 && r <= 0x2069) || r == 0x061C
}

// maxMarks is the maximum number of marks on one letter: the limit of the
// Stream-Safe Text Format (UAX #15), more than any language uses.
const maxMarks = 30

func isMark(r rune) bool { return r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me) }

// isPrivate reports whether r is in a private use area. PDF/A-3A does not allow
// such a character as the Unicode value of a glyph.
func isPrivate(r rune) bool {
	return r >= 0xE000 && r <= 0xF8FF || r >= 0xF0000 && r <= 0x10FFFF
}

// clean stores the cleaned characters of s in sc. White space is trimmed, and
// each run of white space becomes one space. Marks beyond maxMarks on one
// letter are removed, because they would become one glyph with thousands of
// parts.
func (sc *scratch) clean(s string, breaks bool) {
	sc.runes, sc.at, sc.text = sc.runes[:0], sc.at[:0], sc.text[:0]
	marks := 0
	for _, r := range s {
		r = keep(r)
		if r == '\n' && !breaks {
			r = ' '
		}
		n := len(sc.runes)
		switch {
		case r < 0:
			continue
		case r >= 0x300 && unicode.Is(unicode.M, r):
			if marks++; marks > maxMarks {
				continue
			}
		case !isInvisible(r):
			marks = 0
		}
		if r == ' ' || r == '\n' {
			for n > 0 && sc.runes[n-1] == ' ' && r == '\n' {
				sc.drop()
				n--
			}
			if r == ' ' && (n == 0 || sc.runes[n-1] == ' ' || sc.runes[n-1] == '\n') {
				continue
			}
		}
		sc.at = append(sc.at, len(sc.text))
		sc.runes = append(sc.runes, r)
		sc.text = utf8.AppendRune(sc.text, r)
	}
	for n := len(sc.runes); n > 0 && (sc.runes[n-1] == ' ' || sc.runes[n-1] == '\n'); n-- {
		sc.drop()
	}
	sc.at = append(sc.at, len(sc.text))
	sc.whole = string(sc.text)
}

func (sc *scratch) drop() {
	n := len(sc.runes) - 1
	sc.text, sc.runes, sc.at = sc.text[:sc.at[n]], sc.runes[:n], sc.at[:n]
}

// cleanString returns the cleaned form of a string that is not drawn, such as a
// title or a file name. The result is valid both in XML and in a PDF string.
func cleanString(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= 0x20 && s[i] < 0x7F
	}
	if plain {
		return strings.TrimSpace(s)
	}
	var sc scratch
	sc.clean(s, false)
	return sc.whole
}
