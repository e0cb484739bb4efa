package judge_test

import (
	"strings"
	"testing"
	"unicode"

	"khatm/simulator/internal/judge"
	"khatm/ubl"
)

// TestWordsOfTheCatalogue compares the English texts with the known texts of
// the real authority, and checks that the Arabic texts are Arabic.
func TestWordsOfTheCatalogue(t *testing.T) {
	w := newFixture(t)
	cases := []struct {
		code   string
		change change
		want   string
	}{
		{"invalid-invoice-hash", func(_ *fixture, s *judge.Submission) { s.Hash = "" }, "The invoice hash API body does not match the (calculated) Hash of the XML"},
		{"INVOICE_UUID_VALIDATION", func(_ *fixture, s *judge.Submission) { s.UUID = "" }, "UUID ERROR"},
		{"XML-INVOICE-ERROR", func(_ *fixture, s *judge.Submission) { s.Endpoint = judge.Clearance }, "XML submitted using clearance API is not a Standard TAX document"},
		{"XML-INVOICE-ERROR", text(`"0200000"`, `"0100000"`), "XML submitted using reporting API is not a simplified document"},
		{"certificate-permissions", func(_ *fixture, s *judge.Submission) { s.VATNumber = "1" }, "User only allowed to use the vat number that exists in the authentication certificate"},
		{"invalid-signing-certificate", func(w *fixture, s *judge.Submission) { s.Certificate = w.other.Certificate.DER },
			"X509Certificate (CCSID / PCSID) used for signing is not valid certificate (CCSID / PCSID) for this VAT Registration Number."},
		{"GENERAL", resealed(func(i *ubl.Invoice) {
			i.Supplier.Party.Identifications = append(i.Supplier.Party.Identifications, i.Supplier.Party.Identifications[0])
		}), "Unable to execute Business Rules validation"},
		{"QRCODE_INVALID", codeText("c2FsYW0="), "Invalid QR code format, Please follow the ZATCA QR code specifications"},
		{"QRCODE_INVALID", withoutQR, "Failed to validate QR code"},
		{"invoiceHash_QRCODE_INVALID", tag(6, "x"), "Invoice xml hash does not match with qr code invoice xml hash"},
		{"invoiceTimeStamp_QRCODE_INVALID", tag(3, "x"), "Time on QR Code does not match with Invoice Issue Time (KSA-25). If ZATCA's SDK was used to generate QR Code, kindly use the latest version of SDK"},
		{"publicKey_QRCODE_INVALID", tag(8, "x"), "ECDSA Public Key does not match with qr code ECDSA public key"},
		{"CERTIFICATE_SIGNATURE_QRCODE_INVALID", tag(9, "x"), "certificate signature does not match with qr certificate signature value"},
		{"signed-properties-hashing", value("xades:SigningTime", "2026-11-14T12:00:01"), "Invalid signed properties hashing, SignedProperties with id='xadesSignedProperties'"},
		{"certificate-hashing", value("ds:X509Certificate", "MIIC"), "Invalid certificate hashing"},
		{"invalid-certificate", value("ds:X509Certificate", "MIIC"), "Production CSID is not valid"},
		{"X509IssuerName", value("ds:X509IssuerName", "CN=x"), "wrong X509IssuerName"},
		{"X509SerialNumber", value("ds:X509SerialNumber", "1"), "wrong X509SerialNumber"},
		{"BR-KSA-98", resealed(func(i *ubl.Invoice) { i.IssueDate.Value = "2026-11-01" }), "[BR-KSA-98] - The simplified invoice should be submitted within 24 hours of issuing the invoice."},
		{"BR-CL-KSA-14", codeText(strings.Repeat("AAAA", 251)), "[KSA-14]Field character limit for QR Code field has been exceeded. The maximum character limit for this field is 1000 characters."},
		{"BR-KSA-F-06-C40", text(`"0200000"`, `"02000"`), "Field character limits for Invoice transaction code (KSA-2) have not been met. The minimum limit is 7 characters and the maximum limit is 9 characters."},
		{"BR-KSA-34", text("<cbc:UUID>1<", "<cbc:UUID>1a<"), "[BR-KSA-34]-The invoice counter must consist of digits only."},
	}
	for _, c := range cases {
		s := w.submission(w.simplified)
		c.change(w, &s)
		for _, language := range []string{"en", "", "fr"} {
			s.Language = language
			if got := said(judge.Judge{}.Judge(s, later), c.code); got != c.want {
				t.Errorf("%s in %q: got %q\nwant %q", c.code, language, got, c.want)
			}
		}
		s.Language = "ar"
		if got := said(judge.Judge{}.Judge(s, later), c.code); !isArabic(got) || got == c.want {
			t.Errorf("%s in Arabic: got %q, want an Arabic text", c.code, got)
		}
	}
}

