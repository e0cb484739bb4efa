package seal

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"time"

	"khatm/ubl"
)

// The parts of the stamp. It is canonical XML without white space, like the rest
// of the document: sorted namespaces before sorted attributes, and no
// self-closing tags.
const (
	stampToHash = `<ext:UBLExtensions><ext:UBLExtension>` +
		`<ext:ExtensionURI>urn:oasis:names:specification:ubl:dsig:enveloped:xades</ext:ExtensionURI>` +
		`<ext:ExtensionContent><sig:UBLDocumentSignatures` +
		` xmlns:sac="urn:oasis:names:specification:ubl:schema:xsd:SignatureAggregateComponents-2"` +
		` xmlns:sbc="urn:oasis:names:specification:ubl:schema:xsd:SignatureBasicComponents-2"` +
		` xmlns:sig="urn:oasis:names:specification:ubl:schema:xsd:CommonSignatureComponents-2">` +
		`<sac:SignatureInformation>` +
		`<cbc:ID>urn:oasis:names:specification:ubl:signature:1</cbc:ID>` +
		`<sbc:ReferencedSignatureID>urn:oasis:names:specification:ubl:signature:Invoice</sbc:ReferencedSignatureID>` +
		`<ds:Signature xmlns:ds="` + nsDS + `" Id="signature"><ds:SignedInfo>` +
		`<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2006/12/xml-c14n11"></ds:CanonicalizationMethod>` +
		`<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"></ds:SignatureMethod>` +
		`<ds:Reference Id="invoiceSignedData" URI=""><ds:Transforms>` +
		transformOpen + `not(//ancestor-or-self::ext:UBLExtensions)` + transformShut +
		transformOpen + `not(//ancestor-or-self::cac:Signature)` + transformShut +
		transformOpen + `not(//ancestor-or-self::cac:AdditionalDocumentReference[cbc:ID='QR'])` + transformShut +
		`<ds:Transform Algorithm="http://www.w3.org/2006/12/xml-c14n11"></ds:Transform></ds:Transforms>` +
		digestMethod + `<ds:DigestValue>`
	hashToProperties = `</ds:DigestValue></ds:Reference>` +
		`<ds:Reference Type="http://www.w3.org/2000/09/xmldsig#SignatureProperties" URI="#xadesSignedProperties">` +
		digestMethod + `<ds:DigestValue>`
	propertiesToSignature  = `</ds:DigestValue></ds:Reference></ds:SignedInfo><ds:SignatureValue>`
	signatureToCertificate = `</ds:SignatureValue><ds:KeyInfo><ds:X509Data><ds:X509Certificate>`
	certificateToObject    = `</ds:X509Certificate></ds:X509Data></ds:KeyInfo><ds:Object>` +
		`<xades:QualifyingProperties xmlns:xades="` + nsXAdES + `" Target="signature">`
	objectToEnd = `</xades:QualifyingProperties></ds:Object></ds:Signature></sac:SignatureInformation>` +
		`</sig:UBLDocumentSignatures></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>`

	transformOpen = `<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>`
	transformShut = `</ds:XPath></ds:Transform>`
	digestMethod  = `<ds:DigestMethod Algorithm="` + algSHA256 + `"></ds:DigestMethod>`

	nsDS      = "http://www.w3.org/2000/09/xmldsig#"
	nsXAdES   = "http://uri.etsi.org/01903/v1.3.2#"
	algSHA256 = "http://www.w3.org/2001/04/xmlenc#sha256"
)

// stamp returns the parts of the stamp.
func stamp(hash, signature string, c *Certificate, p signedProperties) []string {
	parts := []string{
		stampToHash, hash,
		hashToProperties, p.digest(),
		propertiesToSignature, signature,
		signatureToCertificate, c.Text,
		certificateToObject,
	}
	parts = append(parts, p.inDocument()...)
	return append(parts, objectToEnd)
}

