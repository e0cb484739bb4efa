package judge_test

import (
	"bytes"
	"strings"

	"khatm/sample"
	"khatm/simulator/internal/judge"
	"khatm/witness"
)

// tampersOfStamp returns changes to the stamp of a simplified document.
func tampersOfStamp(w *fixture) []tamper {
	report, err := witness.Verify(w.simplified, witness.Expect{})
	if err != nil {
		w.t.Fatal(err)
	}
	mine, theirs := w.device.Certificate, w.other.Certificate
	flip := func(t string) string { return strings.Replace(t, t[8:12], "AAAA", 1) }
	const digest = "</ds:Transforms><ds:DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"></ds:DigestMethod><ds:DigestValue>"
	return []tamper{
		{"invoice digest", text(digest+report.Hash, digest+"gT6PPZh/aWmUhCvjHRIt+2fSSzEcYhw0PQ+GqeN/n7o="), "ERROR invoice-hashing", "PASS"},
		{"signed properties digest", text("<ds:DigestValue>M2E5", "<ds:DigestValue>M2E4"), "ERROR signed-properties-hashing", ""},
		{"certificate digest", text("<ds:DigestValue>Y2U3", "<ds:DigestValue>Y2U4"), "ERROR certificate-hashing signed-properties-hashing", ""},
		{"signature", value("ds:SignatureValue", flip(report.Signature)), "ERROR invalid-signature signature_QRCODE_INVALID", "ERROR signature_QRCODE_INVALID"},
		{"signature, in the QR code too", all(value("ds:SignatureValue", flip(report.Signature)), tag(7, flip(report.Signature))), "ERROR invalid-signature", "PASS"},
		{"invalid signature", value("ds:SignatureValue", "MEUC"), "ERROR invalid-signature signature_QRCODE_INVALID", "ERROR signature_QRCODE_INVALID"},
		{"issuer", value("ds:X509IssuerName", "CN=eInvoicing"), "ERROR X509IssuerName signed-properties-hashing", "ERROR signed-properties-hashing"},
		{"issuer without blanks", value("ds:X509IssuerName", strings.ReplaceAll(mine.IssuerName, ", ", ",")), "ERROR X509IssuerName signed-properties-hashing", "ERROR signed-properties-hashing"},
		{"serial", value("ds:X509SerialNumber", "1"), "ERROR X509SerialNumber signed-properties-hashing", "ERROR signed-properties-hashing"},
		{"signing time", value("xades:SigningTime", "2026-11-14T12:00:01"), "ERROR signed-properties-hashing", ""},
		{"signing time with an offset", value("xades:SigningTime", "2026-11-14T12:00:00+03:00"),
			"ERROR signed-properties-hashing", ""},
		{"signed before the certificate was valid", value("xades:SigningTime", "2020-11-14T12:00:00"),
			"ERROR signed-properties-hashing signing-time-outside-certificate?", "ERROR signed-properties-hashing"},
		{"white space in the signed properties", text("<xades:SigningTime>", "\n<xades:SigningTime>"), "ERROR signed-properties-hashing", ""},
		{"another device's certificate", value("ds:X509Certificate", theirs.Text),
			"ERROR certificate-hashing X509SerialNumber invalid-signature publicKey_QRCODE_INVALID CERTIFICATE_SIGNATURE_QRCODE_INVALID invalid-signing-certificate?",
			"ERROR certificate-hashing publicKey_QRCODE_INVALID CERTIFICATE_SIGNATURE_QRCODE_INVALID invalid-signing-certificate?"},
		{"invalid certificate", value("ds:X509Certificate", "MIIC"),
			"ERROR invalid-certificate certificate-hashing invalid-signature invalid-signing-certificate?",
			"ERROR invalid-certificate certificate-hashing invalid-signing-certificate?"},
		{"stamped by another device", func(w *fixture, s *judge.Submission) { *s = byAnother(w, s) }, "WARNING invalid-signing-certificate?", ""},
		{"stamped by another device, issuers known", func(w *fixture, s *judge.Submission) {
			*s = byAnother(w, s)
			s.Issuers = [][]byte{mine.DER, []byte("not a certificate")}
		}, "ERROR invalid-certificate invalid-signing-certificate?", "WARNING invalid-signing-certificate?"},
		{"the credential's own certificate, issuers known", func(_ *fixture, s *judge.Submission) { s.Issuers = [][]byte{theirs.DER} }, "PASS", ""},
		{"unsigned", unsealed, "ERROR invalid-certificate QRCODE_INVALID BR-KSA-27? BR-KSA-60?", ""},
		{"no extensions", without("ext:UBLExtensions"), "ERROR BR-KSA-28 BR-KSA-29? invalid-certificate signature_QRCODE_INVALID", ""},
		{"no signature reference", without("cac:Signature"), "ERROR BR-KSA-29? BR-KSA-30 BR-KSA-60? invalid-certificate", ""},
		{"no certificate", without("ds:KeyInfo"), "ERROR invalid-certificate invalid-signature", "ERROR invalid-certificate"},
		{"no signature value", without("ds:SignatureValue"), "ERROR XSD_ZATCA_INVALID", ""},
		{"no signed properties", without("ds:Object"), "ERROR invalid-certificate", ""},
		{"another algorithm", text("xmldsig-more#ecdsa-sha256", "xmldsig-more#rsa-sha256"), "PASS", ""},
		{"another XPath", text("ext:UBLExtensions)</ds:XPath>", "cac:InvoiceLine)</ds:XPath>"), "PASS", ""},
		{"a comment in the stamp", text("<ds:SignedInfo>", "<ds:SignedInfo><!-- x -->"), "PASS", ""},
		{"another id of the signature information", text("ubl:signature:1<", "ubl:signature:2<"), "ERROR BR-KSA-28", ""},
		{"the stamp twice", func(w *fixture, s *judge.Submission) {
			from := bytes.Index(s.Document, []byte("<ext:UBLExtension>"))
			to := bytes.Index(s.Document, []byte("</ext:UBLExtensions>"))
			once := s.Document[from:to]
			text("</ext:UBLExtensions>", string(once)+"</ext:UBLExtensions>")(w, s)
		}, "ERROR XSD_ZATCA_INVALID", ""},
	}
}

