package pdfa

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The types of PDF values in the reader, besides nil, bool, int, float64 and
// []any.
type (
	pdfName   string
	pdfString []byte
	keyword   string
	pdfRef    struct{ number, generation int }
	pdfDict   []pdfEntry // dictionaries are small, so a list is faster than a map
)

type pdfEntry struct {
	key   pdfName
	value any
}

// pdfStream is a stream with the offset of its data.
type pdfStream struct {
	dict pdfDict
	at   int
}

// get returns the value of a key, the last one if there are several, or nil.
func (d pdfDict) get(key pdfName) any {
	for i := len(d) - 1; i >= 0; i-- {
		if d[i].key == key {
			return d[i].value
		}
	}
	return nil
}

// integer returns the value of a key if it is an integer.
func (d pdfDict) integer(key pdfName) (int, bool) {
	n, ok := d.get(key).(int)
	return n, ok
}

// maxName is the maximum length of a name or description in characters.
const maxName = 1024

// decodeText decodes a text string. Valid UTF-8 is accepted, because many
// programs write it instead of PDFDocEncoding.
func decodeText(s pdfString) string {
	if len(s) > 4*maxName {
		s = s[:4*maxName]
	}
	var text string
	switch {
	case len(s) >= 2 && s[0] == 0xFE && s[1] == 0xFF:
		text = fromUTF16(s[2:], 0, 1)
	case len(s) >= 2 && s[0] == 0xFF && s[1] == 0xFE:
		text = fromUTF16(s[2:], 1, 0)
	case len(s) >= 3 && s[0] == 0xEF && s[1] == 0xBB && s[2] == 0xBF:
		text = string(s[3:])
	case utf8.Valid(s):
		text = string(s)
	default:
		runes := make([]rune, len(s))
		for i, c := range s {
			runes[i] = rune(c)
		}
		text = string(runes)
	}
	text = cleanString(strings.ToValidUTF8(text, "\uFFFD"))
	if runes := []rune(text); len(runes) > maxName {
		text = string(runes[:maxName])
	}
	return text
}

func fromUTF16(s pdfString, high, low int) string {
	units := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i+high])<<8|uint16(s[i+low]))
	}
	return string(utf16.Decode(units))
}
