package ca

import (
	"encoding/asn1"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

var (
	oidECDSAWithSHA256 = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}
	oidECPublicKey     = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidSecp256k1       = asn1.ObjectIdentifier{1, 3, 132, 0, 10}

	oidExtensionRequest = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 14}
	oidTemplate         = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 311, 20, 2}
	oidAlternativeName  = asn1.ObjectIdentifier{2, 5, 29, 17}

	oidCommonName   = asn1.ObjectIdentifier{2, 5, 4, 3}
	oidCountry      = asn1.ObjectIdentifier{2, 5, 4, 6}
	oidOrganization = asn1.ObjectIdentifier{2, 5, 4, 10}
	oidUnit         = asn1.ObjectIdentifier{2, 5, 4, 11}
	oidDomain       = asn1.ObjectIdentifier{0, 9, 2342, 19200300, 100, 1, 25}

	oidSurname  = asn1.ObjectIdentifier{2, 5, 4, 4} // holds the device serial
	oidUserID   = asn1.ObjectIdentifier{0, 9, 2342, 19200300, 100, 1, 1}
	oidTitle    = asn1.ObjectIdentifier{2, 5, 4, 12}
	oidAddress  = asn1.ObjectIdentifier{2, 5, 4, 26}
	oidCategory = asn1.ObjectIdentifier{2, 5, 4, 15}
)

// value parses bytes that contain exactly one value.
func value(der []byte) (asn1.RawValue, error) {
	var v asn1.RawValue
	rest, err := asn1.Unmarshal(der, &v)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes after the value", len(rest))
	}
	return v, err
}

// values splits the content of a sequence or set into its elements. A struct of
// encoding/asn1 would ignore additional elements at the end.
func values(content []byte) ([]asn1.RawValue, error) {
	var all []asn1.RawValue
	for len(content) > 0 {
		var v asn1.RawValue
		rest, err := asn1.Unmarshal(content, &v)
		if err != nil {
			return nil, err
		}
		all, content = append(all, v), rest
	}
	return all, nil
}

// inside returns the elements of a constructed value with a universal tag. It
// checks that there are count elements, unless count is -1.
func inside(v asn1.RawValue, tag, count int) ([]asn1.RawValue, error) {
	if v.Class != asn1.ClassUniversal || v.Tag != tag || !v.IsCompound {
		return nil, fmt.Errorf("tag %d of class %d, want tag %d", v.Tag, v.Class, tag)
	}
	all, err := values(v.Bytes)
	if err == nil && count >= 0 && len(all) != count {
		err = fmt.Errorf("%d elements, want %d", len(all), count)
	}
	return all, err
}

func objectID(v asn1.RawValue) (asn1.ObjectIdentifier, error) {
	var oid asn1.ObjectIdentifier
	_, err := asn1.Unmarshal(v.FullBytes, &oid)
	return oid, err
}

// bits reads a BIT STRING that contains whole bytes.
func bits(v asn1.RawValue) ([]byte, error) {
	var b asn1.BitString
	if _, err := asn1.Unmarshal(v.FullBytes, &b); err != nil {
		return nil, err
	}
	if b.BitLength%8 != 0 {
		return nil, errors.New("bit string is not a whole number of bytes")
	}
	return b.Bytes, nil
}

// octets reads an OCTET STRING.
func octets(v asn1.RawValue) ([]byte, error) {
	var b []byte
	_, err := asn1.Unmarshal(v.FullBytes, &b)
	return b, err
}

// text reads a UTF8String or a PrintableString, the types that clients of the
// authority use. The authority refuses a BMPString.
func text(v asn1.RawValue) (string, error) {
	if v.Class != asn1.ClassUniversal || v.Tag != asn1.TagUTF8String && v.Tag != asn1.TagPrintableString {
		return "", fmt.Errorf("tag %d is neither UTF8String nor PrintableString", v.Tag)
	}
	var s string
	_, err := asn1.Unmarshal(v.FullBytes, &s)
	return s, err
}

// attribute is one attribute of a name.
type attribute struct {
	kind  asn1.ObjectIdentifier
	value asn1.RawValue
}

// attributes reads a distinguished name: a sequence of sets with one attribute
// each.
func attributes(name asn1.RawValue) ([]attribute, error) {
	sets, err := inside(name, asn1.TagSequence, -1)
	if err != nil {
		return nil, err
	}
	var all []attribute
	for _, set := range sets {
		members, err := inside(set, asn1.TagSet, 1)
		if err != nil {
			return nil, err
		}
		pair, err := inside(members[0], asn1.TagSequence, 2)
		if err != nil {
			return nil, err
		}
		kind, err := objectID(pair[0])
		if err != nil {
			return nil, err
		}
		all = append(all, attribute{kind, pair[1]})
	}
	return all, nil
}

// must returns v in DER. It is only called with values that can be encoded.
func must(v any) []byte {
	der, err := asn1.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("ca: write DER: %v", err))
	}
	return der
}

// part returns a relative distinguished name with one attribute.
func part(kind asn1.ObjectIdentifier, tag int, text string) asn1.RawValue {
	pair := append(must(kind), must(asn1.RawValue{Tag: tag, Bytes: []byte(text)})...)
	set := must(asn1.RawValue{Tag: asn1.TagSequence, IsCompound: true, Bytes: pair})
	return asn1.RawValue{Tag: asn1.TagSet, IsCompound: true, Bytes: set}
}

// printable returns the tag of PrintableString if its alphabet suffices,
// otherwise of UTF8String.
func printable(text string) int {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?"
	if utf8.ValidString(text) && strings.Trim(text, alphabet) == "" {
		return asn1.TagPrintableString
	}
	return asn1.TagUTF8String
}