// references returns the parts of the elements between the previous hash and the
// seller: the QR code and the signature reference.
func references(code string) []string {
	return []string{
		`<cac:AdditionalDocumentReference><cbc:ID>QR</cbc:ID><cac:Attachment>` +
			`<cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain">`, code,
		`</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>` +
			`<cac:Signature><cbc:ID>urn:oasis:names:specification:ubl:signature:Invoice</cbc:ID>` +
			`<cbc:SignatureMethod>urn:oasis:names:specification:ubl:dsig:enveloped:xades</cbc:SignatureMethod></cac:Signature>`,
	}
}

// fill returns the document with the parts of the stamp and of the references in its
// slots.
func fill(document ubl.Canon, stamp, references []string) []byte {
	out := make([]byte, 0, len(document.Head)+size(stamp)+len(document.Body)+size(references)+len(document.Tail))
	out = appendAll(append(out, document.Head...), stamp)
	out = appendAll(append(out, document.Body...), references)
	return append(out, document.Tail...)
}

// size returns the length of the parts together.
func size(parts []string) (n int) {
	for _, p := range parts {
		n += len(p)
	}
	return n
}

func appendAll(out []byte, parts []string) []byte {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// signedProperties hold the signing time and the signing certificate.
type signedProperties struct {
	signingTime, certificateDigest, issuerName, serialNumber string
}

// escapes is a variable because creating a Replacer is slower than using it.
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func newSignedProperties(c *Certificate, signedAt time.Time) signedProperties {
	// Saudi Arabia has no daylight saving time. The authority requires a local time
	// without a zone.
	riyadh := time.FixedZone("Asia/Riyadh", 3*60*60)
	return signedProperties{
		signingTime:       signedAt.In(riyadh).Format("2006-01-02T15:04:05"),
		certificateDigest: c.Digest(),
		issuerName:        escapes.Replace(c.IssuerName),
		serialNumber:      c.SerialNumber,
	}
}

// inDocument returns the element as the document contains it, where its parents
// declare the namespaces.
func (p signedProperties) inDocument() []string {
	return p.parts("", "", "></ds:DigestMethod>")
}

// digest hashes the element as the authority's software does: on its own, with
// the namespaces declared on it and again on each ds element, with self-closing
// tags for empty elements, and with the hash in hexadecimal before base64.
func (p signedProperties) digest() string {
	parts := p.parts(` xmlns:xades="`+nsXAdES+`"`, ` xmlns:ds="`+nsDS+`"`, "/>")
	return hexDigest(appendAll(make([]byte, 0, size(parts)), parts))
}

// hexDigest returns the base64 of the hexadecimal SHA-256 of data.
func hexDigest(data []byte) string {
	sum := sha256.Sum256(data)
	return base64.StdEncoding.EncodeToString(hex.AppendEncode(nil, sum[:]))
}

// parts returns the parts of the element.
func (p signedProperties) parts(xades, ds, shut string) []string {
	return []string{
		`<xades:SignedProperties`, xades, ` Id="xadesSignedProperties"><xades:SignedSignatureProperties>`,
		`<xades:SigningTime>`, p.signingTime, `</xades:SigningTime>`,
		`<xades:SigningCertificate><xades:Cert><xades:CertDigest>`,
		`<ds:DigestMethod`, ds, ` Algorithm="` + algSHA256 + `"`, shut,
		`<ds:DigestValue`, ds, `>`, p.certificateDigest, `</ds:DigestValue></xades:CertDigest>`,
		`<xades:IssuerSerial><ds:X509IssuerName`, ds, `>`, p.issuerName, `</ds:X509IssuerName>`,
		`<ds:X509SerialNumber`, ds, `>`, p.serialNumber, `</ds:X509SerialNumber></xades:IssuerSerial>`,
		`</xades:Cert></xades:SigningCertificate></xades:SignedSignatureProperties></xades:SignedProperties>`,
	}
}