func said(v judge.Verdict, code string) string {
	for _, list := range [][]judge.Message{v.Errors, v.Warnings, v.Info} {
		for _, m := range list {
			if m.Code == code {
				return m.Message
			}
		}
	}
	return ""
}

func isArabic(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
}

// TestWordsOfTheSchema compares the errors with those of the authority's
// parser, including the line number where it is known.
func TestWordsOfTheSchema(t *testing.T) {
	w := newFixture(t)
	const before = "Schema validation failed; XML does not comply with UBL 2.1 standards in line with ZATCA specifications. ERROR: org.xml.sax.SAXParseException; "
	whole := func(document string) change {
		return func(_ *fixture, s *judge.Submission) { s.Document = []byte(document) }
	}
	cases := []struct {
		name   string
		change change
		want   string
	}{
		{"type", value("cbc:PayableAmount", "much"), "lineNumber: 2; columnNumber: 1; cvc-datatype-valid.1.2.1: 'much' is not a valid value for 'decimal'."},
		{"serial", value("ds:X509SerialNumber", "4f"), "lineNumber: 1; columnNumber: 1; cvc-datatype-valid.1.2.1: '4f' is not a valid value for 'integer'."},
		{"time", value("cbc:IssueTime", "noon"), "lineNumber: 1; columnNumber: 1; cvc-datatype-valid.1.2.1: 'noon' is not a valid value for 'time'."},
		{"attribute missing", text(`<cbc:PayableAmount currencyID="SAR">`, `<cbc:PayableAmount>`),
			"lineNumber: 2; columnNumber: 1; cvc-complex-type.4: Attribute 'currencyID' must appear on element 'cbc:PayableAmount'."},
		{"attribute unknown", text("<cac:Delivery>", `<cac:Delivery a="b">`),
			"lineNumber: 1; columnNumber: 1; cvc-complex-type.3.2.2: Attribute 'a' is not allowed to appear in element 'cac:Delivery'."},
		{"element missing", without("cbc:IssueDate"), "lineNumber: 1; columnNumber: 1; cvc-complex-type.2.4.b: The content of element 'Invoice' is not complete. " +
			`One of '{"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2":IssueDate}' is expected.`},
		{"element unknown", text("<cac:LegalMonetaryTotal>", `<cac:LegalMonetaryTotal><x xmlns="http://a/b"/>`),
			"lineNumber: 2; columnNumber: 1; cvc-complex-type.2.4.d: Invalid content was found starting with element '{http://a/b}x'. No child element is expected at this point."},
		{"order", text("<cbc:ProfileID>reporting:1.0</cbc:ProfileID>", "<cbc:IssueTime>12:00:00</cbc:IssueTime><cbc:ProfileID>reporting:1.0</cbc:ProfileID>"),
			`lineNumber: 1; columnNumber: 1; cvc-complex-type.2.4.a: Invalid content was found starting with element '{"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2":ProfileID}'.`},
		{"text", text("<cac:Delivery>", "<cac:Delivery>x"), "lineNumber: 1; columnNumber: 1; cvc-complex-type.2.3: Element 'cac:Delivery' cannot have character [children], because the type's content type is element-only."},
		{"children", value("cbc:IssueTime", "<cbc:ID>x</cbc:ID>"), "lineNumber: 1; columnNumber: 1; cvc-complex-type.2.2: Element 'cbc:IssueTime' must have no element [children], and the value must be valid."},
		{"root", whole("\n<a/>"), "lineNumber: 2; columnNumber: 1; cvc-elt.1.a: Cannot find the declaration of element '{}a'."},
		{"nothing", whole(" \n"), "lineNumber: 2; columnNumber: 1; Premature end of file."},
		{"no XML", whole("{}"), "lineNumber: 1; columnNumber: 1; Content is not allowed in prolog."},
		{"document type", whole("<!DOCTYPE a><a/>"), `lineNumber: 1; columnNumber: 1; DOCTYPE is disallowed when the feature "http://apache.org/xml/features/disallow-doctype-decl" set to true.`},
		{"two roots", whole("<a/>\n<b/>"), "lineNumber: 2; columnNumber: 1; document has a second root element"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := w.submission(w.simplified)
			text("<cac:LegalMonetaryTotal>", "\n<cac:LegalMonetaryTotal>")(w, &s)
			c.change(w, &s)
			v := judge.Judge{}.Judge(s, later)
			if got := said(v, "XSD_ZATCA_INVALID"); got != before+c.want {
				t.Errorf("got  %s\nwant %s", got, before+c.want)
			}
			if len(v.Info)+len(v.Warnings) > 0 {
				t.Errorf("infos %+v and warnings %+v, want none", v.Info, v.Warnings)
			}
			s.Language = "ar"
			if got := said(judge.Judge{}.Judge(s, later), "XSD_ZATCA_INVALID"); !isArabic(got) || !strings.HasSuffix(got, c.want) {
				t.Errorf("in Arabic: got %s, want an Arabic text that ends with %s", got, c.want)
			}
		})
	}
}
