package witness

import (
	"bytes"
	"testing"

	xrv "github.com/mattermost/xml-roundtrip-validator"
)

func TestPlain(t *testing.T) {
	cases := []struct {
		name, document string
		want           bool
	}{
		{"tags and text", `<a:b c="d" e='f'>text<g/></a:b>`, true},
		{"declaration", `<?xml version="1.0"?><a></a>`, true},
		{"white space in tags", "<a\n b=\"c\"\t></a >", true},
		{"comment", `<a><!-- b --></a>`, false},
		{"CDATA", `<a><![CDATA[b]]></a>`, false},
		{"instruction", `<a><?b c?></a>`, false},
		{"document type", `<!DOCTYPE a><a/>`, false},
		{"colon before a name", `<:a/>`, false},
		{"colon after a name", `<a:/>`, false},
		{"two colons", `<a:b:c/>`, false},
		{"two colons in an attribute", `<a b:c:d="e"/>`, false},
		{"attribute with a trailing colon", `<a b:="c"/>`, false},
		{"attribute without quotes", `<a b=c/>`, false},
		{"attribute without a value", `<a b/>`, false},
		{"space before the equals sign", `<a b ="c"/>`, false},
		{"no space between attributes", `<a b="c"d="e"/>`, false},
		{"name that is not ASCII", `<é/>`, false},
		{"tag not closed", `<a b="c"`, false},
		{"quote not closed", `<a b="c/>`, false},
		{"declaration not closed", `<?xml version="1.0"><a/>`, false},
		{"lone less-than", `<a>< </a>`, false},
	}
	for _, c := range cases {
		if got := plain([]byte(c.document)); got != c.want {
			t.Errorf("plain(%s) = %v, want %v", c.name, got, c.want)
		}
	}
}

// FuzzPlain checks that a plain document that passes the other checks does not
// change when it is written and parsed again.
func FuzzPlain(f *testing.F) {
	const root = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"`
	for _, seed := range []string{
		root + `/>`, root + ` xmlns:a="c" d="e">f<a:g h="&#10;"/></Invoice>`, root + ` a="'">]]&gt;<b xml:lang="ar"></b></Invoice>`,
		`<x:Invoice xmlns:x="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><y xmlns="z"/><x:xmlns/></x:Invoice>`,
		`<a:b xmlns:a="c" d="e">f<g/></a:b>`, `<?xml version="1.0"?><a>&lt;</a>`, `<a b='"'>]]&gt;</a>`, `<xmlns:a/>`, `<a xmlns="" xml:lang="ar"/>`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		if len(bytes.TrimSpace(document)) == 0 || !plain(document) {
			return
		}
		for _, check := range []func([]byte) error{scanCharacters, scanReferences, scanMarkup, func(document []byte) error { _, err := readTokens(document); return err }} {
			if check(document) != nil {
				return
			}
		}
		if err := xrv.Validate(bytes.NewReader(document)); err != nil {
			t.Errorf("plain document %q changes when it is written and parsed: %v", document, err)
		}
	})
}
