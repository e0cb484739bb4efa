package seal

import (
	"bytes"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// crypto/x509 refuses the curve secp256k1, so this file holds the parts of
// PKCS #10 and X.509 that requests and certificates share.

var (
	oidPublicKey = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidSecp256k1 = asn1.ObjectIdentifier{1, 3, 132, 0, 10}
	oidECDSA     = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3} // and the hash below it
	oidSHA256    = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}

	oidCommonName   = asn1.ObjectIdentifier{2, 5, 4, 3}
	oidSurname      = asn1.ObjectIdentifier{2, 5, 4, 4} // holds the serial of the unit; 2.5.4.5 would be refused
	oidCountry      = asn1.ObjectIdentifier{2, 5, 4, 6}
	oidOrganisation = asn1.ObjectIdentifier{2, 5, 4, 10}
	oidUnitName     = asn1.ObjectIdentifier{2, 5, 4, 11}
	oidTitle        = asn1.ObjectIdentifier{2, 5, 4, 12}
	oidCategory     = asn1.ObjectIdentifier{2, 5, 4, 15}
	oidAddress      = asn1.ObjectIdentifier{2, 5, 4, 26}
	oidUserID       = asn1.ObjectIdentifier{0, 9, 2342, 19200300, 100, 1, 1}
	oidDomain       = asn1.ObjectIdentifier{0, 9, 2342, 19200300, 100, 1, 25}

	oidExtensionRequest = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 14}
	oidTemplate         = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 311, 20, 2}
	oidAlternativeName  = asn1.ObjectIdentifier{2, 5, 29, 17}
)

const (
	pemKey         = "EC PRIVATE KEY"
	pemRequest     = "CERTIFICATE REQUEST"
	pemCertificate = "CERTIFICATE"

	// maxInput bounds what is read in any form. The authority's certificates
	// have about 1,000 bytes, and their tokens less than twice that.
	maxInput = 32 << 10
)

// name is a distinguished name: a sequence of sets, each nearly always of one
// attribute. The suffix SET tells encoding/asn1 to write the set.
type name []attributeSET

type attributeSET []attribute

type attribute struct {
	Type  asn1.ObjectIdentifier
	Value asn1.RawValue
}

// nameOf makes a name of one attribute a set, in the order given.
func nameOf(attributes ...attribute) name {
	var n name
	for _, a := range attributes {
		n = append(n, attributeSET{a})
	}
	return n
}

func text(oid asn1.ObjectIdentifier, tag int, value string) attribute {
	return attribute{oid, asn1.RawValue{Tag: tag, Bytes: []byte(value)}}
}

// text returns the value of a as UTF-8.
func (a attribute) text() (string, error) {
	raw := a.Value.Bytes
	if a.Value.Class != asn1.ClassUniversal || a.Value.IsCompound {
		return "", fmt.Errorf("attribute %s is no text", a.Type)
	}
	switch a.Value.Tag {
	case asn1.TagUTF8String, asn1.TagPrintableString, asn1.TagIA5String, asn1.TagNumericString, asn1.TagT61String:
		if !utf8.Valid(raw) {
			return "", fmt.Errorf("attribute %s is not valid UTF-8", a.Type)
		}
		return string(raw), nil
	case asn1.TagBMPString:
		if len(raw)%2 != 0 {
			return "", fmt.Errorf("attribute %s has half a character", a.Type)
		}
		units := make([]uint16, 0, len(raw)/2)
		for pair := range slices.Chunk(raw, 2) {
			units = append(units, uint16(pair[0])<<8|uint16(pair[1]))
		}
		return string(utf16.Decode(units)), nil
	}
	return "", fmt.Errorf("attribute %s is no text", a.Type)
}

type algorithm struct {
	OID        asn1.ObjectIdentifier
	Parameters asn1.RawValue `asn1:"optional"`
}

// publicKey is SubjectPublicKeyInfo.
type publicKey struct {
	Raw       asn1.RawContent
	Algorithm algorithm
	Point     asn1.BitString
}

func newPublicKey(public *secp256k1.PublicKey) publicKey {
	curve := asn1.RawValue{FullBytes: marshal(oidSecp256k1)}
	return publicKey{Algorithm: algorithm{oidPublicKey, curve}, Point: bitString(public.SerializeUncompressed())}
}

func publicKeyOf(signer Signer) (publicKey, error) {
	var p publicKey
	if err := unmarshal(signer.PublicKey(), &p); err != nil {
		return p, fmt.Errorf("the public key: %w", err)
	}
	_, err := p.parse()
	return p, err
}

