package seal

import (
	"bytes"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"
)

// Certificate is a device certificate issued by the authority, with the values
// that a stamp and a QR code contain.
type Certificate struct {
	Text         string // base64 of DER in one line, for ds:X509Certificate
	DER          []byte
	PublicKey    []byte // SubjectPublicKeyInfo, 88 bytes
	Signature    []byte // the issuer's signature on the certificate
	IssuerName   string // "CN=…, DC=extgazt, DC=gov, DC=local"
	SerialNumber string // decimal
	NotBefore    time.Time
	NotAfter     time.Time
	Unit         Unit // the fields found in the certificate, unchecked
}

// Digest returns the digest of the certificate as the authority computes it:
// base64 of the lower-case hexadecimal SHA-256 of Text, not of DER.
func (c *Certificate) Digest() string { return hexDigest([]byte(c.Text)) }

// Belongs reports whether the certificate was issued for the key.
func (c *Certificate) Belongs(key Signer) bool { return bytes.Equal(c.PublicKey, key.PublicKey()) }

type signedCertificate struct {
	Info      certificateInfo
	Algorithm algorithm
	Signature asn1.BitString
}

type certificateInfo struct {
	Raw        asn1.RawContent
	Version    int `asn1:"optional,explicit,default:0,tag:0"`
	Serial     *big.Int
	Algorithm  algorithm
	Issuer     name
	Validity   struct{ NotBefore, NotAfter time.Time }
	Subject    name
	PublicKey  publicKey
	IssuerID   asn1.BitString   `asn1:"optional,tag:1"`
	SubjectID  asn1.BitString   `asn1:"optional,tag:2"`
	Extensions []pkix.Extension `asn1:"omitempty,optional,explicit,tag:3"`
}

// ParseCertificate parses a certificate in DER, in PEM, in base64, or as a
// binarySecurityToken of the authority, which is base64 encoded twice. The
// public key must be on the curve secp256k1. ParseCertificate does not verify
// the issuer.
func ParseCertificate(data []byte) (*Certificate, error) {
	c, err := parseCertificate(data)
	if err != nil {
		return nil, fmt.Errorf("read a certificate: %w", err)
	}
	return c, nil
}

func parseCertificate(data []byte) (*Certificate, error) {
	der, err := unwrap(data, pemCertificate)
	if err != nil {
		return nil, err
	}
	der = append([]byte(nil), der...)
	var signed signedCertificate
	if err := unmarshal(der, &signed); err != nil {
		return nil, err
	}
	if !bytes.Equal(der, marshal(signed)) {
		return nil, errNotStrictDER
	}
	if err := signed.check(); err != nil {
		return nil, err
	}
	info := signed.Info
	c := &Certificate{
		Text:         base64.StdEncoding.EncodeToString(der),
		DER:          der,
		PublicKey:    append([]byte(nil), info.PublicKey.Raw...),
		Signature:    append([]byte(nil), signed.Signature.Bytes...),
		SerialNumber: info.Serial.String(),
		NotBefore:    info.Validity.NotBefore.UTC(),
		NotAfter:     info.Validity.NotAfter.UTC(),
	}
	if c.IssuerName, err = info.Issuer.stampText(); err != nil {
		return nil, fmt.Errorf("issuer: %w", err)
	}
	alternative, err := extension(info.Extensions, oidAlternativeName)
	if err != nil {
		return nil, err
	}
	return c, c.Unit.read(info.Subject, alternative)
}

func (s signedCertificate) check() error {
	const version3, maxSerial = 2, 20 * 8
	info := s.Info
	switch {
	case info.Version != version3:
		return fmt.Errorf("its version is %d, not 3", info.Version+1)
	case info.Serial.Sign() <= 0 || info.Serial.BitLen() >= maxSerial:
		return errors.New("its serial number must be positive and have at most 20 bytes")
	case !info.Algorithm.OID.Equal(s.Algorithm.OID):
		return errors.New("it names two different signature algorithms")
	case len(s.Algorithm.OID) != len(oidECDSA)+1 || !slices.Equal(s.Algorithm.OID[:len(oidECDSA)], oidECDSA):
		return fmt.Errorf("its signature algorithm is %s, not ECDSA", s.Algorithm.OID)
	case s.Signature.BitLength == 0 || s.Signature.BitLength%8 != 0:
		return errors.New("its signature is not a whole number of bytes")
	case info.Validity.NotAfter.Before(info.Validity.NotBefore):
		return errors.New("its validity ends before it begins")
	}
	_, err := info.PublicKey.parse()
	return err
}
