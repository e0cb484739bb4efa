package witness_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"khatm/internal/testtool"
	"khatm/witness"
)

const (
	head = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">`
	tail = `</Invoice>`
)

// bomb returns a document whose entities expand exponentially.
func bomb() string {
	entities := `<!ENTITY e0 "aaaaaaaaaa">`
	for n := 1; n <= 20; n++ {
		entities += fmt.Sprintf(`<!ENTITY e%d "%s">`, n, strings.Repeat(fmt.Sprintf("&e%d;", n-1), 4))
	}
	return "<!DOCTYPE Invoice [" + entities + "]>" + head + "&e20;" + tail
}

// hostile are documents that cannot be read.
var hostile = []struct {
	name     string
	document string
	want     string // substring of the error
}{
	{"empty", "", "document: is empty"},
	{"white space", " \n\t", "document: is empty"},
	{"only a byte order mark", "\xEF\xBB\xBF", "document: is empty"},
	{"no XML", "hello", "line 1, column 1: text outside"},
	{"JSON", `{"a":1}`, "line 1, column 1: text outside"},
	{"only a declaration", `<?xml version="1.0"?>`, "line 1, column 22: the document has no root"},
	{"too big", head + strings.Repeat(" ", 16<<20) + tail, "document: has"},
	{"entity bomb", bomb(), "line 1, column 1: a document type"},
	{"document type", "\n<!DOCTYPE Invoice>" + head + tail, "line 2, column 1: a document type"},
	{"external entity", `<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]>` + head + "&x;" + tail, "line 1, column 1: a document type"},
	{"document type inside the root", head + "<!DOCTYPE x>" + tail, "line 1, column 73: a document type"},
	{"unknown entity", head + "&nbsp;" + tail, "line 1, column 73: is not XML"},
	{"two roots", head + tail + head + tail, "line 1, column 83: the document has a second root"},
	{"trailing text", head + tail + "\njunk", "line 1, column 83: text outside"},
	{"trailing CDATA", head + tail + "<![CDATA[ ]]>", "line 1, column 83: text outside"},
	{"trailing character reference", head + tail + "&#32;", "line 1, column 83: text outside"},
	{"leading text", "junk" + head + tail, "line 1, column 1: text outside"},
	{"two byte order marks", "\xEF\xBB\xBF\xEF\xBB\xBF" + head + tail, "line 1, column 1: text outside"},
	{"attribute of 5 MB", strings.Replace(head, ">", ` a="`+strings.Repeat("x", 5<<20)+`">`, 1) + tail, "line 1, column 1: a tag is longer"},
	{"a million attributes", "<Invoice" + strings.Repeat(` a=""`, 1_000_000) + ">" + tail, "line 1, column 1: a tag is longer"},
	{"65 attributes", head + `<a` + numbered(` a%d=""`, 65) + `/>` + tail, "line 1, column 73: an element has more than 64 attributes"},
	{"65 namespaces", head + `<a` + numbered(` xmlns:a%d="urn:x"`, 64) + `/>` + tail, "line 1, column 73: more than 64 namespaces"},
	{"depth of 10,000", head + strings.Repeat("<a>", 10_000) + strings.Repeat("</a>", 10_000) + tail, "column 262: elements are nested deeper"},
	{"a million siblings", head + strings.Repeat("<a/>", 1_000_000) + tail, "the document has more than 200000 elements"},
	{"a million comments", head + strings.Repeat("<!---->", 1_000_000) + tail, "the document has more than 1000 comments"},
	{"wide and deep", head + strings.Repeat("<a>", 60) + strings.Repeat("<a/>", 190_000) + strings.Repeat("</a>", 60) + tail, "too many elements are nested too deeply"},
	{"UTF-16", utf16Text(head + tail), "line 1, column 1: is not UTF-8"},
	{"UTF-16 without mark", utf16Text(head + tail)[2:], "is not allowed in XML"},
	{"Latin-1 declaration", `<?xml version="1.0" encoding="ISO-8859-1"?>` + head + tail, "line 1, column 1: the XML declaration"},
	{"UTF-16 declaration", `<?xml version="1.0" encoding="UTF-16"?>` + head + tail, "line 1, column 1: the XML declaration"},
	{"version 1.1", `<?xml version="1.1"?>` + head + tail, "line 1, column 1: the XML declaration"},
	{"declaration without version", `<?xml encoding="UTF-8"?>` + head + tail, "line 1, column 1: the XML declaration"},
	{"declaration after a blank", ` <?xml version="1.0"?>` + head + tail, "line 1, column 2: a processing instruction"},
	{"two declarations", `<?xml version="1.0"?><?xml version="1.0"?>` + head + tail, "line 1, column 22: a processing instruction"},
	{"instruction without a target", head + "<? y?>" + tail, "line 1, column 73: a processing instruction"},
	{"instruction with a colon", head + "<?x:y z?>" + tail, "line 1, column 73: a processing instruction"},
	{"instruction called XML", head + "<?XML y?>" + tail, "line 1, column 73: a processing instruction"},
	{"instruction without white space", head + "<?x/y?>" + tail, "line 1, column 73: a processing instruction"},
	{"instruction without an end", head + "<?x y>" + tail, "line 1, column 73: <? is not closed"},
	{"too many instructions", head + strings.Repeat("<?x?>", 1001) + tail, "the document has more than 1000 comments and processing instructions"},
	{"invalid UTF-8", head + "\xFF" + tail, "line 1, column 73: is not UTF-8"},
	{"overlong UTF-8", head + "\xC0\xAF" + tail, "line 1, column 73: is not UTF-8"},
	{"surrogate in UTF-8", head + "\xED\xA0\x80" + tail, "line 1, column 73: is not UTF-8"},
	{"NUL", head + "\x00" + tail, "line 1, column 73: character U+0000"},
	{"control character", head + "\n\x0B" + tail, "line 2, column 1: character U+000B"},
	{"U+FFFE", head + "\uFFFE" + tail, "line 1, column 73: character U+FFFE"},
	{"reference to NUL", head + "&#0;" + tail, "line 1, column 73: reference to a character"},
	{"reference to a surrogate", head + "&#xD800;" + tail, "line 1, column 73: reference to a character"},
	{"reference beyond Unicode", head + "&#x110000;" + tail, "line 1, column 73: reference to a character"},
	{"reference without end", head + "&#65 " + tail, "line 1, column 73: reference to a character"},
	{"attribute twice", head + `<a b="1" b="2"/>` + tail, "line 1, column 73: the attribute b is repeated"},
	{"attribute twice by two prefixes", head + `<a xmlns:p="urn:x" xmlns:q="urn:x" p:b="1" q:b="2"/>` + tail, "line 1, column 73: the attribute b is repeated"},
	{"attributes of two namespaces", head + `<a xmlns:p="urn:x" xmlns:q="urn:y" p:b="1" q:c="2"/>` + tail, "line 1, column 73: an element has attributes with two prefixes"},
	{"namespace declared twice", head + `<a xmlns:p="urn:x" xmlns:p="urn:y"/>` + tail, "line 1, column 73: the attribute p is repeated"},
	{"undeclared prefix", head + `<x:a/>` + tail, "line 1, column 73: the element x:a has no declared prefix"},
	{"undeclared prefix of an attribute", head + `<a x:b=""/>` + tail, "line 1, column 73: the attribute x:b has no declared prefix"},
	{"prefix out of scope", head + `<a xmlns:x="urn:x"/><x:a/>` + tail, "line 1, column 93: the element x:a has no declared prefix"},
	{"prefix undeclared again", head + `<a xmlns:x=""/>` + tail, "line 1, column 73: the prefix x is bound to an empty namespace"},
	{"reserved prefix", head + `<a xmlns:xml="http://www.w3.org/XML/1998/namespace"/>` + tail, "line 1, column 73: a reserved namespace"},
	{"relative namespace", head + `<a xmlns="x"/>` + tail, "is relative"},
	{"two colons", head + `<a:b:c/>` + tail, "line 1, column 73: "},
	{"leading colon", head + `<:a/>` + tail, "line 1, column 73: "},
	{"attributes without a gap", head + `<a b="x"c="y"/>` + tail, "line 1, column 81: attributes are not separated"},
	{"attribute without quotes", head + `<a b=c/>` + tail, "line 1, column 73: is not XML"},
	{"less-than in an attribute", head + `<a b="<"/>` + tail, "line 1, column 79: a tag contains <"},
	{"wrong root", `<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"/>`, "line 1, column 1: the root element is"},
	{"wrong namespace", `<Invoice xmlns="urn:x"/>`, "line 1, column 1: the root element is"},
	{"no namespace", `<Invoice/>`, "line 1, column 1: the root element is"},
	{"crossed tags", head + "<a><b></a></b>" + tail, "line 1, column 79: the end tag of a"},
	{"same name, other prefix at the end", head + `<p:a xmlns:p="urn:x" xmlns:q="urn:x"></q:a>` + tail, "the end tag of a has no start"},
	{"no end", head + "\n<a>", "line 2, column 4: the element a is not closed"},
	{"one end tag too many", head + tail + tail, "line 1, column 83: the end tag of Invoice has no start"},
	{"tag without end", head + "<a", "line 1, column 73: a tag is not closed"},
	{"comment without end", head + "<!--" + tail, "line 1, column 73: <!-- is not closed by -->"},
	{"CDATA without end", head + "<![CDATA[" + tail, "line 1, column 73: <![CDATA[ is not closed by ]]>"},
	{"empty CDATA in a text", head + "3<![CDATA[]]>1" + tail, "changes when it is parsed and written again"},
	{"two hyphens in a comment", head + "<!-- -- -->" + tail, "line 1, column 73: is not XML"},
	{"end of CDATA in text", head + "]]>" + tail, "line 1, column 73: is not XML"},
}