// byAnother returns a document of the other device, submitted by this one.
func byAnother(w *fixture, s *judge.Submission) judge.Submission {
	device := newDevice(w.t, 2)
	sent := w.submission(w.sealed(device, sample.Simplified()))
	sent.Certificate = s.Certificate
	return sent
}

// tampersOfCode returns changes to the QR code of a simplified document.
func tampersOfCode(w *fixture) []tamper {
	const bad = "ERROR QRCODE_INVALID"
	return []tamper{
		{"tag 1", tag(1, "شركة أخرى"), "ERROR sellerName_QRCODE_INVALID", ""},
		{"tag 2", tag(2, "399999999900003"), "ERROR vatNumber_QRCODE_INVALID", ""},
		{"tag 3", tag(3, "2026-11-14T12:00:01"), "WARNING invoiceTimeStamp_QRCODE_INVALID?", ""},
		{"tag 3 with Z", tag(3, "2026-11-14T12:00:00Z"), "WARNING invoiceTimeStamp_QRCODE_INVALID?", ""},
		{"tag 4", tag(4, "142.0"), "ERROR invoiceTotal_QRCODE_INVALID", ""},
		{"tag 5", tag(5, "18.5"), "ERROR vatTotal_QRCODE_INVALID", ""},
		{"tag 6", tag(6, "gT6PPZh/aWmUhCvjHRIt+2fSSzEcYhw0PQ+GqeN/n7o="), "ERROR invoiceHash_QRCODE_INVALID", ""},
		{"tag 7", tag(7, "MEUC"), "ERROR signature_QRCODE_INVALID", ""},
		{"tag 8", tag(8, string(w.other.Certificate.PublicKey)), "ERROR publicKey_QRCODE_INVALID", ""},
		{"tag 8 as a bare point", tag(8, string(w.device.Certificate.PublicKey[23:])), "ERROR publicKey_QRCODE_INVALID", ""},
		{"tag 9", tag(9, string(w.other.Certificate.Signature)), "ERROR CERTIFICATE_SIGNATURE_QRCODE_INVALID", ""},
		{"tag 9 missing", code(func(f []string) []string { return f[:8] }), "ERROR CERTIFICATE_SIGNATURE_QRCODE_INVALID", ""},
		{"tags of the first phase", code(func(f []string) []string { return f[:5] }),
			"ERROR invoiceHash_QRCODE_INVALID signature_QRCODE_INVALID publicKey_QRCODE_INVALID CERTIFICATE_SIGNATURE_QRCODE_INVALID", ""},
		{"a tag 10", code(func(f []string) []string { return append(f, "x") }), bad, ""},
		{"a name of 128 bytes", tag(1, strings.Repeat("x", 128)), bad, ""},
		{"not base64", codeText("%%%%"), "ERROR XSD_ZATCA_INVALID", ""},
		{"not TLV", codeText("c2FsYW0="), bad, ""},
		{"a line end", text("</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference><cac:Signature>",
			"\n</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference><cac:Signature>"), bad, ""},
		{"over 1000 characters", codeText(strings.Repeat("AAAA", 251)), bad + " BR-CL-KSA-14", ""},
		{"empty", codeText(""), bad + " BR-CL-KSA-14 BR-KSA-27? BR-KSA-28 BR-KSA-30", ""},
		{"no QR reference", withoutQR, bad + " BR-KSA-27?", ""},
	}
}

