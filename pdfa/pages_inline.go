package pdfa

import (
	"bytes"
	"fmt"
)

// inlineKeys holds the short names of the keys of inline images.
var inlineKeys = map[pdfName]pdfName{
	"W": "Width", "H": "Height", "BPC": "BitsPerComponent", "CS": "ColorSpace", "F": "Filter", "DP": "DecodeParms", "IM": "ImageMask", "D": "Decode",
}

// inlineImage reads an image within the content, after its first keyword.
func (p *interpreter) inlineImage(l *lexer) error {
	p.operands = p.operands[:0]
	var d pdfDict
	for {
		t, err := l.token()
		if err != nil {
			return err
		}
		if t == keyword("ID") {
			break
		}
		key, ok := t.(pdfName)
		if !ok {
			return fmt.Errorf("%w: %v in an inline image", ErrMalformed, t)
		}
		v, err := l.value()
		if err != nil {
			return err
		}
		if long, ok := inlineKeys[key]; ok {
			key = long
		}
		if d = append(d, pdfEntry{key, v}); len(d) > maxOperands {
			return fmt.Errorf("%w: an inline image with too many keys", ErrMalformed)
		}
	}
	l.at = min(l.at+1, len(l.data)) // one white space
	space, err := p.space(d.get("ColorSpace"), 0)
	if err != nil {
		return err
	}
	length := inlineLength(d, space, l.data[l.at:])
	data := l.data[l.at : l.at+length]
	l.at += length
	if err := p.doc.r.spend(length); err != nil {
		return err
	}
	return p.placeImage(placedImage{dict: d, data: data})
}

// inlineLength returns the length of the data of an inline image. It is not stated,
// but follows from the size if there is no filter. Otherwise the data ends before
// the first keyword EI.
func inlineLength(d pdfDict, space *colorSpace, rest []byte) int {
	if d.get("Filter") == nil {
		w, _ := d.integer("Width")
		h, _ := d.integer("Height")
		bits, ok := d.integer("BitsPerComponent")
		if !ok {
			bits = 1
		}
		const most = 1 << 20
		if w > 0 && h > 0 && w < most && h < most && bits > 0 && bits <= 16 {
			return min(len(rest), (w*space.components()*bits+7)/8*h)
		}
	}
	for at := 0; ; {
		i := bytes.Index(rest[at:], []byte("EI"))
		if i < 0 {
			return len(rest)
		}
		at += i
		if at > 0 && isSpace(rest[at-1]) && (at+2 >= len(rest) || isSpace(rest[at+2])) {
			return at - 1
		}
		at += 2
	}
}
