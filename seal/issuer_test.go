package seal_test

import (
	"encoding/asn1"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"khatm/seal"
	"khatm/witness"
)

// issuerPart is one attribute of an issuer's name.
type issuerPart struct {
	Type  asn1.ObjectIdentifier
	Value asn1.RawValue
}

// partsSET is encoded as a set because of the suffix of its name.
type partsSET []issuerPart

var (
	ofCN     = asn1.ObjectIdentifier{2, 5, 4, 3}
	ofSerial = asn1.ObjectIdentifier{2, 5, 4, 5}
	ofC      = asn1.ObjectIdentifier{2, 5, 4, 6}
	ofO      = asn1.ObjectIdentifier{2, 5, 4, 10}
	ofOrgID  = asn1.ObjectIdentifier{2, 5, 4, 97}
	ofMail   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 1}
	ofDC     = asn1.ObjectIdentifier{0, 9, 2342, 19200300, 100, 1, 25}
)

func part(oid asn1.ObjectIdentifier, tag int, value string) issuerPart {
	return issuerPart{oid, asn1.RawValue{Tag: tag, Bytes: []byte(value)}}
}

// named returns a name that has only a CN.
func named(value string) []partsSET { return []partsSET{{part(ofCN, asn1.TagUTF8String, value)}} }

// issuedBy returns the sample certificate with another issuer.
func issuedBy(t testing.TB, issuer []partsSET) []byte {
	t.Helper()
	name, err := asn1.Marshal(issuer)
	if err != nil {
		t.Fatal(err)
	}
	return resign(t, sampleDER(t), keyFor(t, 1), func(info []byte) []byte {
		const place = 3 // after version, serial number and algorithm
		var out [][]byte
		for rest := contentOf(t, info); len(rest) > 0; {
			var v asn1.RawValue
			if rest, err = asn1.Unmarshal(rest, &v); err != nil {
				t.Fatal(err)
			}
			out = append(out, v.FullBytes)
		}
		out[place] = name
		return element(0x30, out...)
	})
}

// issuerNames are names with the result of getIssuerDN().getName() in Java 17.
var issuerNames = []struct {
	name   string
	issuer []partsSET
	want   string
}{
	{"as the authority's", []partsSET{{part(ofDC, asn1.TagIA5String, "local")}, {part(ofDC, asn1.TagIA5String, "gov")}, {part(ofCN, asn1.TagPrintableString, "CA-1")}}, "CN=CA-1, DC=gov, DC=local"},
	{"comma", named("Salem, Sons"), `CN="Salem, Sons"`},
	{"Arabic comma", named("سالم، وأولاده"), "CN=سالم، وأولاده"},
	{"plus", named("a+b"), `CN="a+b"`},
	{"equals sign", named("O=x"), `CN="O=x"`},
	{"angle brackets", named("<a>"), `CN="<a>"`},
	{"semicolon", named("a;b"), `CN="a;b"`},
	{"hash in front", named("#a"), `CN="#a"`},
	{"hash inside", named("a#b"), `CN="a#b"`},
	{"backslash", named(`a\b`), `CN="a\\b"`},
	{"quote", named(`a"b`), `CN="a\"b"`},
	{"one quote", named(`"`), `CN="\""`},
	{"in quotes", named(`"a"`), `CN="a"`},
	{"in quotes with a comma", named(`"a,b"`), `CN="a,b"`},
	{"in quotes with a quote", named(`"a"b"`), `CN="a\"b"`},
	{"two quotes", named(`""`), `CN=""`},
	{"quotes at the end", named(`a""`), `CN="a\"\""`},
	{"leading space", named(" a"), `CN=" a"`},
	{"trailing space", named("a "), `CN="a "`},
	{"one space inside", named("a b"), "CN=a b"},
	{"two spaces inside", named("a  b"), `CN="a  b"`},
	{"only a space", named(" "), `CN=" "`},
	{"line end", named("a\nb"), "CN=\"a\nb\""},
	{"tab", named("\ta"), "CN=\ta"},
	{"other signs", named("a&b@c*d_e'f(g):h?"), "CN=a&b@c*d_e'f(g):h?"},
	{"Arabic", named("شركة ختم"), "CN=شركة ختم"},
	{"Arabic with two spaces", named("شركة  ختم"), `CN="شركة  ختم"`},
	{"outside the Basic Multilingual Plane", named("😀 "), `CN="😀 "`},
	{"empty value", named(""), "CN="},
	{"two in a set", []partsSET{{part(ofC, asn1.TagPrintableString, "SA")}, {part(ofO, asn1.TagPrintableString, "O"), part(ofCN, asn1.TagPrintableString, "CA")}}, "O=O + CN=CA, C=SA"},
	{"three in a set", []partsSET{{part(ofO, asn1.TagUTF8String, "O"), part(ofCN, asn1.TagUTF8String, "CA"), part(ofOrgID, asn1.TagUTF8String, "a,b")}}, `O=O + CN=CA + OID.2.5.4.97="a,b"`},
	{"unknown type", []partsSET{{part(ofOrgID, asn1.TagUTF8String, "VATSA-3")}, {part(ofCN, asn1.TagUTF8String, "CA")}}, "CN=CA, OID.2.5.4.97=VATSA-3"},
	{"serial number", []partsSET{{part(ofSerial, asn1.TagPrintableString, "7")}}, "SERIALNUMBER=7"},
	{"electronic address", []partsSET{{part(ofMail, asn1.TagIA5String, "ca@example.com")}}, "EMAILADDRESS=ca@example.com"},
	{"Latin-1", []partsSET{{part(ofCN, asn1.TagT61String, "\xe9,")}}, `CN="é,"`},
	{"two bytes a letter", []partsSET{{part(ofCN, asn1.TagBMPString, "\x06\x34\x00,")}}, `CN="ش,"`},
	{"surrogate pair", []partsSET{{part(ofCN, asn1.TagBMPString, "\xd8\x3d\xde\x00")}}, "CN=😀"},
	{"general string", []partsSET{{part(ofCN, asn1.TagGeneralString, "a b")}}, "CN=a b"},
	{"numeric string", []partsSET{{part(ofCN, asn1.TagNumericString, "123")}}, "CN=#1203313233"},
	{"number", []partsSET{{part(ofCN, asn1.TagInteger, "\x05")}}, "CN=#020105"},
	{"not in the printable alphabet", []partsSET{{part(ofCN, asn1.TagPrintableString, "a_b")}}, "CN=a_b"},
}

