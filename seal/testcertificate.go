package seal

import (
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"
)

// testIssuer is the issuer of every test certificate, so that a reader of a
// document does not mistake it for a certificate of the authority.
const testIssuer = "KHATM-REHEARSAL-CA"

// TestCertificate returns a certificate for demonstrations and tests. It has
// the form of the authority's production certificates and is valid for five
// years from notBefore. Its issuer is a temporary CA whose key is generated
// from random and discarded. The same random bytes result in the same
// certificate.
func TestCertificate(key Signer, unit Unit, notBefore time.Time, random io.Reader) (*Certificate, error) {
	c, err := testCertificate(key, unit, notBefore, random)
	if err != nil {
		return nil, fmt.Errorf("make a test certificate: %w", err)
	}
	return c, nil
}

func testCertificate(key Signer, unit Unit, notBefore time.Time, random io.Reader) (*Certificate, error) {
	if err := unit.Check(); err != nil {
		return nil, err
	}
	// ASN.1 can encode the years 1950 to 9999; the validity ends five years later.
	if year := notBefore.UTC().Year(); year < 1950 || year > 9990 {
		return nil, fmt.Errorf("its validity cannot begin in the year %d", year)
	}
	public, err := publicKeyOf(key)
	if err != nil {
		return nil, err
	}
	issuer, err := NewKey(random)
	if err != nil {
		return nil, err
	}
	serial := make([]byte, 19)
	if _, err := io.ReadFull(random, serial); err != nil {
		return nil, fmt.Errorf("generate a serial number: %w", err)
	}
	serial[0] = serial[0]&0x7f | 0x40 // always 19 bytes, never negative

	info := testCertificateInfo(public, unit, issuer)
	info.Serial = new(big.Int).SetBytes(serial)
	info.Validity.NotBefore = notBefore.UTC().Truncate(time.Second)
	info.Validity.NotAfter = info.Validity.NotBefore.AddDate(0, 0, 1825)
	info.Raw = marshal(info)
	signature, err := issuer.Sign(info.Raw)
	if err != nil {
		return nil, err
	}
	return parseCertificate(marshal(signedCertificate{info, algorithm{OID: oidSHA256}, bitString(signature)}))
}

func testCertificateInfo(public publicKey, unit Unit, issuer *Key) certificateInfo {
	return certificateInfo{
		Version:   2,
		Algorithm: algorithm{OID: oidSHA256},
		Issuer: nameOf(
			text(oidDomain, asn1.TagIA5String, "local"),
			text(oidDomain, asn1.TagIA5String, "gov"),
			text(oidDomain, asn1.TagIA5String, "extgazt"),
			text(oidCommonName, asn1.TagPrintableString, testIssuer),
		),
		// The authority swaps OU and O of the request.
		Subject: nameOf(
			text(oidCountry, asn1.TagPrintableString, "SA"),
			text(oidOrganisation, stringTag(unit.Organisation), unit.Organisation),
			text(oidUnitName, stringTag(unit.UnitName), unit.UnitName),
			text(oidCommonName, stringTag(unit.CommonName), unit.CommonName),
		),
		PublicKey:  public,
		Extensions: testCertificateExtensions(public, unit, issuer),
	}
}

// testCertificateExtensions returns the extensions of a production certificate, except
// URLs and those specific to the authority's software.
func testCertificateExtensions(public publicKey, unit Unit, issuer *Key) []pkix.Extension {
	digitalSignature := asn1.BitString{Bytes: []byte{0x80}, BitLength: 1}
	return []pkix.Extension{
		{Id: oidAlternativeName, Value: unit.alternativeName()},
		{Id: asn1.ObjectIdentifier{2, 5, 29, 14}, Value: marshal(keyID(public.Point.Bytes))},
		{Id: asn1.ObjectIdentifier{2, 5, 29, 35}, Value: marshal(struct {
			ID []byte `asn1:"tag:0"`
		}{keyID(issuer.point())})},
		{Id: asn1.ObjectIdentifier{2, 5, 29, 15}, Critical: true, Value: marshal(digitalSignature)},
		{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Value: marshal([]asn1.ObjectIdentifier{
			{1, 3, 6, 1, 5, 5, 7, 3, 2}, // clientAuth
			{1, 3, 6, 1, 5, 5, 7, 3, 3}, // codeSigning
		})},
	}
}

// keyID returns a key identifier by method 1 of RFC 7093: the first 20 bytes of
// the SHA-256 hash.
func keyID(point []byte) []byte {
	sum := sha256.Sum256(point)
	return sum[:20]
}

// stringTag returns the tag of PrintableString if its alphabet suffices, and of
// UTF8String otherwise.
func stringTag(value string) int {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?"
	if strings.Trim(value, alphabet) == "" {
		return asn1.TagPrintableString
	}
	return asn1.TagUTF8String
}
