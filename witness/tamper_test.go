package witness_test

import (
	"strings"
	"testing"

	"khatm/witness"
)

// The paths at which several changes are found.
const (
	signaturePath  = "/Invoice/ext:UBLExtensions/ext:UBLExtension/ext:ExtensionContent/sig:UBLDocumentSignatures/sac:SignatureInformation/ds:Signature"
	infoPath       = signaturePath + "/ds:SignedInfo"
	hashPath       = infoPath + "/ds:Reference[1]/ds:DigestValue"
	propertiesPath = signaturePath + "/ds:Object/xades:QualifyingProperties/xades:SignedProperties"
	certPath       = propertiesPath + "/xades:SignedSignatureProperties/xades:SigningCertificate/xades:Cert"
	qrPath         = "/Invoice/cac:AdditionalDocumentReference[3]/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"
	pihPath        = "/Invoice/cac:AdditionalDocumentReference[2]"
	icvPath        = "/Invoice/cac:AdditionalDocumentReference[1]"

	// hashed are the findings for any change that the hash covers.
	hashed = "hash-digest signature qr-hash"
)

// tamper is a change to a stamped document and the findings that it must cause.
type tamper struct {
	name     string
	old, new string
	ids      string // of all findings, in order
	path     string // of the first
}

// TestTampered changes a stamped simplified document in one place at a time.
func TestTampered(t *testing.T) {
	groups := [][]tamper{tampersOfInvoice, tampersOfPieces, tampersOfChain, tampersOfSignedInfo, tampersOfStamp, tampersOfReference, tampersOfCode(t)}
	count := 0
	for _, group := range groups {
		for _, c := range group {
			count++
			t.Run(c.name, func(t *testing.T) { judge(t, c) })
		}
	}
	if count < 120 {
		t.Errorf("got %d tampers, want at least 120", count)
	}
}

func judge(t *testing.T, c tamper) {
	document := stamped(t, layout{})
	if got := ids(verify(t, document, witness.Expect{})); got != "" {
		t.Fatalf("findings of the unchanged document = %q, want none", got)
	}
	changed := strings.Replace(document, c.old, c.new, 1)
	if changed == document {
		t.Fatal("the document was not changed")
	}
	report := verify(t, changed, witness.Expect{})
	if got := ids(report); got != c.ids {
		t.Errorf("findings: got %q, want %q", got, c.ids)
		for _, f := range report.Findings {
			t.Logf("%+v", f)
		}
	}
	if len(report.Findings) > 0 && report.Findings[0].Path != c.path {
		t.Errorf("path: got %s, want %s", report.Findings[0].Path, c.path)
	}
	for _, f := range report.Findings {
		if f.ID == "" || !strings.HasPrefix(f.Path, "/Invoice") || f.Message == "" || strings.HasPrefix(f.ID, "BR-") {
			t.Errorf("finding %+v, want an id without BR-, a path and a message", f)
		}
	}
}

