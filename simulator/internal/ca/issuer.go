package ca

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"io"
	"math/big"
	"time"
)

// issuer signs certificates under one name.
type issuer struct {
	key         key
	name        []byte // DER
	common      string // CN
	certificate []byte // self-signed, DER
}

// lifetime is the validity of an issuer in years, longer than that of any
// certificate it issues.
const lifetime = 25

// issuerName is the distinguished name of an issuer, and its CN.
type issuerName struct {
	der    []byte
	common string
}

// complianceName returns CN=eInvoicing, the name of the issuer of every
// compliance certificate.
func complianceName() issuerName {
	const common = "eInvoicing"
	return issuerName{must([]asn1.RawValue{part(oidCommonName, asn1.TagUTF8String, common)}), common}
}

// productionName returns the name of an issuer of production certificates, most
// general part first, as in DER.
func productionName(common string) issuerName {
	return issuerName{must([]asn1.RawValue{
		part(oidDomain, asn1.TagIA5String, "local"),
		part(oidDomain, asn1.TagIA5String, "gov"),
		part(oidDomain, asn1.TagIA5String, "extgazt"),
		part(oidCommonName, asn1.TagPrintableString, common),
	}), common}
}

func newIssuer(random io.Reader, name issuerName, now time.Time) (*issuer, error) {
	k, err := newKey(random)
	if err != nil {
		return nil, err
	}
	serial, err := longSerial(random)
	if err != nil {
		return nil, err
	}
	i := &issuer{key: k, name: name.der, common: name.common}
	i.certificate = i.sign(body{
		serial:  serial,
		from:    now,
		until:   now.AddDate(lifetime, 0, 0),
		subject: name.der,
		public:  k.public(),
		extensions: []pkix.Extension{
			{Id: oidConstraints, Critical: true, Value: must(struct{ CA bool }{true})},
			{Id: oidKeyUsage, Critical: true, Value: must(asn1.BitString{Bytes: []byte{0x06}, BitLength: 7})}, // keyCertSign, cRLSign
			{Id: oidSubjectKey, Value: must(fingerprint(k.public()))},
		},
	})
	return i, nil
}

// longSerial returns a random positive serial of exactly 19 bytes.
func longSerial(random io.Reader) (*big.Int, error) {
	raw := make([]byte, 19)
	if _, err := io.ReadFull(random, raw); err != nil {
		return nil, fmt.Errorf("generate a serial: %w", err)
	}
	raw[0] = raw[0]&0x7f | 0x40
	return new(big.Int).SetBytes(raw), nil
}

// body holds the fields that differ between certificates.
type body struct {
	serial      *big.Int
	from, until time.Time
	subject     []byte // DER
	public      []byte // SubjectPublicKeyInfo, DER
	extensions  []pkix.Extension
}

// sign writes a certificate (RFC 5280, 4.1) and returns its DER.
func (i *issuer) sign(b body) []byte {
	type algorithm struct{ ID asn1.ObjectIdentifier }
	info := must(struct {
		Version    int `asn1:"explicit,tag:0"`
		Serial     *big.Int
		Algorithm  algorithm
		Issuer     asn1.RawValue
		Validity   struct{ From, Until time.Time }
		Subject    asn1.RawValue
		Public     asn1.RawValue
		Extensions []pkix.Extension `asn1:"explicit,tag:3"`
	}{
		Version:    2,
		Serial:     b.serial,
		Algorithm:  algorithm{oidECDSAWithSHA256},
		Issuer:     asn1.RawValue{FullBytes: i.name},
		Validity:   struct{ From, Until time.Time }{seconds(b.from), seconds(b.until)},
		Subject:    asn1.RawValue{FullBytes: b.subject},
		Public:     asn1.RawValue{FullBytes: b.public},
		Extensions: b.extensions,
	})
	signature := i.key.sign(info)
	return must(struct {
		Info      asn1.RawValue
		Algorithm algorithm
		Signature asn1.BitString
	}{
		asn1.RawValue{FullBytes: info},
		algorithm{oidECDSAWithSHA256},
		asn1.BitString{Bytes: signature, BitLength: 8 * len(signature)},
	})
}

func seconds(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }
