package witness_test

import (
	"cmp"
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

// firstPrevious is the PIH of the first document of a device.
const firstPrevious = "NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ=="

const (
	xmlnsDS    = ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#"`
	xmlnsXades = ` xmlns:xades="http://uri.etsi.org/01903/v1.3.2#"`
	sha256URI  = "http://www.w3.org/2001/04/xmlenc#sha256"
	xpathURI   = "http://www.w3.org/TR/1999/REC-xpath-19991116"
	c14nURI    = "http://www.w3.org/2006/12/xml-c14n11"
)

// invoiceText without its three placeholders for the stamp is its own canonical
// form, so the tests need no canonicaliser to stamp it.
const invoiceText = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2">[extensions]
  <cbc:ProfileID>reporting:1.0</cbc:ProfileID>
  <cbc:ID>INV-7</cbc:ID>
  <cbc:UUID>8e6000cf-1a98-4174-b3e7-b5d5954bc10d</cbc:UUID>
  <cbc:IssueDate>2026-02-03</cbc:IssueDate>
  <cbc:IssueTime>14:05:06</cbc:IssueTime>
  <cbc:InvoiceTypeCode name="[transaction]">388</cbc:InvoiceTypeCode>
  <cbc:Note languageID="ar">ملاحظة &amp; &lt;more&gt;</cbc:Note>
  <cbc:DocumentCurrencyCode>SAR</cbc:DocumentCurrencyCode>
  <cac:AdditionalDocumentReference><cbc:ID>ICV</cbc:ID><cbc:UUID>42</cbc:UUID></cac:AdditionalDocumentReference>
  <cac:AdditionalDocumentReference><cbc:ID>PIH</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain">` + firstPrevious + `</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>
  [qr][signature]<cac:AccountingSupplierParty><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>399999999900003</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>شركة الاختبار</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty></cac:AccountingCustomerParty>
  <cac:TaxTotal><cbc:TaxAmount currencyID="SAR">15.00</cbc:TaxAmount></cac:TaxTotal>
  <cac:TaxTotal><cbc:TaxAmount currencyID="SAR">15.0</cbc:TaxAmount></cac:TaxTotal>
  <cac:LegalMonetaryTotal><cbc:TaxInclusiveAmount currencyID="SAR">115.00</cbc:TaxInclusiveAmount><cbc:PayableAmount currencyID="SAR">105.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
  <cac:InvoiceLine><cbc:ID>1</cbc:ID><cac:Item><cbc:Name>قلم</cbc:Name></cac:Item><cac:Price><cbc:PriceAmount currencyID="SAR">31.30</cbc:PriceAmount></cac:Price></cac:InvoiceLine>
</Invoice>`

const signatureText = `<cac:Signature><cbc:ID>urn:oasis:names:specification:ubl:signature:Invoice</cbc:ID><cbc:SignatureMethod>urn:oasis:names:specification:ubl:dsig:enveloped:xades</cbc:SignatureMethod></cac:Signature>`

// layout describes how a stamped document is written.
type layout struct {
	standard bool
	indented bool // line feeds and blanks between the tags of the stamp
	expanded bool // empty elements written with an end tag
	highS    bool

	certificate []byte // in place of testCertificate
	signed      string // in place of one second after the issue
}

var (
	deviceKey = secp256k1.PrivKeyFromBytes([]byte("a key of 32 bytes, for the tests"))
	issuerKey = secp256k1.PrivKeyFromBytes([]byte("another one, the issuer's, fixed"))
)

// stamped returns a document with extensions, QR code and signature reference.
func stamped(t testing.TB, l layout) string {
	t.Helper()
	bare := strings.NewReplacer("[extensions]", "", "[qr]", "", "[signature]", "", "[transaction]", l.transaction()).Replace(invoiceText)
	hash := sha256.Sum256([]byte(bare))
	signature := base64.StdEncoding.EncodeToString(signECDSA(deviceKey, hash[:], l.highS))
	certificate := l.certificate
	if certificate == nil {
		certificate = testCertificate(t)
	}
	extensions := extensionsText(l, base64.StdEncoding.EncodeToString(hash[:]), signature, certificate)
	qr := `<cac:AdditionalDocumentReference><cbc:ID>QR</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain">` +
		qrText(l, base64.StdEncoding.EncodeToString(hash[:]), signature, certificate) +
		`</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + strings.NewReplacer("[extensions]", extensions,
		"[qr]", qr, "[signature]", signatureText, "[transaction]", l.transaction()).Replace(invoiceText)
}

// unstamped returns a document without a stamp.
func unstamped(l layout) string {
	return strings.NewReplacer("[extensions]", "", "[qr]", "", "[signature]", "", "[transaction]", l.transaction()).Replace(invoiceText)
}

func (l layout) transaction() string {
	if l.standard {
		return "0100000"
	}
	return "0200000"
}

func extensionsText(l layout, hash, signature string, certificate []byte) string {
	text := base64.StdEncoding.EncodeToString(certificate)
	signed := cmp.Or(l.signed, "2026-02-03T14:05:07")
	properties := `<xades:SignedProperties` + xmlnsXades + ` Id="xadesSignedProperties"><xades:SignedSignatureProperties><xades:SigningTime>` + signed + `</xades:SigningTime><xades:SigningCertificate><xades:Cert><xades:CertDigest><ds:DigestMethod` + xmlnsDS + ` Algorithm="` + sha256URI + `"/><ds:DigestValue` + xmlnsDS + `>` + hexDigestOf(text) + `</ds:DigestValue></xades:CertDigest><xades:IssuerSerial><ds:X509IssuerName` + xmlnsDS + `>CN=TEST-CA, DC=gov, DC=local</ds:X509IssuerName><ds:X509SerialNumber` + xmlnsDS + `>1311768467463790320</ds:X509SerialNumber></xades:IssuerSerial></xades:Cert></xades:SigningCertificate></xades:SignedSignatureProperties></xades:SignedProperties>`
	if l.indented {
		properties = strings.NewReplacer("><xades:", ">\n    <xades:", "><ds:", ">\n        <ds:", "></xades:", ">\n    </xades:").Replace(properties)
	}
	digest := hexDigestOf(properties)
	inDocument := strings.NewReplacer(xmlnsXades, "", xmlnsDS, "").Replace(properties)
	method := `<ds:DigestMethod Algorithm="` + sha256URI + `"/>`
	filter := `<ds:Transform Algorithm="` + xpathURI + `"><ds:XPath>not(//ancestor-or-self::%s)</ds:XPath></ds:Transform>`
	out := `<ext:UBLExtensions><ext:UBLExtension><ext:ExtensionURI>urn:oasis:names:specification:ubl:dsig:enveloped:xades</ext:ExtensionURI><ext:ExtensionContent><sig:UBLDocumentSignatures xmlns:sig="urn:oasis:names:specification:ubl:schema:xsd:CommonSignatureComponents-2" xmlns:sac="urn:oasis:names:specification:ubl:schema:xsd:SignatureAggregateComponents-2" xmlns:sbc="urn:oasis:names:specification:ubl:schema:xsd:SignatureBasicComponents-2"><sac:SignatureInformation><cbc:ID>urn:oasis:names:specification:ubl:signature:1</cbc:ID><sbc:ReferencedSignatureID>urn:oasis:names:specification:ubl:signature:Invoice</sbc:ReferencedSignatureID><ds:Signature` + xmlnsDS + ` Id="signature"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="` + c14nURI + `"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"/><ds:Reference Id="invoiceSignedData" URI=""><ds:Transforms>` +
		fmt.Sprintf(filter, "ext:UBLExtensions") + fmt.Sprintf(filter, "cac:Signature") + fmt.Sprintf(filter, "cac:AdditionalDocumentReference[cbc:ID='QR']") +
		`<ds:Transform Algorithm="` + c14nURI + `"/></ds:Transforms>` + method + `<ds:DigestValue>` + hash + `</ds:DigestValue></ds:Reference><ds:Reference Type="http://www.w3.org/2000/09/xmldsig#SignatureProperties" URI="#xadesSignedProperties">` + method + `<ds:DigestValue>` + digest + `</ds:DigestValue></ds:Reference></ds:SignedInfo><ds:SignatureValue>` + signature + `</ds:SignatureValue><ds:KeyInfo><ds:X509Data><ds:X509Certificate>` + text + `</ds:X509Certificate></ds:X509Data></ds:KeyInfo><ds:Object><xades:QualifyingProperties` + xmlnsXades + ` Target="signature">` + inDocument + `</xades:QualifyingProperties></ds:Object></ds:Signature></sac:SignatureInformation></sig:UBLDocumentSignatures></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>`
	if l.expanded {
		out = regexp.MustCompile(`<(ds:\w+)([^<>]*)/>`).ReplaceAllString(out, "<$1$2></$1>")
	}
	return out
}

func hexDigestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(sum[:])))
}