var tampersOfInvoice = []tamper{
	{"number", ">INV-7<", ">INV-8<", hashed, hashPath},
	{"uuid", ">8e6000cf", ">9e6000cf", hashed, hashPath},
	{"profile", ">reporting:1.0<", ">reporting:1.1<", hashed, hashPath},
	{"issue date", ">2026-02-03<", ">2026-02-04<", "hash-digest signature qr-time qr-hash", hashPath},
	{"issue time", ">14:05:06<", ">14:05:07<", "hash-digest signature qr-time qr-hash", hashPath},
	{"type code", ">388<", ">381<", hashed, hashPath},
	{"transaction flag", `"0200000"`, `"0200001"`, hashed, hashPath},
	{"transaction to standard", `"0200000"`, `"0100000"`, hashed, hashPath},
	{"note", "ملاحظة", "ملاحظه", hashed, hashPath},
	{"note language", `languageID="ar"`, `languageID="en"`, hashed, hashPath},
	{"note gone", `<cbc:Note languageID="ar">ملاحظة &amp; &lt;more&gt;</cbc:Note>`, "", hashed, hashPath},
	{"currency", ">SAR<", ">USD<", hashed, hashPath},
	{"seller name", ">شركة الاختبار<", ">شركة اخرى<", "hash-digest signature qr-seller-name qr-hash", hashPath},
	{"seller VAT number", ">399999999900003<", ">399999999900013<", "hash-digest certificate-vat-number signature qr-vat-number qr-hash", hashPath},
	{"payable amount", ">105.00<", ">105.01<", "hash-digest signature qr-total qr-hash", hashPath},
	{"payable amount, same number", ">105.00<", ">105.0<", "hash-digest signature qr-total qr-hash", hashPath},
	{"inclusive amount", ">115.00<", ">116.00<", hashed, hashPath},
	{"first VAT total", ">15.00<", ">15.01<", "hash-digest signature qr-vat-total qr-hash", hashPath},
	{"second VAT total", ">15.0<", ">15.1<", hashed, hashPath},
	{"item name", ">قلم<", ">قلمم<", hashed, hashPath},
	{"an additional line", "<cac:InvoiceLine>", "<cac:InvoiceLine></cac:InvoiceLine><cac:InvoiceLine>", hashed, hashPath},
	{"white space between elements", "</cac:TaxTotal>\n", "</cac:TaxTotal>\n ", hashed, hashPath},
	{"white space beside the stamp", "</ext:UBLExtensions>", "</ext:UBLExtensions> ", hashed, hashPath},
	{"an additional attribute", "<cbc:ProfileID>", `<cbc:ProfileID schemeID="x">`, hashed, hashPath},
	{"an additional namespace on the root", "<Invoice ", `<Invoice xmlns:x="urn:x" `, hashed, hashPath},
	{"a comment in the number", ">INV-7<", ">INV-<!---->7<", "comment field-split", "/Invoice/cbc:ID"},
	{"an element in the number", ">INV-7<", "><cbc:ID>INV-7</cbc:ID><", "field-split " + hashed, "/Invoice/cbc:ID"},
	{"two numbers", "<cbc:ID>INV-7</cbc:ID>", "<cbc:ID>INV-7</cbc:ID><cbc:ID>INV-8</cbc:ID>", "field-repeated " + hashed, "/Invoice/cbc:ID[2]"},
	{"no issue time", "<cbc:IssueTime>14:05:06</cbc:IssueTime>", "", "field-missing hash-digest signature qr-time qr-hash", "/Invoice/cbc:IssueTime"},
}

var tampersOfChain = []tamper{
	{"counter", ">42<", ">43<", hashed, hashPath},
	{"counter with a letter", ">42<", ">4a<", "counter " + hashed, icvPath + "/cbc:UUID"},
	{"counter empty", ">42<", "><", "counter " + hashed, icvPath + "/cbc:UUID"},
	{"counter reference gone", ">ICV<", ">ICX<", "counter " + hashed, "/Invoice/cac:AdditionalDocumentReference"},
	{"counter id with a blank", ">ICV<", "> ICV<", "counter " + hashed, icvPath + "/cbc:ID"},
	{"previous hash", ">NWZl", ">NWZm", "previous-hash " + hashed, pihPath + "/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"},
	{"previous hash with a blank", ">NWZl", "> NWZl", "previous-hash " + hashed, pihPath + "/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"},
	{"previous hash with a comment", ">NWZl", "><!--x-->NWZl", "comment previous-hash-split", pihPath + "/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"},
}

