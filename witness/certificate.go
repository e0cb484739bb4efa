package witness

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

// Certificate is an X.509 certificate issued by the authority. It is parsed
// without crypto/x509, which does not support its curve.
type Certificate struct {
	Raw       []byte // the whole certificate, DER
	TBS       []byte // the part that the issuer signed, DER
	Serial    *big.Int
	Issuer    string // as in X509IssuerName: the last part first, separated by ", "
	NotBefore time.Time
	NotAfter  time.Time
	PublicKey []byte // SubjectPublicKeyInfo, DER
	Signature []byte // of the issuer, DER

	Country      string
	Organization string
	Unit         string
	CommonName   string

	// From the alternative name, as registered for the device.
	DeviceSerial string // 1-…|2-…|3-…
	VATNumber    string
	InvoiceTypes string // such as 1100
	Address      string
	Category     string
}

var (
	oidECDSAWithSHA256 = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}
	oidECPublicKey     = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidSecp256k1       = asn1.ObjectIdentifier{1, 3, 132, 0, 10}
	oidAlternativeName = asn1.ObjectIdentifier{2, 5, 29, 17}
)

// certificateDER and tbsDER are the structures of RFC 5280, 4.1.
type certificateDER struct {
	TBS       asn1.RawValue
	Algorithm pkix.AlgorithmIdentifier
	Signature asn1.BitString
}

type tbsDER struct {
	Version    int `asn1:"optional,explicit,default:0,tag:0"`
	Serial     *big.Int
	Algorithm  pkix.AlgorithmIdentifier
	Issuer     []issuerSET
	Validity   struct{ NotBefore, NotAfter time.Time }
	Subject    pkix.RDNSequence
	PublicKey  asn1.RawValue
	IssuerID   asn1.BitString   `asn1:"optional,tag:1"`
	SubjectID  asn1.BitString   `asn1:"optional,tag:2"`
	Extensions []pkix.Extension `asn1:"optional,explicit,tag:3"`
}

// ReadCertificate parses a certificate from DER without trailing bytes. It does
// not check the curve of the key; verifying a signature does.
func ReadCertificate(der []byte) (*Certificate, error) {
	var outer certificateDER
	if err := unmarshal(der, &outer); err != nil {
		return nil, fmt.Errorf("read certificate: %w", err)
	}
	var inner tbsDER
	if err := unmarshal(outer.TBS.FullBytes, &inner); err != nil {
		return nil, fmt.Errorf("read certificate body: %w", err)
	}
	switch {
	case outer.Signature.BitLength%8 != 0:
		return nil, fmt.Errorf("read certificate: signature has %d bits, want whole bytes", outer.Signature.BitLength)
	case !outer.Algorithm.Algorithm.Equal(inner.Algorithm.Algorithm):
		return nil, errors.New("read certificate: signature algorithms differ")
	}
	issuer, err := issuerText(inner.Issuer)
	if err != nil {
		return nil, fmt.Errorf("read certificate issuer: %w", err)
	}
	c := &Certificate{
		Raw:       bytes.Clone(der),
		TBS:       bytes.Clone(outer.TBS.FullBytes),
		Serial:    inner.Serial,
		Issuer:    issuer,
		NotBefore: inner.Validity.NotBefore,
		NotAfter:  inner.Validity.NotAfter,
		PublicKey: bytes.Clone(inner.PublicKey.FullBytes),
		Signature: bytes.Clone(outer.Signature.Bytes),
	}
	c.subject(inner.Subject)
	if err := c.alternatives(inner.Extensions); err != nil {
		return nil, err
	}
	return c, nil
}

// unmarshal is asn1.Unmarshal for a single value without trailing bytes.
func unmarshal(der []byte, into any) error {
	rest, err := asn1.Unmarshal(der, into)
	if err == nil && len(rest) > 0 {
		return fmt.Errorf("%d trailing bytes", len(rest))
	}
	return err
}

// alternatives reads the directory name among the alternative names, in which
// the authority stores the registration of the device.
func (c *Certificate) alternatives(extensions []pkix.Extension) error {
	for _, extension := range extensions {
		if !extension.Id.Equal(oidAlternativeName) {
			continue
		}
		var names []asn1.RawValue
		if err := unmarshal(extension.Value, &names); err != nil {
			return fmt.Errorf("read alternative name: %w", err)
		}
		for _, n := range names {
			const directoryName = 4
			if n.Class != asn1.ClassContextSpecific || n.Tag != directoryName {
				continue
			}
			var parts pkix.RDNSequence
			if err := unmarshal(n.Bytes, &parts); err != nil {
				return fmt.Errorf("read directory name: %w", err)
			}
			c.device(parts)
		}
	}
	return nil
}

// SignedBy returns an error unless the issuer with this key
// (SubjectPublicKeyInfo, DER) signed the certificate.
func (c *Certificate) SignedBy(issuer []byte) error {
	var outer certificateDER
	if err := unmarshal(c.Raw, &outer); err != nil {
		return fmt.Errorf("read certificate: %w", err)
	}
	if !outer.Algorithm.Algorithm.Equal(oidECDSAWithSHA256) {
		return fmt.Errorf("check certificate: unknown signature algorithm %v", outer.Algorithm.Algorithm)
	}
	if err := verify(issuer, c.TBS, c.Signature); err != nil {
		return fmt.Errorf("check certificate: %w", err)
	}
	return nil
}

// verify checks a DER signature, ECDSA with SHA-256, by a secp256k1 key. It
// accepts high S, which the authority's own samples have.
func verify(spki, message, signature []byte) error {
	key, err := publicKey(spki)
	if err != nil {
		return err
	}
	parsed, err := ecdsa.ParseDERSignature(signature)
	if err != nil {
		return fmt.Errorf("signature is not valid DER: %w", err)
	}
	sum := sha256.Sum256(message)
	if !parsed.Verify(sum[:], key) {
		return errors.New("signature does not match the content and the public key")
	}
	return nil
}

// publicKey parses a SubjectPublicKeyInfo with the curve secp256k1.
func publicKey(spki []byte) (*secp256k1.PublicKey, error) {
	var info struct {
		Algorithm struct{ Kind, Curve asn1.ObjectIdentifier }
		Key       asn1.BitString
	}
	if err := unmarshal(spki, &info); err != nil {
		return nil, fmt.Errorf("public key: %w", err)
	}
	if !info.Algorithm.Kind.Equal(oidECPublicKey) || !info.Algorithm.Curve.Equal(oidSecp256k1) {
		return nil, fmt.Errorf("public key has the curve %v, want secp256k1", info.Algorithm.Curve)
	}
	if info.Key.BitLength != 65*8 || info.Key.Bytes[0] != 4 {
		return nil, errors.New("public key is not an uncompressed point")
	}
	key, err := secp256k1.ParsePubKey(info.Key.Bytes)
	if err != nil {
		return nil, fmt.Errorf("public key: %w", err)
	}
	return key, nil
}