// parse accepts an uncompressed point of secp256k1 and nothing else.
func (p publicKey) parse() (*secp256k1.PublicKey, error) {
	if !p.Algorithm.OID.Equal(oidPublicKey) {
		return nil, fmt.Errorf("the public key is of kind %s, not of an elliptic curve", p.Algorithm.OID)
	}
	var curve asn1.ObjectIdentifier
	if err := unmarshal(p.Algorithm.Parameters.FullBytes, &curve); err != nil {
		return nil, fmt.Errorf("the curve of the public key: %w", err)
	}
	if !curve.Equal(oidSecp256k1) {
		return nil, fmt.Errorf("the public key is on the curve %s, not on secp256k1", curve)
	}
	if p.Point.BitLength != 8*secp256k1.PubKeyBytesLenUncompressed || p.Point.Bytes[0] != secp256k1.PubKeyFormatUncompressed {
		return nil, errors.New("the public key is not an uncompressed point")
	}
	public, err := secp256k1.ParsePubKey(p.Point.Bytes)
	if err != nil {
		return nil, fmt.Errorf("the public key: %w", err)
	}
	if !bytes.Equal(p.Raw, marshal(newPublicKey(public))) {
		return nil, fmt.Errorf("the public key: %w", errLoose)
	}
	return public, nil
}

// errLoose is for what encoding/asn1 overlooks, most of all further elements at
// the end of a sequence. It is found by encoding again and comparing.
var errLoose = errors.New("not in strict DER")

func bitString(b []byte) asn1.BitString { return asn1.BitString{Bytes: b, BitLength: 8 * len(b)} }

// extension returns the value of the one extension with that id, or nil.
func extension(all []pkix.Extension, oid asn1.ObjectIdentifier) ([]byte, error) {
	var value []byte
	for _, e := range all {
		if !e.Id.Equal(oid) {
			continue
		}
		if value != nil {
			return nil, fmt.Errorf("extension %s occurs twice", oid)
		}
		value = append([]byte{}, e.Value...)
	}
	return value, nil
}

// marshal encodes values of this package's own types, which encoding/asn1
// cannot refuse: texts are raw values, times are checked before, and the rest
// was either written here or decoded by encoding/asn1 itself.
func marshal(value any) []byte {
	der, err := asn1.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("seal: %v", err))
	}
	return der
}

// unmarshal decodes the whole of der; bytes behind it are an error.
func unmarshal(der []byte, value any) error {
	rest, err := asn1.Unmarshal(der, value)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("%d bytes too many at the end", len(rest))
	}
	return nil
}

// unwrap finds the DER in data: the DER itself, its PEM, or either of these in
// base64 once or twice over, as the authority's messages carry them.
func unwrap(data []byte, label string) ([]byte, error) {
	const layers = 3
	for range layers {
		switch {
		case len(data) > maxInput:
			return nil, fmt.Errorf("%d bytes, and at most %d are read", len(data), maxInput)
		case len(data) > 0 && data[0] == 0x30: // a sequence
			return data, nil
		case bytes.HasPrefix(data, []byte("-----BEGIN ")):
			return pemBlock(data, label)
		}
		var err error
		if data, err = decodeBase64(bytes.TrimSpace(data)); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("neither DER nor PEM nor base64 of them")
}

// pemBlock returns the content of the one block in data.
func pemBlock(data []byte, label string) ([]byte, error) {
	if len(data) > maxInput {
		return nil, fmt.Errorf("%d bytes, and at most %d are read", len(data), maxInput)
	}
	if !bytes.HasPrefix(data, []byte("-----BEGIN ")) {
		return nil, errors.New("no PEM text")
	}
	block, rest := pem.Decode(data)
	switch {
	case block == nil:
		return nil, errors.New("the PEM text is damaged")
	case block.Type != label:
		return nil, fmt.Errorf("the PEM text is a %q, not a %q", block.Type, label)
	case len(block.Headers) > 0:
		return nil, errors.New("the PEM text has headers (is it encrypted?)")
	case len(bytes.TrimSpace(rest)) > 0:
		return nil, errors.New("the PEM text goes on after its block")
	}
	return block.Bytes, nil
}

// decodeBase64 takes one line of padded base64.
func decodeBase64(line []byte) ([]byte, error) {
	if len(line) == 0 {
		return nil, errors.New("nothing to read")
	}
	// The decoder of the standard library skips line ends in silence; the text
	// of a certificate is digested, so no byte of it may be ignored.
	if bytes.ContainsAny(line, "\r\n") {
		return nil, errors.New("base64 in more than one line")
	}
	return base64.StdEncoding.Strict().AppendDecode(nil, line)
}
