package codec

import (
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendString appends a JSON string. Bytes that are not UTF-8 become U+FFFD.
// U+2028 and U+2029 are escaped, because older JavaScript reads them as line ends.
func appendString(out []byte, text string) []byte {
	out = append(out, '"')
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == '"' || c == '\\' {
				out = append(out, text[start:i]...)
				out = appendEscape(out, c)
				start = i + 1
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			out = append(out, text[start:i]...)
			out = append(out, `\u`...)
			for shift := 12; shift >= 0; shift -= 4 {
				out = append(out, hexDigits[r>>shift&0xF])
			}
			start = i + size
		}
		i += size
	}
	return append(append(out, text[start:]...), '"')
}

func appendEscape(out []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(out, '\\', c)
	case '\n':
		return append(out, `\n`...)
	case '\r':
		return append(out, `\r`...)
	case '\t':
		return append(out, `\t`...)
	case '\b':
		return append(out, `\b`...)
	case '\f':
		return append(out, `\f`...)
	}
	return append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xF])
}
