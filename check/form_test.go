package check_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/check"
	"khatm/rules"
)

// judged is the time at which the official kit judged the documents below.
var judged = time.Date(2026, time.November, 16, 12, 0, 0, 0, time.UTC)

// verdicts returns the ids of the errors and warnings that are not opinions, and
// of the opinions, without repetitions.
func verdicts(t *testing.T, document []byte) (failed, warned, opinions string) {
	t.Helper()
	d, err := check.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	var lists [3][]string
	for _, f := range d.All(judged) {
		list := &lists[1]
		switch {
		case check.IsOpinion(f.ID):
			list = &lists[2]
		case f.Flag == rules.Error:
			list = &lists[0]
		}
		if check.IsOpinion(f.ID) && f.Flag != rules.Warning {
			t.Errorf("the opinion %s has the flag %s, want warning", f.ID, f.Flag)
		}
		if !slices.Contains(*list, f.ID) {
			*list = append(*list, f.ID)
		}
	}
	return strings.Join(lists[0], " "), strings.Join(lists[1], " "), strings.Join(lists[2], " ")
}

func formDocument(t *testing.T, name string) string {
	t.Helper()
	document, err := os.ReadFile("testdata/form/" + name + ".xml")
	if err != nil {
		t.Fatal(err)
	}
	return string(document)
}

// The official kit accepts all of these documents, which other programs stamped
// and which were then changed in one place.
func TestAcceptedForms(t *testing.T) {
	for _, c := range []struct{ name, warned, opinions string }{
		{"unchanged", "", ""},
		{"no-ExtensionURI", "", "stamp-incomplete"},
		{"QR-before-ICV", "", "qr-order stamp-order"},
		{"qr-time-Z", "BR-KSA-71 qr-time", ""},
		{"pi-inside-value", "hash-digest signature qr-hash", "instruction"},
	} {
		failed, warned, opinions := verdicts(t, []byte(formDocument(t, c.name)))
		if failed != "" || warned != c.warned || opinions != c.opinions {
			t.Errorf("%s: errors %q, warnings %q, opinions %q, want no error, %q and %q", c.name, failed, warned, opinions, c.warned, c.opinions)
		}
	}
}

// formChange is a change to a stamped document and the verdict of the official
// kit (its schema and sheets, and a check of stamp and QR code proved on its
// samples).
type formChange struct {
	name     string
	old, new string
	passes   bool
}

// TestFormsAsTheOfficialKit changes the form of a stamped document. The first
// verdict must be that of the official kit, and what it accepts must be an
// opinion. Where it is not known what the kit does, the document is refused.
func TestFormsAsTheOfficialKit(t *testing.T) {
	document := formDocument(t, "unchanged")
	for _, c := range formChanges(document) {
		changed := strings.Replace(document, c.old, c.new, 1)
		if changed == document {
			t.Errorf("%s: the document was not changed", c.name)
			continue
		}
		failed, _, opinions := verdicts(t, []byte(changed))
		if (failed == "") != c.passes {
			t.Errorf("%s: errors %q, want that the document passes: %t", c.name, failed, c.passes)
		}
		if c.passes && opinions == "" {
			t.Errorf("%s: no opinion, want one", c.name)
		}
	}
}

// partOf returns an element of the document, from its start tag to its end tag.
func partOf(document, tag string) string {
	return regexp.MustCompile(`(?s)<` + tag + `[ >].*?</` + tag + `>`).FindString(document)
}

