package witness

import (
	"encoding/asn1"
	"testing"
)

// The expected texts are those of Java 17.
func TestIssuerValue(t *testing.T) {
	for _, c := range []struct {
		name  string
		tag   int
		value string
		want  string // "" if refused
	}{
		{"plain", asn1.TagPrintableString, "a b", "a b"},
		{"comma", asn1.TagUTF8String, "a, b", `"a, b"`},
		{"quote and backslash", asn1.TagUTF8String, `a"\`, `"a\"\\"`},
		{"in quotes", asn1.TagUTF8String, `"a"b"`, `"a\"b"`},
		{"leading space", asn1.TagUTF8String, " ختم", `" ختم"`},
		{"two spaces", asn1.TagUTF8String, "a  b", `"a  b"`},
		{"not UTF-8", asn1.TagUTF8String, "\xff", ""},
		{"not ASCII", asn1.TagIA5String, "ختم", ""},
		{"Latin-1", asn1.TagT61String, "\xe9", "é"},
		{"two bytes a letter", asn1.TagBMPString, "\x06\x34\xd8\x3d\xde\x00", "ش😀"},
		{"half a letter", asn1.TagBMPString, "\x06", ""},
		{"four bytes a letter", 28, "\x00\x00\x00a", ""},
		{"numeric string", asn1.TagNumericString, "12", "#12023132"},
		{"number", asn1.TagInteger, "\x05", "#020105"},
	} {
		t.Run(c.name, func(t *testing.T) {
			full := append([]byte{byte(c.tag), byte(len(c.value))}, c.value...)
			got, err := issuerValue(asn1.RawValue{Tag: c.tag, Bytes: []byte(c.value), FullBytes: full})
			if got != c.want || (err != nil) != (c.want == "") {
				t.Errorf("issuerValue = %q, %v, want %q", got, err, c.want)
			}
		})
	}
}