func qrText(l layout, hash, signature string, certificate []byte) string {
	fields := []string{"شركة الاختبار", "399999999900003", "2026-02-03T14:05:06", "105.00", "15.00", hash, signature, string(spki(deviceKey))}
	if !l.standard {
		var outer struct {
			TBS, Algorithm asn1.RawValue
			Signature      asn1.BitString
		}
		if _, err := asn1.Unmarshal(certificate, &outer); err != nil {
			panic(err)
		}
		fields = append(fields, string(outer.Signature.Bytes))
	}
	return tlv(fields...)
}

// tlv encodes the values with the tags 1, 2, …
func tlv(values ...string) string {
	var b []byte
	for i, v := range values {
		b = append(append(b, byte(i+1), byte(len(v))), v...)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// signECDSA signs the SHA-256 of the message, with the high S if requested.
func signECDSA(key *secp256k1.PrivateKey, message []byte, highS bool) []byte {
	sum := sha256.Sum256(message)
	signature := ecdsa.Sign(key, sum[:])
	if !highS {
		return signature.Serialize()
	}
	r, s := signature.R(), signature.S()
	s.Negate()
	rb, sb := r.Bytes(), s.Bytes()
	der, err := asn1.Marshal(struct{ R, S *big.Int }{new(big.Int).SetBytes(rb[:]), new(big.Int).SetBytes(sb[:])})
	if err != nil {
		panic(err)
	}
	return der
}

func spki(key *secp256k1.PrivateKey) []byte {
	der, err := asn1.Marshal(struct {
		Algorithm struct{ Kind, Curve asn1.ObjectIdentifier }
		Key       asn1.BitString
	}{
		struct{ Kind, Curve asn1.ObjectIdentifier }{asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}, asn1.ObjectIdentifier{1, 3, 132, 0, 10}},
		asn1.BitString{Bytes: key.PubKey().SerializeUncompressed(), BitLength: 65 * 8},
	})
	if err != nil {
		panic(err)
	}
	return der
}

// testCertificate returns the certificate of the device, signed by the issuer.
func testCertificate(t testing.TB) []byte {
	t.Helper()
	part := func(value string, oid ...int) pkix.RelativeDistinguishedNameSET {
		return pkix.RelativeDistinguishedNameSET{{Type: oid, Value: value}}
	}
	dc := []int{0, 9, 2342, 19200300, 100, 1, 25}
	algorithm := pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}}
	device := must(t, pkix.RDNSequence{
		part("1-TST|2-TST|3-ed22f1d8", 2, 5, 4, 4), part("399999999900003", 0, 9, 2342, 19200300, 100, 1, 1),
		part("1100", 2, 5, 4, 12), part("RRRD2929", 2, 5, 4, 26), part("Supply", 2, 5, 4, 15),
	})
	alternative := must(t, []asn1.RawValue{{Class: asn1.ClassContextSpecific, Tag: 4, IsCompound: true, Bytes: device}})
	tbs := must(t, struct {
		Version    int `asn1:"explicit,tag:0"`
		Serial     *big.Int
		Algorithm  pkix.AlgorithmIdentifier
		Issuer     pkix.RDNSequence
		Validity   struct{ NotBefore, NotAfter time.Time }
		Subject    pkix.RDNSequence
		Key        asn1.RawValue
		Extensions []pkix.Extension `asn1:"explicit,tag:3"`
	}{
		2, big.NewInt(0x123456789ABCDEF0), algorithm,
		pkix.RDNSequence{part("local", dc...), part("gov", dc...), part("TEST-CA", 2, 5, 4, 3)},
		struct{ NotBefore, NotAfter time.Time }{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)},
		pkix.RDNSequence{part("SA", 2, 5, 4, 6), part("Test", 2, 5, 4, 10), part("Riyadh", 2, 5, 4, 11), part("TST-1", 2, 5, 4, 3)},
		asn1.RawValue{FullBytes: spki(deviceKey)},
		[]pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 17}, Value: alternative}},
	})
	signature := signECDSA(issuerKey, tbs, false)
	return must(t, struct {
		TBS       asn1.RawValue
		Algorithm pkix.AlgorithmIdentifier
		Signature asn1.BitString
	}{asn1.RawValue{FullBytes: tbs}, algorithm, asn1.BitString{Bytes: signature, BitLength: 8 * len(signature)}})
}

func must(t testing.TB, value any) []byte {
	t.Helper()
	der, err := asn1.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return der
}
