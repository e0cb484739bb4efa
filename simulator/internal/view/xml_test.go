package view

import (
	"strings"
	"testing"
)

func textOf(x *prettyXML) string {
	var b strings.Builder
	for _, l := range x.Lines {
		b.WriteString(l.Indent)
		for _, p := range l.Parts {
			b.WriteString(p.Text)
		}
		b.WriteString("\n")
	}
	return b.String() + x.Raw
}

func TestPretty(t *testing.T) {
	const head = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2">`
	for _, c := range []struct{ name, document, want string }{
		{"nested", head + `<cac:Party><cbc:ID scheme="a&quot;">x &amp; y</cbc:ID><cbc:Note/></cac:Party></Invoice>`,
			"<Invoice>\n  <cac:Party>\n    <cbc:ID scheme=\"a&quot;\">x &amp; y</cbc:ID>\n    <cbc:Note/>\n  </cac:Party>\n</Invoice>\n"},
		{"direction marks", head + "<cbc:ID>a\u202Eb</cbc:ID></Invoice>", "<Invoice>\n  <cbc:ID>ab</cbc:ID>\n</Invoice>\n"},
		{"not XML", "<a", "<a"},
		{"doctype", `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`},
		{"UTF-16", "\xfe\xff\x00" + strings.Join(strings.Split(head+"</Invoice>", ""), "\x00"), "<Invoice/>\n"},
		{"bytes", "\xff\xfe", "\uFFFD"},
	} {
		if got := textOf(pretty([]byte(c.document))); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	long := head + strings.Repeat("<cbc:ID>x</cbc:ID>", maxLines+10) + "</Invoice>"
	if x := pretty([]byte(long)); len(x.Lines) != maxLines || !x.Cut {
		t.Errorf("long document: %d lines, cut %v, want %d", len(x.Lines), x.Cut, maxLines)
	}
	if x := pretty([]byte("<" + strings.Repeat("x", maxRaw+10))); len(x.Raw) != maxRaw || !x.Cut {
		t.Errorf("long text: %d characters, cut %v, want %d", len(x.Raw), x.Cut, maxRaw)
	}
}
