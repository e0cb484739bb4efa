package seal

import (
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// shortNames are the attribute types that a stamp contains by name. All others
// are written as object identifiers.
var shortNames = map[string]string{
	oidCommonName.String():    "CN",
	oidSurname.String():       "SURNAME",
	"2.5.4.5":                 "SERIALNUMBER",
	oidCountry.String():       "C",
	"2.5.4.7":                 "L",
	"2.5.4.8":                 "ST",
	"2.5.4.9":                 "STREET",
	oidOrganisation.String():  "O",
	oidUnitName.String():      "OU",
	oidTitle.String():         "T",
	"2.5.4.42":                "GIVENNAME",
	"2.5.4.43":                "INITIALS",
	"2.5.4.44":                "GENERATION",
	"2.5.4.46":                "DNQ",
	oidUserID.String():        "UID",
	oidDomain.String():        "DC",
	"1.2.840.113549.1.9.1":    "EMAILADDRESS",
	"1.3.6.1.4.1.42.2.11.2.1": "IP",
}

// stampText formats the name exactly as the authority's software does, which
// compares it byte by byte: like getIssuerDN().getName() in Java, the last part
// first. RFC 2253 and RFC 4514 use other spaces, names and quotes.
func (n name) stampText() (string, error) {
	var parts []string
	for _, set := range slices.Backward(n) {
		var pairs []string
		for _, a := range set {
			value, err := a.stampText()
			if err != nil {
				return "", err
			}
			key, known := shortNames[a.Type.String()]
			if !known {
				key = "OID." + a.Type.String()
			}
			pairs = append(pairs, key+"="+value)
		}
		parts = append(parts, strings.Join(pairs, " + "))
	}
	if whole := strings.Join(parts, ", "); whole != "" {
		return whole, nil
	}
	return "", errors.New("it is empty")
}

// stampText formats the value: text, quoted if necessary, and everything else
// in hexadecimal. Invalid text is an error, whereas Java would replace invalid
// bytes with U+FFFD.
func (a attribute) stampText() (string, error) {
	const tagUniversalString = 28
	raw := a.Value
	if raw.Class != asn1.ClassUniversal || raw.IsCompound {
		return "#" + hex.EncodeToString(raw.FullBytes), nil
	}
	switch raw.Tag {
	case asn1.TagUTF8String, asn1.TagBMPString:
		value, err := a.text()
		return quote(value), err
	case asn1.TagPrintableString, asn1.TagIA5String, asn1.TagGeneralString, asn1.TagT61String:
		runes := make([]rune, len(raw.Bytes))
		for i, b := range raw.Bytes {
			if b >= 0x80 && raw.Tag != asn1.TagT61String { // T61String is read as Latin-1
				return "", fmt.Errorf("attribute %s is not ASCII", a.Type)
			}
			runes[i] = rune(b)
		}
		return quote(string(runes)), nil
	case tagUniversalString:
		return "", fmt.Errorf("attribute %s is a UniversalString, which is not supported", a.Type)
	}
	return "#" + hex.EncodeToString(raw.FullBytes), nil
}

// quote puts a value in quotes if it has special characters, leading or
// trailing spaces, or two spaces in a row. If the value is already in quotes,
// they are kept and not escaped.
func quote(value string) string {
	last := len(value) - 1
	enclosed := last > 0 && value[0] == '"' && value[last] == '"'
	var b strings.Builder
	var before rune
	needed := false
	for i, r := range value {
		if enclosed && (i == 0 || i == last) {
			b.WriteRune(r)
			continue
		}
		special := strings.ContainsRune(",+=\n<>#;\\\"", r)
		space := r == ' ' && (i == 0 || i == last || before == ' ')
		needed = needed || special || space
		if r == '"' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		before = r
	}
	if needed && !enclosed {
		return `"` + b.String() + `"`
	}
	return b.String()
}