// tampersOfStandard returns changes to a standard document. Lax mode ignores
// its QR code and stamp.
func tampersOfStandard(w *fixture) []tamper {
	to := func(e judge.Endpoint, off bool) change {
		return func(_ *fixture, s *judge.Submission) { s.Endpoint, s.ClearanceOff = e, off }
	}
	return []tamper{
		{"standard to reporting", to(judge.Reporting, false), "ERROR XML-INVOICE-ERROR", ""},
		{"standard to reporting while clearance is off", to(judge.Reporting, true), "PASS", ""},
		{"standard to compliance", to(judge.Compliance, false), "PASS", ""},
		{"unsealed", unsealed, "PASS", ""},
		{"half sealed", without("ext:UBLExtensions"), "ERROR invalid-certificate signature_QRCODE_INVALID", "PASS"},
		{"signature", value("ds:SignatureValue", "MEUC"), "ERROR invalid-signature signature_QRCODE_INVALID", "PASS"},
		{"certificate digest", value("xades:CertDigest", `<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AAAA</ds:DigestValue>`),
			"ERROR certificate-hashing signed-properties-hashing", "PASS"},
		{"tag 1", tag(1, "شركة أخرى"), "ERROR sellerName_QRCODE_INVALID", "PASS"},
		{"tag 9", code(func(f []string) []string { return append(f, string(w.device.Certificate.Signature)) }), "PASS", "PASS"},
		{"wrong tag 9", code(func(f []string) []string { return append(f, "x") }), "ERROR CERTIFICATE_SIGNATURE_QRCODE_INVALID", "PASS"},
		{"another device's credential", func(w *fixture, s *judge.Submission) { s.Certificate = w.other.Certificate.DER }, "WARNING invalid-signing-certificate?", "PASS"},
		{"another taxpayer's credential", func(_ *fixture, s *judge.Submission) { s.VATNumber = "399999999900003" }, "ERROR certificate-permissions", ""},
		{"amount", value("cbc:PayableAmount", "1.00"), "ERROR BR-CO-16? invoiceTotal_QRCODE_INVALID" + stale, "ERROR BR-CO-16? invalid-invoice-hash"},
		{"hash", func(_ *fixture, s *judge.Submission) { s.Hash = "x" }, "ERROR invalid-invoice-hash", ""},
	}
}
