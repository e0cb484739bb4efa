package pdfa

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// number appends v with at most two decimal places. A hundredth of a point is finer
// than the resolution of any printer.
func number(b []byte, v float64) []byte { return decimal(b, v, 2) }

func decimal(b []byte, v float64, digits int) []byte {
	scale := math.Pow10(digits)
	n := int64(math.Round(v * scale))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	whole := int64(scale)
	b = strconv.AppendInt(b, n/whole, 10)
	rest := n % whole
	if rest == 0 {
		return b
	}
	b = append(b, '.')
	for rest > 0 {
		whole /= 10
		b = append(b, byte('0'+rest/whole))
		rest %= whole
	}
	return b
}

const hexDigits = "0123456789ABCDEF"

func hex4(b []byte, v uint16) []byte {
	return append(b, hexDigits[v>>12], hexDigits[v>>8&15], hexDigits[v>>4&15], hexDigits[v&15])
}

// utf16Hex appends s in UTF-16, in hexadecimal.
func utf16Hex(b []byte, s string) []byte {
	for _, r := range s {
		if r >= 0x10000 {
			high, low := utf16.EncodeRune(r)
			b = hex4(hex4(b, uint16(high)), uint16(low))
			continue
		}
		b = hex4(b, uint16(r))
	}
	return b
}

// textString returns s as a PDF text string.
func textString(s string) string { return string(appendText(nil, s)) }

func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7E {
			return append(utf16Hex(append(b, "<FEFF"...), s), '>')
		}
	}
	b = append(b, '(')
	for i := range len(s) {
		b = literal(b, s[i])
	}
	return append(b, ')')
}

// name returns s as a PDF name.
func name(s string) string {
	b := []byte("/")
	for i := range len(s) {
		if c := s[i]; c > 0x20 && c < 0x7F && !strings.ContainsRune("()<>[]{}/%#", rune(c)) {
			b = append(b, c)
			continue
		}
		b = fmt.Appendf(b, "#%02X", s[i])
	}
	return string(b)
}

// date returns t as a PDF date.
func date(t time.Time) string { return t.UTC().Format("(D:20060102150405Z)") }

// ref appends a reference to an object.
func ref(b []byte, id int) []byte {
	return append(strconv.AppendInt(b, int64(id), 10), " 0 R"...)
}
