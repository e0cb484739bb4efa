package ubl

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IllegalCharacter returns the first character that XML 1.0 does not allow and
// its index in bytes. A byte that is not UTF-8 is returned as U+FFFD. Texts are
// checked with IllegalCharacter on input, so that [Write] does not refuse them.
func IllegalCharacter(text string) (r rune, at int, found bool) {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < 0x20 && c != '\t' && c != '\n' && c != '\r' {
				return rune(c), i, true
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 || r == 0xFFFE || r == 0xFFFF {
			return r, i, true
		}
		i += size
	}
	return 0, 0, false
}

// IsBlank reports whether a text has no visible characters, only white space and
// format characters such as direction marks.
func IsBlank(text string) bool { return strings.TrimFunc(text, IsInvisible) == "" }

// IsInvisible reports whether r is white space or a format character, such as a
// direction mark copied along with a number from Arabic text.
func IsInvisible(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// Reordering returns the first invisible character that changes the order in
// which the text around it is shown, so that a name can look like another one: an
// embedding, an override or an isolate. It also returns U+FEFF, which some programs
// show and others remove. Direction marks and joiners are part of ordinary Arabic
// text and are not returned.
func Reordering(text string) (r rune, found bool) {
	for _, r := range text {
		if '\u202A' <= r && r <= '\u202E' || '\u2066' <= r && r <= '\u2069' || r == '\uFEFF' {
			return r, true
		}
	}
	return 0, false
}

// UnfitForLine returns the first character that a name or another text on one line
// must not contain: a control character, a line separator, or what
// [IllegalCharacter] or [Reordering] returns.
func UnfitForLine(text string) (r rune, found bool) {
	for _, r := range text {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return r, true
		}
	}
	if r, _, found := IllegalCharacter(text); found {
		return r, true
	}
	return Reordering(text)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func allSpace(text string) bool {
	for i := range len(text) {
		if !isSpace(text[i]) {
			return false
		}
	}
	return true
}

// isNameStart and isNameRune follow NameStartChar and NameChar of XML 1.0,
// without the colon, which separates the prefix.
func isNameStart(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', r == '_':
		return true
	case r < 0xC0:
		return false
	}
	return r != 0xD7 && r != 0xF7 && !(0x300 <= r && r <= 0x36F) && r != 0x37E &&
		(r <= 0x1FFF || r == 0x200C || r == 0x200D || 0x2070 <= r && r <= 0x218F ||
			0x2C00 <= r && r <= 0x2FEF || 0x3001 <= r && r <= 0xD7FF ||
			0xF900 <= r && r <= 0xFDCF || 0xFDF0 <= r && r <= 0xFFFD ||
			0x10000 <= r && r <= 0xEFFFF)
}

func isNameRune(r rune) bool {
	switch {
	case '0' <= r && r <= '9', r == '-', r == '.', r == 0xB7:
		return true
	case 0x300 <= r && r <= 0x36F, r == 0x203F, r == 0x2040:
		return true
	}
	return isNameStart(r)
}

// appendText appends character data, escaped as in Canonical XML.
func appendText(out []byte, text string) []byte {
	if !strings.ContainsAny(text, "&<>\r") {
		return append(out, text...)
	}
	for i := range len(text) {
		switch c := text[i]; c {
		case '&':
			out = append(out, "&amp;"...)
		case '<':
			out = append(out, "&lt;"...)
		case '>':
			out = append(out, "&gt;"...)
		case '\r':
			out = append(out, "&#xD;"...)
		default:
			out = append(out, c)
		}
	}
	return out
}

// appendAttribute appends the value of an attribute, escaped as in Canonical
// XML.
func appendAttribute(out []byte, value string) []byte {
	if !strings.ContainsAny(value, "&<\"\t\n\r") {
		return append(out, value...)
	}
	for i := range len(value) {
		switch c := value[i]; c {
		case '&':
			out = append(out, "&amp;"...)
		case '<':
			out = append(out, "&lt;"...)
		case '"':
			out = append(out, "&quot;"...)
		case '\t':
			out = append(out, "&#x9;"...)
		case '\n':
			out = append(out, "&#xA;"...)
		case '\r':
			out = append(out, "&#xD;"...)
		default:
			out = append(out, c)
		}
	}
	return out
}
