package ubl

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ToUTF8 returns a document as XML 1.0 in UTF-8, the only form that [Parse]
// accepts. It converts UTF-16 of both byte orders, ISO-8859-1, US-ASCII and
// windows-1252, and XML 1.1, as the authority's parser reads them. The result has
// the same canonical form as the document, and therefore the same hash. A
// document that needs no conversion is returned unchanged and unchecked. The
// limit [MaxBytes] applies to the document and to the result.
func ToUTF8(document []byte) ([]byte, error) {
	if err := sizeError(document); err != nil {
		return nil, err
	}
	text, wide, err := fromUTF16(document)
	if err != nil {
		return nil, err
	}
	d := findDeclaration(text)
	if wide == "" && (d.encoding == "" || d.encoding == "UTF-8") && d.version != "1.1" {
		return document, nil
	}
	body := text[d.end:]
	if body, err = d.decode(body, wide); err != nil {
		return nil, err
	}
	if d.version == "1.1" {
		if body, err = fromXML11(body); err != nil {
			return nil, err
		}
	}
	converted := slices.Concat(d.head, body)
	return converted, sizeError(converted)
}

func sizeError(document []byte) error {
	if len(document) > MaxBytes {
		return encodingError("document has %d bytes, more than %d", len(document), MaxBytes)
	}
	return nil
}

func encodingError(format string, args ...any) error {
	return &SyntaxError{Line: 1, Reason: fmt.Sprintf(format, args...)}
}

// fromUTF16 converts a document that begins with a byte order mark of UTF-16, or
// with <? in UTF-16, and returns its byte order as the name of an encoding. It
// removes the mark of UTF-8 from other documents.
func fromUTF16(document []byte) (text []byte, wide string, err error) {
	begins := func(mark string) bool { return bytes.HasPrefix(document, []byte(mark)) }
	switch {
	case begins("\xFE\xFF"):
		wide, document = "UTF-16BE", document[2:]
	case begins("\xFF\xFE"):
		wide, document = "UTF-16LE", document[2:]
	case begins("\x00<\x00?"):
		wide = "UTF-16BE"
	case begins("<\x00?\x00"):
		wide = "UTF-16LE"
	default:
		return bytes.TrimPrefix(document, []byte("\uFEFF")), "", nil
	}
	if len(document)%2 != 0 {
		return nil, "", encodingError("document in UTF-16 has an odd number of bytes")
	}
	high, low := 0, 1
	if wide == "UTF-16LE" {
		high, low = 1, 0
	}
	text = make([]byte, 0, len(document)/2)
	for i := 0; i < len(document); i += 2 {
		r := rune(document[i+high])<<8 | rune(document[i+low])
		if utf16.IsSurrogate(r) {
			next := rune(0)
			if i+4 <= len(document) {
				next = rune(document[i+2+high])<<8 | rune(document[i+2+low])
			}
			if r = utf16.DecodeRune(r, next); r == utf8.RuneError {
				return nil, "", encodingError("document in UTF-16 has half of a surrogate pair at byte %d", i)
			}
			i += 2
		}
		text = utf8.AppendRune(text, r)
	}
	if bytes.HasPrefix(text, []byte("\uFEFF")) {
		return nil, "", encodingError("document begins with two byte order marks")
	}
	return text, wide, nil
}

// declaration is the beginning of the XML declaration of a document.
type declaration struct {
	version, encoding string // encoding in capital letters, "" if not stated
	head              []byte // the declaration up to end, rewritten for XML 1.0 in UTF-8
	end               int
}

const space = `[ \t\r\n]`

var declarationPattern = regexp.MustCompile(`^<\?xml` + space + `+version` + space + `*=` + space + `*["']([0-9.]*)["']` +
	`(?:` + space + `+encoding` + space + `*=` + space + `*["']([A-Za-z][A-Za-z0-9._:-]*)["'])?[^?]*\?>`)

// findDeclaration parses the XML declaration. It returns an empty one for a
// document without it, or with one that [Parse] refuses.
func findDeclaration(text []byte) declaration {
	const longest = 1 << 10
	beginning := text[:min(len(text), longest)]
	at := declarationPattern.FindSubmatchIndex(beginning)
	if at == nil {
		return declaration{}
	}
	d := declaration{version: string(text[at[2]:at[3]]), end: at[1]}
	head := string(text[:at[1]])
	if at[4] >= 0 {
		d.encoding = strings.ToUpper(head[at[4]:at[5]])
		head = head[:at[4]] + "UTF-8" + head[at[5]:]
	}
	if d.version == "1.1" {
		head = head[:at[2]] + "1.0" + head[at[3]:]
	}
	d.head = []byte(head)
	return d
}

// decode converts the text after the declaration from the declared encoding.
// wide is the byte order of a document that was UTF-16, or "".
func (d *declaration) decode(body []byte, wide string) ([]byte, error) {
	if wide != "" {
		switch d.encoding {
		case "", "UTF-16", "ISO-10646-UCS-2", wide:
			return body, nil
		}
		return nil, encodingError("document is %s, but declares the encoding %.20q", wide, d.encoding)
	}
	switch d.encoding {
	case "", "UTF-8":
		return body, nil
	case "ISO-8859-1", "ISO_8859-1", "ISO-IR-100", "LATIN1", "L1", "CSISOLATIN1", "IBM819", "CP819":
		return fromBytes(body, func(c byte) rune { return rune(c) }), nil
	case "WINDOWS-1252":
		return fromBytes(body, fromWindows1252), nil
	case "US-ASCII", "ASCII":
		for i, c := range body {
			if c >= utf8.RuneSelf {
				return nil, encodingError("document declares US-ASCII, but byte %d after the declaration is %#x", i+1, c)
			}
		}
		return body, nil
	case "UTF-16", "UTF-16BE", "UTF-16LE", "ISO-10646-UCS-2":
		return nil, encodingError("document declares the encoding %q, but is not UTF-16", d.encoding)
	}
	return nil, encodingError("encoding %.20q is not supported; write the document in UTF-8", d.encoding)
}

func fromBytes(body []byte, decode func(byte) rune) []byte {
	out := make([]byte, 0, len(body))
	for _, c := range body {
		if c < utf8.RuneSelf {
			out = append(out, c)
			continue
		}
		out = utf8.AppendRune(out, decode(c))
	}
	return out
}

// windows1252 has the characters of the bytes 0x80 to 0x9F. The authority's
// parser replaces the bytes that are not assigned.
var windows1252 = []rune("€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ")

func fromWindows1252(c byte) rune {
	if c < 0xA0 {
		return windows1252[c-0x80]
	}
	return rune(c)
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r\u0085", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n")

// fromXML11 replaces all line ends of XML 1.1 by line feeds, and refuses the
// characters that XML 1.1 allows as references only. [Parse] refuses references
// to control characters: XML 1.0, and with it Canonical XML, has none, so such a
// document cannot be hashed.
func fromXML11(body []byte) ([]byte, error) {
	text := string(body)
	for i, r := range text {
		if 0x7F <= r && r <= 0x9F && r != 0x85 {
			return nil, &SyntaxError{Line: 1 + strings.Count(text[:i], "\n"), Reason: fmt.Sprintf("character %U is not allowed in XML 1.1", r)}
		}
	}
	return []byte(lineEnds.Replace(text)), nil
}