func formChanges(document string) []formChange {
	qr := regexp.MustCompile(`(?s)<cac:AdditionalDocumentReference>\s*<cbc:ID>QR<.*?</cac:AdditionalDocumentReference>`).FindString(document)
	extension, signature := partOf(document, "ext:UBLExtension"), partOf(document, "cac:Signature")
	certificate, value := partOf(document, "ds:X509Certificate"), partOf(document, "ds:SignatureValue")
	signed := partOf(document, "xades:SigningTime")
	decoy := regexp.MustCompile(`(?s)<ds:Object>.*</ds:Object>| Id="[^"]*"|<(cbc:ID|sbc:ReferencedSignatureID)>.*?</(cbc:ID|sbc:ReferencedSignatureID)>`).ReplaceAllString(extension, "")
	decoy = strings.Replace(decoy, value, "<ds:SignatureValue>AAAA</ds:SignatureValue>", 1)
	const canonicalisation = `CanonicalizationMethod Algorithm="http://www.w3.org/2006/12/xml-c14n11"`
	const other = `<ext:UBLExtension><ext:ExtensionContent><x xmlns="urn:x">x</x></ext:ExtensionContent></ext:UBLExtension>`
	return []formChange{
		{"another canonicalisation", `CanonicalizationMethod Algorithm="http://www.w3.org/2006/12/xml-c14n11`, `CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315`, true},
		{"another URI of the extension", "enveloped:xades</ext", "enveloped:XADES</ext", true},
		{"another id of the signature", `Id="signature"`, `Id="Signature"`, true},
		{"another id of the reference", `Id="invoiceSignedData"`, `Id="x"`, true},
		{"another id of the signature information", "signature:1<", "signature:2<", false},
		{"a comment in the extensions", "<ext:UBLExtensions>", "<ext:UBLExtensions><!-- x -->", true},
		{"a text in the extensions", "<ext:UBLExtensions>", "<ext:UBLExtensions>x", false},
		{"an instruction in the extensions", "<ext:UBLExtensions>", "<ext:UBLExtensions><?x y?>", true},
		{"a name of the extension", "<ext:UBLExtension>", "<ext:UBLExtension><cbc:Name>x</cbc:Name>", true},
		{"another extension after", extension, extension + other, true},
		{"another extension before", extension, other + extension, true},
		{"the extension twice", extension, extension + extension, false},
		{"an extension with parts of a stamp before", extension, decoy + extension, false},
		{"an extension with parts of a stamp after", extension, extension + decoy, true},
		{"another signature inside the canonicalisation", canonicalisation + "/>", canonicalisation + "><ds:SignatureValue>AAAA</ds:SignatureValue></ds:CanonicalizationMethod>", false},
		{"another certificate inside another key", "<ds:KeyInfo>", `<ds:KeyInfo><x xmlns="urn:x"><ds:X509Certificate>AAAA</ds:X509Certificate></x>`, false},
		{"other signed properties before", "<ds:Object>", `<ds:Object><x xmlns="urn:x"><xades:SignedProperties xmlns:xades="http://uri.etsi.org/01903/v1.3.2#"/></x>`, false},
		{"another object before", "<ds:Object>", "<ds:Object>x</ds:Object><ds:Object>", true},
		{"other key data before", "<ds:X509Data>", "<ds:X509Data><ds:X509SubjectName>CN=x</ds:X509SubjectName></ds:X509Data><ds:X509Data>", true},
		{"a third reference", "</ds:SignedInfo>", strings.Replace(partOf(document, "ds:Reference"), ` Id="invoiceSignedData"`, "", 1) + "</ds:SignedInfo>", true},
		{"a name of the key", "<ds:KeyInfo>", "<ds:KeyInfo><ds:KeyName>x</ds:KeyName>", true},
		{"a comment in the signed properties", "<xades:CertDigest>", "<xades:CertDigest><!-- x -->", false},             // not known
		{"an instruction in the signed properties", "<xades:CertDigest>", "<xades:CertDigest><?x y?>", false},           // not known
		{"a CDATA section in the signed properties", signed, strings.Replace(signed, ">2", "><![CDATA[2]]>", 1), false}, // not known
		{"a namespace in the signed properties", "<xades:Cert>", `<xades:Cert xmlns:ds="http://www.w3.org/2000/09/xmldsig#">`, false},
		{"no transforms", partOf(document, "ds:Transforms"), "", true},
		{"no signature value", value, "", false},
		{"no certificate", certificate, "", false},
		{"no signature reference", signature, "", false},
		{"the signature reference twice", signature, signature + signature, true},
		{"the certificate twice", certificate, certificate + certificate, true},
		{"another certificate before", certificate, "<ds:X509Certificate>AAAA</ds:X509Certificate>" + certificate, false},
		{"a comment in the signature", "<ds:SignatureValue>M", "<ds:SignatureValue>M<!-- x -->", true},
		{"a line end in the signature", "<ds:SignatureValue>M", "<ds:SignatureValue>\nM", false},
		{"a line end in the certificate", "<ds:X509Certificate>M", "<ds:X509Certificate>\nM", false},
		{"a blank beside the id of the code", "<cbc:ID>QR<", "<cbc:ID> QR <", true},
		{"a comment inside the id of the code", "<cbc:ID>QR<", "<cbc:ID>Q<!-- x -->R<", false},
		{"a comment before a blank in the id of the code", "<cbc:ID>QR<", "<cbc:ID>QR<!-- x --> <", false},
		{"a comment after the id of the code", "<cbc:ID>QR<", "<cbc:ID>QR<!-- x --><", true},
		{"an instruction inside the id of the code", "<cbc:ID>QR<", "<cbc:ID>Q<?x y?>R<", false},
		{"an instruction before the id of the code", "<cbc:ID>QR<", "<cbc:ID><?x y?>QR<", true},
		{"a CDATA section in the id of the code", "<cbc:ID>QR<", "<cbc:ID>Q<![CDATA[R]]><", true},
		{"a scheme of the id of the code", "<cbc:ID>QR<", `<cbc:ID schemeID="x">QR<`, true},
		{"a description of the code", "<cbc:ID>QR</cbc:ID>", "<cbc:ID>QR</cbc:ID><cbc:DocumentDescription>x</cbc:DocumentDescription>", true},
		{"a UUID of the code", "<cbc:ID>QR</cbc:ID>", "<cbc:ID>QR</cbc:ID><cbc:UUID>x</cbc:UUID>", false},
		{"another type of the code", qr, strings.Replace(qr, "text/plain", "text/html", 1), false},
		{"a comment in the code", ">AR", ">A<!-- x -->R", true},
		{"the code twice", qr, qr + qr, false},
		{"no code", qr, "", false},
		{"a comment in the number", "<cbc:ProfileID>reporting", "<cbc:ProfileID>rep<!-- x -->orting", true},
		{"a line break in an attribute", `Algorithm="http://www.w3.org/2006/12/xml-c14n11"`, "Algorithm=\"http://www.w3.org/2006/12/xml-c14n11\n\"", true},
		{"an instruction in the number", "<cbc:ProfileID>", "<cbc:ProfileID><?x y?>", false},
		{"an instruction before the root", "<Invoice", "<?x y?><Invoice", false},
	}
}
