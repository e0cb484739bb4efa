package ubl_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"khatm/ubl"
)

// inUTF16 encodes a text in UTF-16, without a byte order mark.
func inUTF16(order binary.AppendByteOrder, text string) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

var big, little = binary.BigEndian, binary.LittleEndian

func TestToUTF8(t *testing.T) {
	const head, body = `<?xml version="1.0" encoding="UTF-8"?>`, "\n<a>شارع é 𝄞</a>"
	declared := func(encoding string) string { return `<?xml version="1.0" encoding="` + encoding + `"?>` }
	cases := []struct{ name, document, want string }{
		{"UTF-8", head + body, head + body},
		{"UTF-8 with a mark", "\uFEFF" + head + body, "\uFEFF" + head + body},
		{"no declaration", body, body},
		{"UTF-16 big-endian with a mark", "\xFE\xFF" + inUTF16(big, declared("UTF-16")+body), head + body},
		{"UTF-16 little-endian with a mark", "\xFF\xFE" + inUTF16(little, declared("utf-16")+body), head + body},
		{"UTF-16 with a mark and no declaration", "\xFF\xFE" + inUTF16(little, body), body},
		{"UTF-16 with a mark and no encoding", "\xFF\xFE" + inUTF16(little, `<?xml version='1.0'?>`+body), `<?xml version='1.0'?>` + body},
		{"UTF-16 with a mark and its byte order", "\xFE\xFF" + inUTF16(big, declared("UTF-16BE")+body), head + body},
		{"UTF-16 big-endian as declared", inUTF16(big, declared("UTF-16")+body), head + body},
		{"UTF-16 little-endian as declared", inUTF16(little, declared("UTF-16LE")+body), head + body},
		{"UTF-16 without a mark and an encoding", inUTF16(big, `<?xml version="1.0"?>`+body), `<?xml version="1.0"?>` + body},
		{"UCS-2", inUTF16(big, declared("ISO-10646-UCS-2")+body), head + body},
		{"ISO-8859-1", declared("iso-8859-1") + "<a>\xE9\x85</a>", head + "<a>é\u0085</a>"},
		{"ISO-8859-1 by another name", declared("latin1") + "<a>\xE9</a>", head + "<a>é</a>"},
		{"ISO-8859-1 after the mark of UTF-8", "\uFEFF" + declared("ISO-8859-1") + "<a>é</a>", head + "<a>Ã©</a>"},
		{"windows-1252", declared("windows-1252") + "<a>\x80\x9F\xE9\x81</a>", head + "<a>€Ÿé\uFFFD</a>"},
		{"US-ASCII", declared("US-ASCII") + "<a/>", head + "<a/>"},
		{"XML 1.1", `<?xml version="1.1"?><a b="x">é` + "\r\u0085y\u0085z\u2028\r\n&#x85;</a>", `<?xml version="1.0"?><a b="x">é` + "\ny\nz\n\n&#x85;</a>"},
		{"XML 1.1 with two different line ends", `<?xml version="1.1"?><a>` + "\r\u2028\r\r\u0085</a>", `<?xml version="1.0"?><a>` + "\n\n\n\n</a>"},
		{"XML 1.1 in UTF-16", "\xFF\xFE" + inUTF16(little, `<?xml version="1.1" encoding="UTF-16"?>`+body), head + body},
		{"XML 1.1 in ISO-8859-1", `<?xml version="1.1" encoding="ISO-8859-1"?>` + "<a>\x85</a>", head + "<a>\n</a>"},
	}
	for _, c := range cases {
		got, err := ubl.ToUTF8([]byte(c.document))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
		if _, err := ubl.Parse(got); err != nil {
			t.Errorf("%s: Parse returns %v for the result", c.name, err)
		}
	}
}

