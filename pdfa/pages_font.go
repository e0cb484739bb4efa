package pdfa

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Limits of the ToUnicode maps of all fonts.
const (
	maxMapped = 70_000 // codes
	maxCode   = 0xFFFFFF
)

// readFont converts the codes of a font to text.
type readFont struct {
	wide  bool // codes have two bytes
	codes map[uint32]string
}

// latinFont has the usual encoding of Latin fonts.
var latinFont = &readFont{}

// text returns the text of a code, or U+FFFD if it is not known.
func (f *readFont) text(code uint32) string {
	if s, ok := f.codes[code]; ok {
		return s
	}
	if f.wide || code > 0xFF {
		return "\uFFFD"
	}
	return string(charmap.Windows1252.DecodeByte(byte(code)))
}

// setFont selects a font.
func (p *interpreter) setFont() error {
	if len(p.operands) < 2 {
		return nil
	}
	p.operands = p.operands[:len(p.operands)-1] // the size
	v, number, err := p.resource("Font")
	if err != nil {
		return err
	}
	d, ok := v.(pdfDict)
	if !ok {
		p.state.font = nil
		return nil
	}
	if f := p.doc.fonts[number]; f != nil && number > 0 {
		p.state.font = f
		return nil
	}
	f, err := p.doc.font(d)
	p.state.font, p.doc.fonts[number] = f, f
	return err
}

// font reads the encoding of a font.
func (d *pagesReader) font(dict pdfDict) (*readFont, error) {
	f := &readFont{wide: dict.get("Subtype") == pdfName("Type0"), codes: map[uint32]string{}}
	if !f.wide {
		if err := d.differences(f, dict.get("Encoding")); err != nil {
			return nil, err
		}
	}
	v, err := d.r.resolve(dict.get("ToUnicode"))
	if err != nil {
		return nil, err
	}
	s, ok := v.(*pdfStream)
	if !ok {
		return f, nil
	}
	data, err := d.r.decode(s, d.r.limits.Decoded)
	if err != nil {
		return f, ignoreMalformed(err)
	}
	return f, d.toUnicode(f, &lexer{r: d.r, data: data})
}

// differences reads the changes that a font makes to its encoding.
func (d *pagesReader) differences(f *readFont, encoding any) error {
	e, err := d.r.dict(encoding)
	if err != nil {
		return err
	}
	list, err := d.r.array(e.get("Differences"))
	if err != nil {
		return err
	}
	code := uint32(0)
	for _, v := range list {
		switch v := v.(type) {
		case int:
			code = uint32(v)
		case pdfName:
			if s := glyphText(string(v)); s != "" && code <= 0xFF {
				f.codes[code] = s
			}
			code++
		}
	}
	return nil
}

// glyphNames holds the names of the characters that amounts, numbers and dates
// consist of.
var glyphNames = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"space": " ", "period": ".", "comma": ",", "hyphen": "-", "minus": "-", "slash": "/", "colon": ":", "ampersand": "&", "parenleft": "(", "parenright": ")",
}

// glyphText returns the text of a glyph name, or "".
func glyphText(name string) string {
	if utf8.RuneCountInString(name) == 1 {
		return name
	}
	for _, prefix := range []string{"uni", "u"} {
		digits, ok := strings.CutPrefix(name, prefix)
		if n, err := strconv.ParseUint(digits, 16, 21); ok && err == nil && len(digits) >= 4 {
			return string(rune(n))
		}
	}
	return glyphNames[name]
}

// toUnicode reads a ToUnicode map. What is invalid is ignored.
func (d *pagesReader) toUnicode(f *readFont, l *lexer) error {
	kept := d.r.values
	defer func() { d.r.values = kept }()
	var row []any // the codes and texts since the last keyword
	size := 0     // of a row; 0 outside of the lists
	for {
		if err := l.skip(); err != nil {
			return err
		}
		if l.at >= len(l.data) {
			return nil
		}
		t, err := l.token()
		if err == nil && t == keyword("[") {
			t, err = l.array()
		}
		if err != nil {
			return ignoreMalformed(err)
		}
		if k, ok := t.(keyword); ok {
			size = map[keyword]int{"beginbfchar": 2, "beginbfrange": 3}[k]
			row = row[:0]
			continue
		}
		if row = append(row, t); size == 0 || len(row) < size {
			row = row[max(0, len(row)-3):]
			continue
		}
		if err := d.mapCodes(f, row); err != nil {
			return err
		}
		row = row[:0]
	}
}

// mapCodes adds a row of a map: a code or the first and the last one, and the text
// of the first, or of each.
func (d *pagesReader) mapCodes(f *readFont, row []any) error {
	first, ok := codeOf(row[0])
	last, ok2 := codeOf(row[len(row)-2])
	if !ok || !ok2 || last < first || last > maxCode {
		return nil
	}
	if list, ok := row[len(row)-1].([]any); ok {
		if len(list) == 0 {
			return nil
		}
		last = min(last, first+uint32(len(list))-1)
	}
	if d.mapped += int(last-first) + 1; d.mapped > maxMapped {
		return fmt.Errorf("%w: fonts with more than %d characters", ErrLimit, maxMapped)
	}
	for code := first; code <= last; code++ {
		switch v := row[len(row)-1].(type) {
		case pdfString:
			f.codes[code] = counted(fromUTF16(v[:min(len(v), 64)], 0, 1), rune(code-first))
		case []any:
			if s, ok := v[code-first].(pdfString); ok {
				f.codes[code] = fromUTF16(s[:min(len(s), 64)], 0, 1)
			}
		}
	}
	return nil
}

// counted adds n to the last character of a text.
func counted(text string, n rune) string {
	if n == 0 || text == "" {
		return text
	}
	last, size := utf8.DecodeLastRuneInString(text)
	return text[:len(text)-size] + string(last+n)
}

// codeOf returns the number of a code of up to four bytes.
func codeOf(v any) (uint32, bool) {
	s, ok := v.(pdfString)
	if !ok || len(s) == 0 || len(s) > 4 {
		return 0, false
	}
	n := uint32(0)
	for _, c := range s {
		n = n<<8 | uint32(c)
	}
	return n, true
}
