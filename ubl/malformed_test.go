package ubl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"khatm/ubl"
)

// The namespaces of an invoice, as a root element declares them.
const (
	invoiceNS = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
	cacNS     = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
	cbcNS     = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
	usual     = `xmlns="` + invoiceNS + `" xmlns:cac="` + cacNS + `" xmlns:cbc="` + cbcNS + `"`
)

// in returns an invoice with the given content in its root element.
func in(content string) string {
	return "<Invoice " + usual + ">" + content + "</Invoice>"
}

// inID returns an invoice with the given content in cbc:ID, on its second line.
func inID(content string) string { return in("\n<cbc:ID>" + content + "</cbc:ID>") }

const good = "<cbc:ID>1</cbc:ID>"

// refusal is a document that Read must refuse, and the expected error.
type refusal struct {
	name, document string
	line           int
	path           string // "" outside the root
	reason         string // substring
}

func (r refusal) check(t *testing.T) {
	t.Helper()
	_, err := ubl.Read([]byte(r.document))
	var fault *ubl.SyntaxError
	if !errors.As(err, &fault) {
		t.Fatalf("Read = %v, want a SyntaxError", err)
	}
	if fault.Line != r.line || fault.Path != r.path {
		t.Errorf("place: got line %d, %q, want line %d, %q (%v)", fault.Line, fault.Path, r.line, r.path, err)
	}
	if !strings.Contains(fault.Reason, r.reason) {
		t.Errorf("reason is %q, want it to contain %q", fault.Reason, r.reason)
	}
	text := err.Error()
	if !strings.HasPrefix(text, fmt.Sprintf("line %d", r.line)) || !strings.Contains(text, r.path) || !strings.Contains(text, r.reason) {
		t.Errorf("error = %q, want one with line %d, %q and %q", text, r.line, r.path, r.reason)
	}
	if len(text) > 64*1024 {
		t.Errorf("text of the error has %d bytes, want at most 64 kB", len(text))
	}
}

func refuse(t *testing.T, cases []refusal) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, c.check)
	}
}

// utf16Bytes encodes a text with the high byte first or last.
func utf16Bytes(text string, highFirst bool) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if highFirst {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return string(out)
}

func TestReadRefusesEncodings(t *testing.T) {
	declared := func(attributes string) string { return "<?xml " + attributes + "?>\n" + in(good) }
	refuse(t, []refusal{
		{"Latin-1", in("\n<cbc:Note>caf\xE9</cbc:Note>"), 2, "", "not UTF-8"},
		{"overlong", inID("\xC0\xAF"), 2, "", "not UTF-8"},
		{"surrogate in UTF-8", inID("\xED\xA0\x80"), 2, "", "not UTF-8"},
		{"beyond Unicode", inID("\xF4\x90\x80\x80"), 2, "", "not UTF-8"},
		{"cut short", in(good) + "\xE2\x82", 1, "", "not UTF-8"},
		{"UTF-16 high first, marked", utf16Bytes("\uFEFF"+in(good), true), 1, "", "not UTF-8"},
		{"UTF-16 low first, marked", utf16Bytes("\uFEFF"+in(good), false), 1, "", "not UTF-8"},
		{"UTF-16 high first", utf16Bytes(in(good), true), 1, "", "not UTF-8"},
		{"UTF-16 low first", utf16Bytes(in(good), false), 1, "", "not UTF-8"},
		{"UTF-16 declared", declared(`version="1.0" encoding="UTF-16"`), 1, "", "encoding"},
		{"ISO-8859-1 declared", declared(`version="1.0" encoding="ISO-8859-1"`), 1, "", "encoding"},
		{"windows-1256 declared", declared(`version='1.0' encoding='windows-1256'`), 1, "", "encoding"},
		{"empty encoding", declared(`version="1.0" encoding=""`), 1, "", "encoding"},
		{"very long encoding", declared(`version="1.0" encoding="` + strings.Repeat("u", 60_000) + `"`), 1, "", "encoding"},
		{"XML 1.1", declared(`version="1.1"`), 1, "", "version"},
		{"XML 2", declared(`version="2.0" encoding="UTF-8"`), 1, "", "version"},
		{"no version", declared(`encoding="UTF-8"`), 1, "", "version"},
		{"version by reference", declared(`version="&#49;.0"`), 1, "", "malformed"},
		{"encoding first", declared(`encoding="UTF-8" version="1.0"`), 1, "", "version"},
		{"standalone first", declared(`version="1.0" standalone="yes" encoding="UTF-8"`), 1, "", "malformed"},
		{"invalid standalone", declared(`version="1.0" standalone="perhaps"`), 1, "", "malformed"},
		{"no space before encoding", declared(`version="1.0"encoding="UTF-8"`), 1, "", "malformed"},
		{"unknown attribute in the declaration", declared(`version="1.0" lang="ar"`), 1, "", "malformed"},
		{"version without quotes", declared(`version=1.0`), 1, "", "quotes"},
		{"declaration not closed", `<?xml version="1.0" `, 1, "", "not closed"},
		{"empty declaration", "<?xml?>" + in(good), 1, "", "declaration"},
		{"declaration after a blank", ` <?xml version="1.0"?>` + in(good), 1, "", "not at the beginning"},
		{"declaration after a line", "\n<?xml version=\"1.0\"?>" + in(good), 2, "", "not at the beginning"},
	})
}