// The authority's parser refuses these documents too, except the reference to a
// control character, on which its hash fails, and encodings that are not
// supported here.
func TestToUTF8Refusals(t *testing.T) {
	declared := func(encoding string) string { return `<?xml version="1.0" encoding="` + encoding + `"?><a/>` }
	cases := []struct{ name, document, want string }{
		{"UTF-16 without a mark and a declaration", inUTF16(big, "<a/>"), "not UTF-8"},
		{"UTF-16 that declares UTF-8", "\xFF\xFE" + inUTF16(little, declared("UTF-8")), `declares the encoding "UTF-8"`},
		{"UTF-16 that declares ISO-8859-1", "\xFF\xFE" + inUTF16(little, declared("ISO-8859-1")), `declares the encoding "ISO-8859-1"`},
		{"UTF-16 that declares the other byte order", "\xFE\xFF" + inUTF16(big, declared("UTF-16LE")), `declares the encoding "UTF-16LE"`},
		{"UTF-8 that declares UTF-16", declared("UTF-16"), "is not UTF-16"},
		{"UTF-16 with an odd number of bytes", "\xFE\xFF" + inUTF16(big, "<a/>") + "\x00", "odd number"},
		{"UTF-16 with half of a pair", "\xFE\xFF" + inUTF16(big, "<a>") + "\xD8\x00" + inUTF16(big, "</a>"), "surrogate pair at byte 6"},
		{"UTF-16 that ends with half of a pair", "\xFE\xFF" + inUTF16(big, "<a/>") + "\xD8\x00", "surrogate pair"},
		{"UTF-16 with a second mark", "\xFE\xFF" + inUTF16(big, "\uFEFF<a/>"), "two byte order marks"},
		{"UTF-16 with a NUL", "\xFE\xFF" + inUTF16(big, "<a>\x00</a>"), "U+0000"},
		{"UTF-16 with a noncharacter", "\xFE\xFF" + inUTF16(big, "<a>\uFFFE</a>"), "U+FFFE"},
		{"UTF-32", "\xFF\xFE\x00\x00<\x00\x00\x00", "not UTF-8"},
		{"UTF-16 with a document type", "\xFE\xFF" + inUTF16(big, "<!DOCTYPE a><a/>"), "document type declarations are not accepted"},
		{"UTF-16 with entities", "\xFE\xFF" + inUTF16(big, `<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>`), "document type"},
		{"US-ASCII with another byte", strings.Replace(declared("US-ASCII"), "<a/>", "<a>\xE9</a>", 1), "byte 4 after the declaration is 0xe9"},
		{"undeclared ISO-8859-1", "<a>\xE9</a>", "not UTF-8"},
		{"other encoding", declared("IBM037"), "not supported"},
		{"encoding with a blank", declared(" ISO-8859-1"), "not supported"},
		{"XML 1.2", `<?xml version="1.2"?><a/>`, `version "1.2"`},
		{"XML 1.1 with a control character", "<?xml version=\"1.1\"?>\n<a>\x7F</a>", "line 2: character U+007F is not allowed in XML 1.1"},
		{"XML 1.1 with a reference to a control character", `<?xml version="1.1"?><a>&#1;</a>`, "&#1;"},
		{"XML 1.1 with a new line end in the declaration", "<?xml version=\"1.1\"\u0085encoding=\"UTF-8\"?><a/>", "declaration"},
		{"XML 1.1 with a document type", `<?xml version="1.1"?><!DOCTYPE a><a/>`, "document type"},
	}
	for _, c := range cases {
		converted, err := ubl.ToUTF8([]byte(c.document))
		if err == nil {
			_, err = ubl.Parse(converted)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
}

// A document within the limit is refused if it is longer in UTF-8.
func TestToUTF8Size(t *testing.T) {
	for _, c := range []struct {
		name, head, unit string
		fits             bool
	}{
		{"ISO-8859-1 that grows to twice its size", `<?xml version="1.0" encoding="ISO-8859-1"?>`, "\xE9", false},
		{"ISO-8859-1 that does not grow", `<?xml version="1.0" encoding="ISO-8859-1"?>`, "e", true},
		{"UTF-16 that grows by half", "\xFE\xFF", "\x20\xAC", false},
		{"UTF-16 that shrinks", "\xFE\xFF", "\x00e", true},
	} {
		document := c.head + strings.Repeat(c.unit, (ubl.MaxBytes-len(c.head)-2)/len(c.unit))
		if _, err := ubl.ToUTF8([]byte(document)); (err == nil) != c.fits {
			t.Errorf("%s: got %v, want acceptance %v", c.name, err, c.fits)
		}
		if _, err := ubl.ToUTF8([]byte(document + strings.Repeat(c.unit, 4))); err == nil {
			t.Errorf("%s: accepted above the limit", c.name)
		}
	}
}

// FuzzToUTF8 checks that the result is within the limit and that a converted
// document is UTF-8.
func FuzzToUTF8(f *testing.F) {
	const text = `<?xml version="1.1" encoding="UTF-16"?><a b="é">𝄞</a>`
	for _, seed := range []string{
		text, "\xFE\xFF" + inUTF16(big, text), inUTF16(little, text),
		`<?xml version="1.0" encoding="ISO-8859-1"?>` + "<a>\xE9</a>", `<?xml version='1.0' encoding='windows-1252'?>` + "<a>\x80</a>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		converted, err := ubl.ToUTF8(document)
		if err != nil {
			return
		}
		if len(converted) > ubl.MaxBytes {
			t.Errorf("the result has %d bytes", len(converted))
		}
		if len(converted) == len(document) && len(document) > 0 && &converted[0] == &document[0] {
			return // unchanged
		}
		// XML 1.1 without an encoding is not decoded; Parse refuses other bytes.
		if !utf8.Valid(converted) && utf8.Valid(document) {
			t.Errorf("%q is not UTF-8", converted)
		}
	})
}