// TestIssuerNameOfBothReaders compares the issuer names of seal and witness, which
// share no code, with those of the authority's software.
func TestIssuerNameOfBothReaders(t *testing.T) {
	for _, c := range issuerNames {
		t.Run(c.name, func(t *testing.T) {
			ours, theirs := issuerNamesOf(t, c.issuer)
			if ours != c.want {
				t.Errorf("seal:    got %s, want %s", ours, c.want)
			}
			if theirs != c.want {
				t.Errorf("witness: got %s, want %s", theirs, c.want)
			}
		})
	}
}

// TestIssuerNameTypes checks the keyword of each attribute type.
func TestIssuerNameTypes(t *testing.T) {
	for keyword, oid := range map[string]asn1.ObjectIdentifier{
		"CN": ofCN, "SURNAME": {2, 5, 4, 4}, "SERIALNUMBER": ofSerial, "C": ofC, "L": {2, 5, 4, 7}, "ST": {2, 5, 4, 8},
		"STREET": {2, 5, 4, 9}, "O": ofO, "OU": {2, 5, 4, 11}, "T": {2, 5, 4, 12}, "GIVENNAME": {2, 5, 4, 42},
		"INITIALS": {2, 5, 4, 43}, "GENERATION": {2, 5, 4, 44}, "DNQ": {2, 5, 4, 46}, "EMAILADDRESS": ofMail,
		"IP": {1, 3, 6, 1, 4, 1, 42, 2, 11, 2, 1}, "UID": {0, 9, 2342, 19200300, 100, 1, 1}, "DC": ofDC,
		"OID.2.5.4.15": {2, 5, 4, 15}, "OID.2.5.4.17": {2, 5, 4, 17}, "OID.2.5.4.65": {2, 5, 4, 65},
		"OID.1.3.6.1.4.1.311.60.2.1.3": {1, 3, 6, 1, 4, 1, 311, 60, 2, 1, 3},
	} {
		ours, theirs := issuerNamesOf(t, []partsSET{{part(oid, asn1.TagUTF8String, "v")}})
		if want := keyword + "=v"; ours != want || theirs != want {
			t.Errorf("seal: got %s, witness: got %s, want %s", ours, theirs, want)
		}
	}
}

// TestIssuerNameRefused checks that seal and witness both reject names for
// which Java writes a replacement character or fails.
func TestIssuerNameRefused(t *testing.T) {
	for name, issuer := range map[string][]partsSET{
		"no name":                    {},
		"an empty set":               {{}},
		"not UTF-8":                  named("\xff"),
		"Arabic in printable":        {{part(ofCN, asn1.TagPrintableString, "ختم")}},
		"Arabic in ASCII":            {{part(ofCN, asn1.TagIA5String, "ختم")}},
		"half a letter of two bytes": {{part(ofCN, asn1.TagBMPString, "\x00a\x00")}},
		"four bytes a letter":        {{part(ofCN, 28, "\x00\x00\x00a")}},
	} {
		t.Run(name, func(t *testing.T) {
			der := issuedBy(t, issuer)
			if c, err := seal.ParseCertificate(der); err == nil {
				t.Errorf("seal read the issuer name %q, want an error", c.IssuerName)
			}
			if c, err := witness.ReadCertificate(der); err == nil {
				t.Errorf("witness read the issuer name %q, want an error", c.Issuer)
			}
		})
	}
}

func TestIssuerNameOfAnyText(t *testing.T) {
	letters := rapid.StringOf(rapid.RuneFrom([]rune(" ,+=\n<>#;\\\"aش\t")))
	rapid.Check(t, func(r *rapid.T) {
		value := letters.Draw(r, "value")
		if ours, theirs := issuerNamesOf(t, named(value)); ours != theirs {
			r.Errorf("%q: seal %s, witness %s, want the same", value, ours, theirs)
		}
	})
}

// issuerNamesOf returns the issuer name according to seal and to witness.
func issuerNamesOf(t testing.TB, issuer []partsSET) (ours, theirs string) {
	t.Helper()
	der := issuedBy(t, issuer)
	c, err := witness.ReadCertificate(der)
	if err != nil {
		t.Fatal(fmt.Errorf("witness: %w", err))
	}
	return certificateOf(t, der).IssuerName, c.Issuer
}