// TestHostile checks that each document is refused with its position and the
// reason.
func TestHostile(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			_, err := witness.Verify([]byte(c.document), witness.Expect{})
			var unreadable *witness.Unreadable
			if !errors.As(err, &unreadable) {
				t.Fatalf("got %v, want an *Unreadable", err)
			}
			if got := err.Error(); !strings.Contains(got, c.want) {
				t.Errorf("error %q, want one that contains %q", got, c.want)
			}
			if _, err := witness.Hash([]byte(c.document)); err == nil {
				t.Error("Hash succeeded, want an error")
			}
		})
	}
}

// TestMemoryIsBounded verifies the largest documents that are accepted, or documents
// of a quarter of their size if it is not a long run.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	part := testtool.Count(4, 1)
	cases := []struct{ name, document string }{
		{"wide", head + strings.Repeat("<a/>", 199_000/part) + tail},
		{"deep branches", head + strings.Repeat(strings.Repeat("<a>", 60)+strings.Repeat("</a>", 60), 1_000/part) + tail},
		{"attributes", head + strings.Repeat("<a"+numbered(` a%d=""`, 64)+"/>", 12_000/part) + tail},
		{"text", head + strings.Repeat("x", 15<<20/part) + tail},
		{"references", head + strings.Repeat("&#13;", 3<<20/part) + tail},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			report, err := witness.Verify([]byte(c.document), witness.Expect{})
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Findings) == 0 {
				t.Error("no findings, want at least one")
			}
			most := uint64(4<<30) / uint64(part) // total, most of which is freed meanwhile
			if got := after.TotalAlloc - before.TotalAlloc; got > most {
				t.Errorf("allocated %d MiB, want at most %d", got>>20, most>>20)
			} else {
				t.Logf("allocated %d MiB, system has %d MiB", got>>20, after.Sys>>20)
			}
		})
	}
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func utf16Text(text string) string {
	b := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}