func TestReadRefusesCharacters(t *testing.T) {
	refuse(t, []refusal{
		{"NUL", inID("a\x00b"), 2, "", "U+0000"},
		{"NUL in an attribute", in("<cbc:ID a=\"\x00\"/>"), 1, "", "U+0000"},
		{"escape", inID("\x1B"), 2, "", "U+001B"},
		{"U+FFFE", inID("\uFFFE"), 2, "", "U+FFFE"},
		{"U+FFFF in a comment", in("\n\n<!-- \uFFFF -->"), 3, "", "U+FFFF"},
		{"reference to U+0001", inID("&#1;"), 2, "/Invoice/cbc:ID", "&#1;"},
		{"reference to NUL", inID("&#0;"), 2, "/Invoice/cbc:ID", "&#0;"},
		{"reference to U+FFFE", inID("&#xFFFE;"), 2, "/Invoice/cbc:ID", "&#xFFFE;"},
		{"reference to a surrogate", inID("&#xD800;"), 2, "/Invoice/cbc:ID", "&#xD800;"},
		{"pair of surrogates", inID("&#xD83E;&#xDDFE;"), 2, "/Invoice/cbc:ID", "&#xD83E;"},
		{"reference beyond Unicode", inID("&#x110000;"), 2, "/Invoice/cbc:ID", "&#x110000;"},
		{"reference beyond 32 bits", inID("&#4294967361;"), 2, "/Invoice/cbc:ID", "&#4294967361;"},
		{"empty reference", inID("&;"), 2, "/Invoice/cbc:ID", "&;"},
		{"reference without a number", inID("&#;"), 2, "/Invoice/cbc:ID", "&#;"},
		{"reference without a hex number", inID("&#x;"), 2, "/Invoice/cbc:ID", "&#x;"},
		{"reference with capital X", inID("&#X41;"), 2, "/Invoice/cbc:ID", "&#X41;"},
		{"reference with a sign", inID("&#+65;"), 2, "/Invoice/cbc:ID", "&#+65;"},
		{"reference with an underscore", inID("&#6_5;"), 2, "/Invoice/cbc:ID", "&#6_5;"},
		{"unknown entity", inID("&nbsp;"), 2, "/Invoice/cbc:ID", "&nbsp;"},
		{"entity with capitals", inID("&AMP;"), 2, "/Invoice/cbc:ID", "&AMP;"},
		{"bare ampersand", inID("A & B"), 2, "/Invoice/cbc:ID", "&amp;"},
		{"ampersand at the end", inID("A &"), 2, "/Invoice/cbc:ID", "&amp;"},
		{"reference over an end tag", in("<cbc:ID>&am</cbc:ID>p;"), 1, "/Invoice/cbc:ID", "&amp;"},
		{"bare ampersand in an attribute", in(`<cbc:ID a="b & c"/>`), 1, "/Invoice", "&amp;"},
		{"unknown entity in an attribute", in(`<cbc:ID a="&x;"/>`), 1, "/Invoice", "&x;"},
		{"end of CDATA in text", inID("a ]]> b"), 2, "/Invoice/cbc:ID", "]]>"},
	})
}

func TestReadRefusesEntities(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("<!DOCTYPE Invoice [\n<!ENTITY l0 \"ha\">\n")
	for i := range 9 {
		fmt.Fprintf(&laughs, "<!ENTITY l%d %q>\n", i+1, strings.Repeat(fmt.Sprintf("&l%d;", i), 10))
	}
	laughs.WriteString("]>\n" + inID("&l9;"))
	refuse(t, []refusal{
		{"document type", "<!DOCTYPE Invoice>" + in(good), 1, "", "document type"},
		{"document type with a system id", "\n<!DOCTYPE Invoice SYSTEM \"http://example.com/a.dtd\">" + in(good), 2, "", "document type"},
		{"internal subset", "<!DOCTYPE Invoice [<!ENTITY a \"b\">]>" + inID("&a;"), 1, "", "document type"},
		{"external entity", "<!DOCTYPE Invoice [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>" + inID("&a;"), 1, "", "document type"},
		{"billion laughs", laughs.String(), 1, "", "document type"},
		{"small letters", "<!doctype Invoice>" + in(good), 1, "", "document type"},
		{"after the declaration", "<?xml version=\"1.0\"?>\n<!-- a -->\n<!DOCTYPE Invoice>" + in(good), 3, "", "document type"},
		{"after the root", in(good) + "<!DOCTYPE Invoice>", 1, "", "document type"},
		{"inside the root", in("<!DOCTYPE Invoice>"), 1, "/Invoice", "declarations"},
		{"entity inside the root", in("\n<!ENTITY a \"b\">"), 2, "/Invoice", "declarations"},
	})
}