var tampersOfSignedInfo = []tamper{
	{"canonicalisation", `CanonicalizationMethod Algorithm="` + c14nURI, `CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315`, "stamp-value", infoPath + "/ds:CanonicalizationMethod/@Algorithm"},
	{"signature method", "#ecdsa-sha256", "#ecdsa-sha1", "stamp-value", infoPath + "/ds:SignatureMethod/@Algorithm"},
	{"reference id", `Id="invoiceSignedData"`, `Id="invoice"`, "stamp-value", infoPath + "/ds:Reference[1]/@Id"},
	{"reference uri", `URI=""`, `URI="#x"`, "stamp-value", infoPath + "/ds:Reference[1]/@URI"},
	{"reference uri gone", ` URI=""`, ``, "stamp-value", infoPath + "/ds:Reference[1]/@URI"},
	{"properties type", "xmldsig#SignatureProperties", "xmldsig#Object", "stamp-value", infoPath + "/ds:Reference[2]/@Type"},
	{"properties uri", `URI="#xadesSignedProperties"`, `URI="#other"`, "stamp-value", infoPath + "/ds:Reference[2]/@URI"},
	{"first xpath", "self::ext:UBLExtensions", "self::ext:UBLExtension", "stamp-value", infoPath + "/ds:Reference[1]/ds:Transforms/ds:Transform[1]/ds:XPath"},
	{"second xpath", "self::cac:Signature", "self::cac:InvoiceLine", "stamp-value", infoPath + "/ds:Reference[1]/ds:Transforms/ds:Transform[2]/ds:XPath"},
	{"third xpath", "[cbc:ID='QR']", "[cbc:ID='PIH']", "stamp-value", infoPath + "/ds:Reference[1]/ds:Transforms/ds:Transform[3]/ds:XPath"},
	{"last transform", `<ds:Transform Algorithm="` + c14nURI, `<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#`, "stamp-value", infoPath + "/ds:Reference[1]/ds:Transforms/ds:Transform[4]/@Algorithm"},
	{"last transform gone", `<ds:Transform Algorithm="` + c14nURI + `"/>`, "", "stamp-incomplete", infoPath + "/ds:Reference[1]/ds:Transforms/ds:Transform"},
	{"digest method", sha256URI, "http://www.w3.org/2000/09/xmldsig#sha1", "stamp-value", infoPath + "/ds:Reference[1]/ds:DigestMethod/@Algorithm"},
	{"hash digest emptied", `<ds:DigestValue>`, `<ds:DigestValue></ds:DigestValue><ds:DigestValue>`, "stamp-missing stamp-repeated hash-digest", infoPath + "/ds:Reference[1]/ds:DigestValue[1]"},
	{"hash digest with a blank", "<ds:DigestValue>", "<ds:DigestValue> ", "hash-digest", hashPath},
	{"properties digest with a blank", "</ds:DigestValue></ds:Reference></ds:SignedInfo>", " </ds:DigestValue></ds:Reference></ds:SignedInfo>", "signed-properties-digest", infoPath + "/ds:Reference[2]/ds:DigestValue"},
}

