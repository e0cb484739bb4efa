package ca

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"khatm/witness"
)

// Limits of a QR code: readers refuse values of 128 bytes or more and codes of
// more than 1,000 characters.
const (
	maxValue = 127
	maxCode  = 1000
)

// code returns the QR code of a cleared document: tags 1 to 8, with date and
// time in tag 3 as they are in the document.
func (s *stamper) code(r *witness.Report, signature string) (string, error) {
	var b []byte
	for i, value := range []string{
		r.SellerName,
		r.SellerVAT,
		r.IssueDate + "T" + r.IssueTime,
		r.Payable,
		r.VATTotal,
		r.Hash,
		signature,
		string(s.certificate.PublicKey),
	} {
		if len(value) > maxValue {
			return "", &Unclearable{Reason: fmt.Sprintf("tag %d of the QR code would have %d bytes, more than %d", i+1, len(value), maxValue)}
		}
		b = append(b, byte(i+1), byte(len(value)))
		b = append(b, value...)
	}
	text := base64.StdEncoding.EncodeToString(b)
	if len(text) > maxCode {
		return "", &Unclearable{Reason: fmt.Sprintf("the QR code would have %d characters, more than %d", len(text), maxCode)}
	}
	return text, nil
}

// need returns declarations of the prefixes that the root does not declare with
// the usual namespace.
func need(declared map[string]string, prefixes ...string) string {
	customary := map[string]string{"cac": nsCAC, "cbc": nsCBC, "ext": nsEXT}
	var b strings.Builder
	for _, p := range prefixes {
		if declared[p] != customary[p] {
			fmt.Fprintf(&b, ` xmlns:%s="%s"`, p, customary[p])
		}
	}
	return b.String()
}

func qrReference(declared map[string]string, code string) string {
	return `<cac:AdditionalDocumentReference` + need(declared, "cac", "cbc") + `><cbc:ID>QR</cbc:ID><cac:Attachment>` +
		`<cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain">` + code + `</cbc:EmbeddedDocumentBinaryObject>` +
		`</cac:Attachment></cac:AdditionalDocumentReference>`
}

func signatureReference(declared map[string]string) string {
	return `<cac:Signature` + need(declared, "cac", "cbc") + `>` +
		`<cbc:ID>urn:oasis:names:specification:ubl:signature:Invoice</cbc:ID>` +
		`<cbc:SignatureMethod>urn:oasis:names:specification:ubl:dsig:enveloped:xades</cbc:SignatureMethod></cac:Signature>`
}

const (
	declareDS    = ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#"`
	declareXades = ` xmlns:xades="http://uri.etsi.org/01903/v1.3.2#"`
	methodSHA256 = ` Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>`
)

// properties returns the xades:SignedProperties element: as part of a document
// or, if alone is set, in the form that is digested, with the declarations in
// every ds element.
func (s *stamper) properties(now time.Time, alone bool) string {
	xades, ds := "", ""
	if alone {
		xades, ds = declareXades, declareDS
	}
	return `<xades:SignedProperties` + xades + ` Id="xadesSignedProperties"><xades:SignedSignatureProperties>` +
		`<xades:SigningTime>` + now.In(riyadh).Format("2006-01-02T15:04:05") + `</xades:SigningTime>` +
		`<xades:SigningCertificate><xades:Cert><xades:CertDigest><ds:DigestMethod` + ds + methodSHA256 +
		`<ds:DigestValue` + ds + `>` + hexDigest(s.text) + `</ds:DigestValue></xades:CertDigest>` +
		`<xades:IssuerSerial><ds:X509IssuerName` + ds + `>` + s.certificate.Issuer + `</ds:X509IssuerName>` +
		`<ds:X509SerialNumber` + ds + `>` + s.certificate.Serial.String() + `</ds:X509SerialNumber></xades:IssuerSerial>` +
		`</xades:Cert></xades:SigningCertificate></xades:SignedSignatureProperties></xades:SignedProperties>`
}

// hexDigest returns the base64 of the hexadecimal SHA-256, the form that the
// authority uses for two of its three digests.
func hexDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(sum[:])))
}

// extensions returns the whole ext:UBLExtensions element.
func (s *stamper) extensions(declared map[string]string, hash, signature string, now time.Time) string {
	const (
		c14n  = `Algorithm="http://www.w3.org/2006/12/xml-c14n11"/>`
		xpath = `<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>not(//ancestor-or-self::%s)</ds:XPath></ds:Transform>`
	)
	return `<ext:UBLExtensions` + need(declared, "ext", "cbc") + `><ext:UBLExtension>` +
		`<ext:ExtensionURI>urn:oasis:names:specification:ubl:dsig:enveloped:xades</ext:ExtensionURI><ext:ExtensionContent>` +
		`<sig:UBLDocumentSignatures xmlns:sig="urn:oasis:names:specification:ubl:schema:xsd:CommonSignatureComponents-2"` +
		` xmlns:sac="urn:oasis:names:specification:ubl:schema:xsd:SignatureAggregateComponents-2"` +
		` xmlns:sbc="urn:oasis:names:specification:ubl:schema:xsd:SignatureBasicComponents-2">` +
		`<sac:SignatureInformation><cbc:ID>urn:oasis:names:specification:ubl:signature:1</cbc:ID>` +
		`<sbc:ReferencedSignatureID>urn:oasis:names:specification:ubl:signature:Invoice</sbc:ReferencedSignatureID>` +
		`<ds:Signature` + declareDS + ` Id="signature"><ds:SignedInfo><ds:CanonicalizationMethod ` + c14n +
		`<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"/>` +
		`<ds:Reference Id="invoiceSignedData" URI=""><ds:Transforms>` +
		fmt.Sprintf(xpath, "ext:UBLExtensions") + fmt.Sprintf(xpath, "cac:Signature") +
		fmt.Sprintf(xpath, "cac:AdditionalDocumentReference[cbc:ID='QR']") + `<ds:Transform ` + c14n + `</ds:Transforms>` +
		`<ds:DigestMethod` + methodSHA256 + `<ds:DigestValue>` + hash + `</ds:DigestValue></ds:Reference>` +
		`<ds:Reference Type="http://www.w3.org/2000/09/xmldsig#SignatureProperties" URI="#xadesSignedProperties">` +
		`<ds:DigestMethod` + methodSHA256 + `<ds:DigestValue>` + hexDigest(s.properties(now, true)) + `</ds:DigestValue></ds:Reference>` +
		`</ds:SignedInfo><ds:SignatureValue>` + signature + `</ds:SignatureValue>` +
		`<ds:KeyInfo><ds:X509Data><ds:X509Certificate>` + s.text + `</ds:X509Certificate></ds:X509Data></ds:KeyInfo>` +
		`<ds:Object><xades:QualifyingProperties` + declareXades + ` Target="signature">` + s.properties(now, false) +
		`</xades:QualifyingProperties></ds:Object></ds:Signature></sac:SignatureInformation>` +
		`</sig:UBLDocumentSignatures></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>`
}
