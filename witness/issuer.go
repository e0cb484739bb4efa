package witness

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// issuerSET is one part of an issuer's name, nearly always with one attribute.
// The values are kept raw because some are written as DER. The suffix SET makes
// encoding/asn1 parse a set.
type issuerSET []struct {
	Type  asn1.ObjectIdentifier
	Value asn1.RawValue
}

// keywords are the attribute names that the authority's software writes; it
// writes any other attribute as "OID." and its identifier. Only CN and DC have
// been seen in its issuers.
var keywords = []struct{ oid, keyword string }{
	{"2.5.4.3", "CN"},
	{"2.5.4.4", "SURNAME"},
	{"2.5.4.5", "SERIALNUMBER"},
	{"2.5.4.6", "C"},
	{"2.5.4.7", "L"},
	{"2.5.4.8", "ST"},
	{"2.5.4.9", "STREET"},
	{"2.5.4.10", "O"},
	{"2.5.4.11", "OU"},
	{"2.5.4.12", "T"},
	{"2.5.4.42", "GIVENNAME"},
	{"2.5.4.43", "INITIALS"},
	{"2.5.4.44", "GENERATION"},
	{"2.5.4.46", "DNQ"},
	{"1.2.840.113549.1.9.1", "EMAILADDRESS"},
	{"1.3.6.1.4.1.42.2.11.2.1", "IP"},
	{"0.9.2342.19200300.100.1.25", "DC"},
	{"0.9.2342.19200300.100.1.1", "UID"},
}

// issuerText returns the name as written in X509IssuerName. It has the format of
// Java's getIssuerDN().getName(), which no RFC defines.
func issuerText(names []issuerSET) (string, error) {
	var parts []string
	for _, set := range slices.Backward(names) {
		var together []string
		for _, attribute := range set {
			value, err := issuerValue(attribute.Value)
			if err != nil {
				return "", fmt.Errorf("attribute %v: %w", attribute.Type, err)
			}
			together = append(together, keyword(attribute.Type.String())+"="+value)
		}
		parts = append(parts, strings.Join(together, " + "))
	}
	text := strings.Join(parts, ", ")
	if text == "" {
		return "", errors.New("name is empty")
	}
	return text, nil
}

func keyword(oid string) string {
	for _, k := range keywords {
		if k.oid == oid {
			return k.keyword
		}
	}
	return "OID." + oid
}

// issuerValue quotes text, and writes all other values, including numeric
// strings, as the hexadecimal DER. It refuses bytes that are invalid in their
// encoding, which would become replacement characters.
func issuerValue(v asn1.RawValue) (string, error) {
	const universalString = 28
	tag := v.Tag
	if v.Class != asn1.ClassUniversal || v.IsCompound {
		tag = 0
	}
	switch tag {
	case asn1.TagUTF8String:
		if !utf8.Valid(v.Bytes) {
			return "", errors.New("is not UTF-8")
		}
		return quoteName(string(v.Bytes)), nil
	case asn1.TagPrintableString, asn1.TagIA5String, asn1.TagGeneralString:
		if slices.ContainsFunc(v.Bytes, func(b byte) bool { return b > unicode.MaxASCII }) {
			return "", errors.New("is not ASCII")
		}
		return quoteName(string(v.Bytes)), nil
	case asn1.TagT61String:
		return quoteName(latin1(v.Bytes)), nil
	case asn1.TagBMPString:
		if len(v.Bytes)%2 != 0 {
			return "", errors.New("ends inside a character")
		}
		return quoteName(twoByte(v.Bytes)), nil
	case universalString:
		return "", errors.New("is a UniversalString, which is not supported")
	}
	return "#" + hex.EncodeToString(v.FullBytes), nil
}

func latin1(raw []byte) string {
	var b strings.Builder
	for _, c := range raw {
		b.WriteRune(rune(c))
	}
	return b.String()
}

func twoByte(raw []byte) string {
	var units []uint16
	for ; len(raw) > 0; raw = raw[2:] {
		units = append(units, binary.BigEndian.Uint16(raw))
	}
	return string(utf16.Decode(units))
}

// quoteName quotes a value that contains special characters. If the value is
// already in quotes, they are kept and not escaped.
func quoteName(value string) string {
	inner, bare := value, true
	if len(value) > 1 && strings.HasPrefix(value, `"`) && strings.HasSuffix(value, `"`) {
		inner, bare = value[1:len(value)-1], false
	}
	if bare && !strings.ContainsAny(value, ",+=\n<>#;\\\"") && !strings.Contains(value, "  ") && strings.Trim(value, " ") == value {
		return value
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(inner) + `"`
}

// subject sets the fields that come from the subject.
func (c *Certificate) subject(names pkix.RDNSequence) {
	take(names, map[string]*string{
		"2.5.4.6":  &c.Country,
		"2.5.4.10": &c.Organization,
		"2.5.4.11": &c.Unit,
		"2.5.4.3":  &c.CommonName,
	})
}

// device sets the fields that come from the alternative name.
func (c *Certificate) device(names pkix.RDNSequence) {
	take(names, map[string]*string{
		"2.5.4.4":                   &c.DeviceSerial,
		"0.9.2342.19200300.100.1.1": &c.VATNumber,
		"2.5.4.12":                  &c.InvoiceTypes,
		"2.5.4.26":                  &c.Address,
		"2.5.4.15":                  &c.Category,
	})
}

// take sets fields by object identifier; the first attribute of each kind counts.
func take(names pkix.RDNSequence, into map[string]*string) {
	for _, set := range names {
		for _, attribute := range set {
			field := into[attribute.Type.String()]
			if text, is := attribute.Value.(string); is && field != nil && *field == "" {
				*field = text
			}
		}
	}
}