var tampersOfStamp = []tamper{
	{"extension uri gone", "<ext:ExtensionURI>urn:oasis:names:specification:ubl:dsig:enveloped:xades</ext:ExtensionURI>", "", "stamp-incomplete", "/Invoice/ext:UBLExtensions/ext:UBLExtension/ext:ExtensionURI"},
	{"another extension before", "<ext:UBLExtension>", "<ext:UBLExtension><ext:ExtensionContent/></ext:UBLExtension><ext:UBLExtension>", "stamp-repeated", "/Invoice/ext:UBLExtensions/ext:UBLExtension[1]"},
	{"extension uri", "<ext:ExtensionURI>urn:", "<ext:ExtensionURI>URN:", "stamp-value", "/Invoice/ext:UBLExtensions/ext:UBLExtension/ext:ExtensionURI"},
	{"signature information id", "ubl:signature:1<", "ubl:signature:2<", "stamp-value", strings.TrimSuffix(signaturePath, "ds:Signature") + "cbc:ID"},
	{"referenced signature id", "signature:Invoice</sbc:", "signature:invoice</sbc:", "stamp-value", strings.TrimSuffix(signaturePath, "ds:Signature") + "sbc:ReferencedSignatureID"},
	{"signature id", `Id="signature"`, `Id="Signature"`, "stamp-value", signaturePath + "/@Id"},
	{"signature first byte", "<ds:SignatureValue>M", "<ds:SignatureValue>N", "signature qr-signature", signaturePath + "/ds:SignatureValue"},
	{"signature with a line end", "<ds:SignatureValue>M", "<ds:SignatureValue>\nM", "signature qr-signature", signaturePath + "/ds:SignatureValue"},
	{"signature empty", "<ds:SignatureValue>", "<ds:SignatureValue/><ds:SignatureValue>", "stamp-missing stamp-repeated signature qr-signature", signaturePath + "/ds:SignatureValue[1]"},
	{"certificate cut", "</ds:X509Certificate>", "AAAA</ds:X509Certificate>", "certificate-digest certificate signature", certPath + "/xades:CertDigest/ds:DigestValue"},
	{"certificate with a blank", "</ds:X509Certificate>", " </ds:X509Certificate>", "certificate-digest certificate signature", certPath + "/xades:CertDigest/ds:DigestValue"},
	{"certificate digest", "<ds:DigestValue>" + firstDigits(certDigestText), "<ds:DigestValue>AAAA", "signed-properties-digest certificate-digest", infoPath + "/ds:Reference[2]/ds:DigestValue"},
	{"certificate digest method", `<xades:CertDigest><ds:DigestMethod Algorithm="` + sha256URI, `<xades:CertDigest><ds:DigestMethod Algorithm="` + xpathURI, "stamp-value signed-properties-digest", certPath + "/xades:CertDigest/ds:DigestMethod/@Algorithm"},
	{"target", `Target="signature"`, `Target="#signature"`, "stamp-value", signaturePath + "/ds:Object/xades:QualifyingProperties/@Target"},
	{"properties id", `Id="xadesSignedProperties"`, `Id="other"`, "stamp-value signed-properties-digest", propertiesPath + "/@Id"},
	{"signing time", "14:05:07", "14:05:08", "signed-properties-digest", infoPath + "/ds:Reference[2]/ds:DigestValue"},
	{"invalid signing time", "2026-02-03T14:05:07", "yesterday", "signed-properties-digest signing-time", infoPath + "/ds:Reference[2]/ds:DigestValue"},
	{"issuer name", "CN=TEST-CA", "CN=TEST-CB", "signed-properties-digest issuer-name", infoPath + "/ds:Reference[2]/ds:DigestValue"},
	{"issuer name without blanks", "CN=TEST-CA, DC=gov", "CN=TEST-CA,DC=gov", "signed-properties-digest issuer-name", infoPath + "/ds:Reference[2]/ds:DigestValue"},
	{"serial number", ">1311768467463790320<", ">1311768467463790321<", "signed-properties-digest serial-number", infoPath + "/ds:Reference[2]/ds:DigestValue"},
	{"serial number in hex", ">1311768467463790320<", ">123456789ABCDEF0<", "signed-properties-digest serial-number", infoPath + "/ds:Reference[2]/ds:DigestValue"},
	{"white space in the properties", "<xades:Cert>", "<xades:Cert> ", "signed-properties-digest", infoPath + "/ds:Reference[2]/ds:DigestValue"},
	{"whole stamp gone", extensionsOf(), "", "stamp-missing qr-signature", "/Invoice/ext:UBLExtensions"},
}

var tampersOfReference = []tamper{
	{"signature reference id", "<cac:Signature><cbc:ID>urn:", "<cac:Signature><cbc:ID>urm:", "stamp-value", "/Invoice/cac:Signature/cbc:ID"},
	{"signature reference method", "xades</cbc:SignatureMethod>", "xadez</cbc:SignatureMethod>", "stamp-value", "/Invoice/cac:Signature/cbc:SignatureMethod"},
	{"signature reference gone", signatureText, "", "stamp-missing", "/Invoice/cac:Signature"},
	{"code reference id", "<cbc:ID>QR</cbc:ID>", "<cbc:ID> QR</cbc:ID>", "qr-value", "/Invoice/cac:AdditionalDocumentReference[3]/cbc:ID"},
	{"code type", `<cbc:ID>QR</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain"`, `<cbc:ID>QR</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/html"`, "qr-value", qrPath + "/@mimeCode"},
	{"code empty", "<cbc:ID>QR</cbc:ID><cac:Attachment>", `<cbc:ID>QR</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain"/></cac:Attachment><cac:Attachment>`, "qr-missing qr-repeated", "/Invoice/cac:AdditionalDocumentReference[3]/cac:Attachment[1]/cbc:EmbeddedDocumentBinaryObject"},
}

// TestEveryByte flips one bit of every seventh byte of the document.
func TestEveryByte(t *testing.T) {
	document := stamped(t, layout{})
	for i := 0; i < len(document); i += 7 {
		changed := []byte(document)
		changed[i] ^= 1
		report, err := witness.Verify(changed, witness.Expect{})
		if err == nil && len(report.Findings) == 0 {
			t.Errorf("document with a flipped bit in byte %d, near %q, verified, want a finding", i, document[max(0, i-20):min(len(document), i+20)])
		}
	}
}
