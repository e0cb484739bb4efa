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

// crypto/x509 does not support the curve secp256k1, so this file implements the
// parts of PKCS #10 and X.509 that requests and certificates share.

var (
	oidPublicKey = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidSecp256k1 = asn1.ObjectIdentifier{1, 3, 132, 0, 10}
	oidECDSA     = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3} // and the hash below it
	oidSHA256    = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}

	oidCommonName   = asn1.ObjectIdentifier{2, 5, 4, 3}
	oidSurname      = asn1.ObjectIdentifier{2, 5, 4, 4} // contains the serial of the unit; the authority rejects 2.5.4.5
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

	// maxInput limits the input in any encoding. The authority's certificates
	// have about 1,000 bytes, its tokens less than twice as many.
	maxInput = 32 << 10
)

// name is a distinguished name: a sequence of sets, usually of one attribute
// each. The suffix SET of the type name makes encoding/asn1 encode a set.
type name []attributeSET

type attributeSET []attribute

type attribute struct {
	Type  asn1.ObjectIdentifier
	Value asn1.RawValue
}

// nameOf returns a name with one attribute per set, in the given order.
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
		return "", fmt.Errorf("attribute %s is not a string", a.Type)
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
	return "", fmt.Errorf("attribute %s is not a string", a.Type)
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

// parse returns the key. It accepts only an uncompressed point on secp256k1.
func (p publicKey) parse() (*secp256k1.PublicKey, error) {
	if !p.Algorithm.OID.Equal(oidPublicKey) {
		return nil, fmt.Errorf("the public key has the algorithm %s, not that of an elliptic curve", p.Algorithm.OID)
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
		return nil, fmt.Errorf("the public key: %w", errNotStrictDER)
	}
	return public, nil
}

// errNotStrictDER reports an encoding that encoding/asn1 accepts but that is not strict
// DER, such as extra elements at the end of a sequence. It is detected by
// encoding the value again.
var errNotStrictDER = errors.New("not in strict DER")

func bitString(b []byte) asn1.BitString { return asn1.BitString{Bytes: b, BitLength: 8 * len(b)} }

// extension returns the value of the extension with the ID, or nil if there is
// none.
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

// marshal encodes a value of this package's types. It panics on an error, which
// cannot occur: texts are raw values, times are checked before, and everything
// else is a constant or was decoded by encoding/asn1.
func marshal(value any) []byte {
	der, err := asn1.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("seal: %v", err))
	}
	return der
}

// unmarshal decodes der. Trailing bytes are an error.
func unmarshal(der []byte, value any) error {
	rest, err := asn1.Unmarshal(der, value)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("%d trailing bytes", len(rest))
	}
	return nil
}

// unwrap returns the DER in data: DER itself, PEM, or one of them encoded in
// base64 once or twice, as in the authority's messages.
func unwrap(data []byte, label string) ([]byte, error) {
	const layers = 3
	for range layers {
		switch {
		case len(data) > maxInput:
			return nil, fmt.Errorf("input has %d bytes, at most %d are allowed", len(data), maxInput)
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
	return nil, errors.New("input is neither DER nor PEM, nor base64 of one of them")
}

// pemBlock returns the content of the only PEM block in data.
func pemBlock(data []byte, label string) ([]byte, error) {
	if len(data) > maxInput {
		return nil, fmt.Errorf("input has %d bytes, at most %d are allowed", len(data), maxInput)
	}
	if !bytes.HasPrefix(data, []byte("-----BEGIN ")) {
		return nil, errors.New("input is not PEM")
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
		return nil, errors.New("the PEM text has data after its block")
	}
	return block.Bytes, nil
}

// decodeBase64 decodes one line of padded base64.
func decodeBase64(line []byte) ([]byte, error) {
	if len(line) == 0 {
		return nil, errors.New("input is empty")
	}
	// encoding/base64 ignores line breaks, but they would change the digest of a
	// certificate's text.
	if bytes.ContainsAny(line, "\r\n") {
		return nil, errors.New("base64 has more than one line")
	}
	return base64.StdEncoding.Strict().AppendDecode(nil, line)
}
