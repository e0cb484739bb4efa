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

// rehearsalIssuer stands in every rehearsal, so that no reader of a document
// can take its certificate for one of the authority.
const rehearsalIssuer = "KHATM-REHEARSAL-CA"

// Rehearsal makes a certificate for demonstrations and tests, in the shape of
// the authority's production certificates: five years from notBefore, issued
// by a throw-away authority whose key is drawn from random and forgotten. The
// same randomness gives the same certificate.
func Rehearsal(key Signer, unit Unit, notBefore time.Time, random io.Reader) (*Certificate, error) {
	c, err := rehearse(key, unit, notBefore, random)
	if err != nil {
		return nil, fmt.Errorf("rehearse a certificate: %w", err)
	}
	return c, nil
}

func rehearse(key Signer, unit Unit, notBefore time.Time, random io.Reader) (*Certificate, error) {
	if err := unit.Check(); err != nil {
		return nil, err
	}
	// The years that both ends of the validity can be written in.
	if year := notBefore.UTC().Year(); year < 1950 || year > 9990 {
		return nil, fmt.Errorf("it cannot begin in the year %d", year)
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
		return nil, fmt.Errorf("draw a serial number: %w", err)
	}
	serial[0] = serial[0]&0x7f | 0x40 // always 19 bytes, never negative

	info := rehearsalInfo(public, unit, issuer)
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

func rehearsalInfo(public publicKey, unit Unit, issuer *Key) certificateInfo {
	return certificateInfo{
		Version:   2,
		Algorithm: algorithm{OID: oidSHA256},
		Issuer: nameOf(
			text(oidDomain, asn1.TagIA5String, "local"),
			text(oidDomain, asn1.TagIA5String, "gov"),
			text(oidDomain, asn1.TagIA5String, "extgazt"),
			text(oidCommonName, asn1.TagPrintableString, rehearsalIssuer),
		),
		// The authority turns OU and O of the request round.
		Subject: nameOf(
			text(oidCountry, asn1.TagPrintableString, "SA"),
			text(oidOrganisation, stringTag(unit.Organisation), unit.Organisation),
			text(oidUnitName, stringTag(unit.UnitName), unit.UnitName),
			text(oidCommonName, stringTag(unit.CommonName), unit.CommonName),
		),
		PublicKey:  public,
		Extensions: rehearsalExtensions(public, unit, issuer),
	}
}

// rehearsalExtensions are those of a production certificate, without the
// addresses and the marks of the authority's own software.
func rehearsalExtensions(public publicKey, unit Unit, issuer *Key) []pkix.Extension {
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

// keyID is the first method of RFC 7093, which is SHA-256 cut to 20 bytes.
func keyID(point []byte) []byte {
	sum := sha256.Sum256(point)
	return sum[:20]
}

// stringTag is PrintableString where its alphabet suffices, else UTF8String.
func stringTag(value string) int {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?"
	if strings.Trim(value, alphabet) == "" {
		return asn1.TagPrintableString
	}
	return asn1.TagUTF8String
}
