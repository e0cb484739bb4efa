package witness_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"khatm/witness"
)

// TestWrapped hides, repeats or moves parts of the stamp. Each variant keeps
// what a careless reader looks for, but must be refused.
func TestWrapped(t *testing.T) {
	document := stamped(t, layout{})
	parts := partsOf(document)
	count := 0
	for _, group := range [][]wrapping{wrappingsOfExtensions(parts), wrappingsInside(parts), wrappingsOfReferences(parts), wrappingsElsewhere(parts)} {
		for _, c := range group {
			count++
			t.Run(c.name, func(t *testing.T) {
				changed := strings.Replace(document, c.old, c.new, 1)
				if c.behind != "" {
					changed = strings.Replace(changed, c.behind, c.behind+c.old, 1)
				}
				if changed == document {
					t.Fatal("the document was not changed")
				}
				report, err := witness.Verify([]byte(changed), witness.Expect{})
				if got := verdict(t, report, err); !slices.Contains(got, c.want) {
					t.Errorf("findings: got %q, want %q among them", got, c.want)
				}
			})
		}
	}
	if count < 40 {
		t.Errorf("got %d wrappings, want at least 40", count)
	}
}

type wrapping struct {
	name     string
	old, new string
	want     string // id of a finding, or unreadable
	behind   string // the text after which old is inserted again, if any
}

// verdict returns the ids of the findings, or "unreadable".
func verdict(t *testing.T, report *witness.Report, err error) []string {
	var unreadable *witness.Unreadable
	switch {
	case errors.As(err, &unreadable):
		return []string{"unreadable"}
	case err != nil:
		t.Fatal(err)
	}
	return strings.Fields(ids(report))
}

// cuttings are the parts of a stamped document as text.
type cuttings struct {
	extensions, extension, documents, information, signature string
	info, reference, value, keyInfo, data, certificate       string
	object, qualifying, properties, qr                       string
}

func partsOf(document string) cuttings {
	cut := func(tag string) string {
		from := strings.Index(document, "<"+tag)
		end := "</" + strings.TrimRight(tag, "> ") + ">"
		return document[from : from+strings.Index(document[from:], end)+len(end)]
	}
	from := strings.Index(document, "<cac:AdditionalDocumentReference><cbc:ID>QR<")
	qr := document[from:strings.Index(document, "<cac:Signature>")]
	return cuttings{
		extensions: cut("ext:UBLExtensions>"), extension: cut("ext:UBLExtension>"), documents: cut("sig:UBLDocumentSignatures "),
		information: cut("sac:SignatureInformation>"), signature: cut("ds:Signature "), info: cut("ds:SignedInfo>"),
		reference: cut("ds:Reference "), value: cut("ds:SignatureValue>"), keyInfo: cut("ds:KeyInfo>"), data: cut("ds:X509Data>"),
		certificate: cut("ds:X509Certificate>"), object: cut("ds:Object>"), qualifying: cut("xades:QualifyingProperties "),
		properties: cut("xades:SignedProperties "), qr: qr,
	}
}

func wrappingsOfExtensions(p cuttings) []wrapping {
	const profile = "<cbc:ProfileID>"
	return []wrapping{
		{"extensions twice", p.extensions, p.extensions + p.extensions, "stamp-repeated", ""},
		{"empty extensions before", p.extensions, "<ext:UBLExtensions/>" + p.extensions, "stamp-repeated", ""},
		{"empty extensions after", p.extensions, p.extensions + "<ext:UBLExtensions/>", "stamp-repeated", ""},
		{"extensions not first", p.extensions + "\n  " + profile, profile + "x</cbc:ProfileID>" + p.extensions + profile, "stamp-order", ""},
		{"extensions at the end", p.extensions, "", "stamp-order", "</cac:InvoiceLine>"},
		{"extensions inside a line", "<cac:InvoiceLine>", "<cac:InvoiceLine>" + p.extensions, "stamp-misplaced", ""},
		{"only extensions inside the seller", p.extensions, "", "stamp-missing", "<cac:AccountingSupplierParty>"},
		{"extensions inside extensions", "<ext:UBLExtensions>", "<ext:UBLExtensions>" + p.extensions, "stamp-foreign", ""},
		{"extension twice", p.extension, p.extension + p.extension, "stamp-repeated", ""},
		{"an unsigned extension beside", p.extension, p.extension + "<ext:UBLExtension><ext:ExtensionContent><x xmlns=\"urn:x\">pay me</x></ext:ExtensionContent></ext:UBLExtension>", "stamp-repeated", ""},
		{"an extension with a signature before", p.extension, "<ext:UBLExtension><ext:ExtensionContent><ds:Signature" + xmlnsDS + "/></ext:ExtensionContent></ext:UBLExtension>" + p.extension, "stamp-missing", ""},
		{"extension with a name", "<ext:UBLExtension>", "<ext:UBLExtension><cbc:Name>pay me</cbc:Name>", "stamp-foreign", ""},
		{"extension in another namespace", "<ext:UBLExtensions>", `<ext:UBLExtensions xmlns:ext="urn:x">`, "stamp-misplaced", ""},
		{"extension under another prefix", "<ext:UBLExtensions>", `<ext:UBLExtensions xmlns:other="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2">`, "stamp-foreign", ""},
		{"cac declared otherwise in the stamp", "<ext:UBLExtensions>", `<ext:UBLExtensions xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">`, "stamp-foreign", ""},
		{"text in the extensions", "<ext:UBLExtensions>", "<ext:UBLExtensions>pay me", "stamp-foreign", ""},
		{"comment in the extensions", "<ext:UBLExtensions>", "<ext:UBLExtensions><!-- pay me -->", "stamp-foreign", ""},
		{"CDATA in the extensions", "<ext:UBLExtensions>", "<ext:UBLExtensions><![CDATA[pay me]]>", "stamp-foreign", ""},
		{"instruction in the extensions", "<ext:UBLExtensions>", "<ext:UBLExtensions><?pay me?>", "instruction", ""},
		{"attribute on the extensions", "<ext:UBLExtensions>", `<ext:UBLExtensions note="pay me">`, "stamp-foreign", ""},
		{"namespace as a message", "<ext:UBLExtensions>", `<ext:UBLExtensions xmlns:x="urn:pay:me">`, "stamp-foreign", ""},
		{"document signatures twice", p.documents, p.documents + p.documents, "stamp-repeated", ""},
		{"signature information twice", p.information, p.information + p.information, "stamp-repeated", ""},
		{"empty signature information", p.information, p.information + "<sac:SignatureInformation/>", "stamp-repeated", ""},
	}
}

func wrappingsInside(p cuttings) []wrapping {
	otherID := strings.Replace(p.signature, `Id="signature"`, `Id="signature2"`, 1)
	return []wrapping{
		{"signature twice", p.signature, p.signature + p.signature, "stamp-repeated", ""},
		{"signature twice with another id", p.signature, otherID + p.signature, "stamp-repeated", ""},
		{"an empty signature before", p.signature, "<ds:Signature" + xmlnsDS + "/>" + p.signature, "stamp-repeated", ""},
		{"an empty signature after", p.signature, p.signature + "<ds:Signature" + xmlnsDS + "/>", "stamp-repeated", ""},
		{"signature in an object", p.object, "<ds:Object>" + p.signature + "</ds:Object>", "id-repeated", ""},
		{"signed info twice", p.info, p.info + p.info, "stamp-repeated", ""},
		{"signed info at the end", p.info + p.value, p.value + p.info, "stamp-missing", ""},
		{"reference twice", p.reference, p.reference + p.reference, "stamp-repeated", ""},
		{"a third reference", "</ds:SignedInfo>", `<ds:Reference URI="#x"/></ds:SignedInfo>`, "stamp-repeated", ""},
		{"only one reference", p.reference, "", "stamp-value", ""},
		{"value twice", p.value, p.value + p.value, "stamp-repeated", ""},
		{"value in another namespace", p.value, `<x:SignatureValue xmlns:x="urn:x">x</x:SignatureValue>` + p.value, "stamp-foreign", ""},
		{"value split by a comment", "<ds:SignatureValue>M", "<ds:SignatureValue>M<!-- x -->", "stamp-foreign", ""},
		{"value holding an element", "<ds:SignatureValue>", "<ds:SignatureValue><ds:SignatureValue/>", "stamp-foreign", ""},
		{"another value before, inside another element", p.info, "<x xmlns=\"urn:x\"><ds:SignatureValue>AAAA</ds:SignatureValue></x>" + p.info, "signature", ""},
		{"another digest before, inside its method", "<ds:DigestMethod ", "<ds:DigestMethod><ds:DigestValue>AAAA</ds:DigestValue></ds:DigestMethod><ds:DigestMethod ", "signature", ""},
		{"another certificate before, inside another element", p.data, "<x xmlns=\"urn:x\">" + p.data + "</x>" + p.data, "signature", ""},
		{"other properties before, inside another element", p.qualifying, "<x xmlns=\"urn:x\"" + xmlnsXades + "><xades:SignedProperties/></x>" + p.qualifying, "signature", ""},
		{"comment in the properties", "<xades:Cert>", "<xades:Cert><!-- x -->", "signed-properties-digest", ""},
		{"instruction in the properties", "<xades:Cert>", "<xades:Cert><?x y?>", "signed-properties-digest", ""},
		{"CDATA in the properties", "<xades:SigningTime>2", "<xades:SigningTime><![CDATA[2]]>", "signed-properties-digest", ""},
		{"key info twice", p.keyInfo, p.keyInfo + p.keyInfo, "stamp-repeated", ""},
		{"key name", "<ds:KeyInfo>", "<ds:KeyInfo><ds:KeyName>x</ds:KeyName>", "stamp-foreign", ""},
		{"certificate data twice", p.data, p.data + p.data, "stamp-repeated", ""},
		{"certificate twice", p.certificate, p.certificate + p.certificate, "stamp-repeated", ""},
		{"another certificate before", p.certificate, "<ds:X509Certificate>AAAA</ds:X509Certificate>" + p.certificate, "stamp-repeated", ""},
		{"object twice", p.object, p.object + p.object, "stamp-repeated", ""},
		{"an unsigned object", p.object, p.object + "<ds:Object>pay me</ds:Object>", "stamp-repeated", ""},
		{"object with an encoding", "<ds:Object>", `<ds:Object Encoding="x">`, "stamp-foreign", ""},
		{"qualifying properties twice", p.qualifying, p.qualifying + p.qualifying, "stamp-repeated", ""},
		{"signed properties twice", p.properties, p.properties + p.properties, "stamp-repeated", ""},
		{"unsigned properties", p.properties, p.properties + "<xades:UnsignedProperties/>", "stamp-foreign", ""},
		{"signed properties moved into an object", p.qualifying, p.properties, "unreadable", ""},
		{"a second certificate in the properties", "</xades:SigningCertificate>", "<xades:Cert/></xades:SigningCertificate>", "stamp-repeated", ""},
		{"a policy in the properties", "<xades:SigningCertificate>", "<xades:SignaturePolicyIdentifier/><xades:SigningCertificate>", "stamp-foreign", ""},
		{"a namespace in the properties", "<xades:Cert>", "<xades:Cert" + xmlnsDS + ">", "signed-properties-namespace", ""},
		{"a fifth transform", "</ds:Transforms>", `<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/></ds:Transforms>`, "stamp-repeated", ""},
		{"a transform of the properties", `URI="#xadesSignedProperties">`, `URI="#xadesSignedProperties"><ds:Transforms/>`, "stamp-foreign", ""},
	}
}

func wrappingsOfReferences(p cuttings) []wrapping {
	nested := func(id string) string {
		return "<cac:InvoiceLine><cac:AdditionalDocumentReference><cbc:ID>" + id + "</cbc:ID></cac:AdditionalDocumentReference>"
	}
	const line = "<cac:InvoiceLine>"
	icv := "<cac:AdditionalDocumentReference><cbc:ID>ICV</cbc:ID><cbc:UUID>43</cbc:UUID></cac:AdditionalDocumentReference>"
	pih := strings.Replace(p.qr, ">QR<", ">PIH<", 1)
	return []wrapping{
		{"signature reference twice", signatureText, signatureText + signatureText, "stamp-repeated", ""},
		{"signature reference at the end", signatureText, "", "stamp-order", "</cac:InvoiceLine>"},
		{"signature reference in a line", line, line + signatureText, "stamp-misplaced", ""},
		{"signature reference before the code", p.qr + signatureText, signatureText + p.qr, "qr-order", ""},
		{"signature reference with a note", "</cac:Signature>", "<cbc:Note>pay me</cbc:Note></cac:Signature>", "stamp-foreign", ""},
		{"signature reference with a party", "</cac:Signature>", "<cac:SignatoryParty/></cac:Signature>", "stamp-foreign", ""},
		{"signature reference with a comment", "</cac:Signature>", "<!-- pay me --></cac:Signature>", "stamp-foreign", ""},
		{"signature in a signature", "</cac:Signature>", signatureText + "</cac:Signature>", "stamp-misplaced", ""},
		{"code twice", p.qr, p.qr + p.qr, "qr-repeated", ""},
		{"another code before", p.qr, strings.Replace(p.qr, ">AR", ">AA", 1) + p.qr, "qr-repeated", ""},
		{"a code with blanks", p.qr, p.qr + strings.Replace(p.qr, ">QR<", ">\n QR <", 1), "qr-repeated", ""},
		{"code in a line", line, nested("QR"), "qr-misplaced", ""},
		{"code with a blank in a line", line, nested(" QR "), "qr-misplaced", ""},
		{"code split by a comment", line, nested("Q<!-- x -->R"), "qr-misplaced", ""},
		{"id of the code split by a comment", "<cbc:ID>QR<", "<cbc:ID>Q<!-- x -->R<", "qr-missing", ""},
		{"id of the code split by an instruction", "<cbc:ID>QR<", "<cbc:ID>Q<?x y?>R<", "qr-missing", ""},
		{"another code with a split id", p.qr, strings.Replace(p.qr, ">QR<", ">Q<!-- x -->R<", 1) + p.qr, "qr-repeated", ""},
		{"code after the seller", p.qr, "", "qr-order", "</cac:AccountingSupplierParty>"},
		{"code with a description", "<cbc:ID>QR</cbc:ID>", "<cbc:ID>QR</cbc:ID><cbc:DocumentDescription>pay me</cbc:DocumentDescription>", "qr-foreign", ""},
		{"code with a second id", "<cbc:ID>QR</cbc:ID>", "<cbc:ID>QR</cbc:ID><cbc:ID>X</cbc:ID>", "qr-repeated", ""},
		{"code as a second id", "<cbc:ID>ICV</cbc:ID>", "<cbc:ID>ICV</cbc:ID><cbc:ID>QR</cbc:ID>", "qr-repeated", ""},
		{"code with text", "<cbc:ID>QR</cbc:ID>", "<cbc:ID>QR</cbc:ID>pay me", "qr-foreign", ""},
		{"code with a comment", "<cbc:ID>QR</cbc:ID>", "<cbc:ID>QR</cbc:ID><!-- pay me -->", "qr-foreign", ""},
		{"code with an attribute", "<cbc:ID>QR</cbc:ID>", `<cbc:ID schemeID="pay me">QR</cbc:ID>`, "qr-foreign", ""},
		{"code with a file name", "<cbc:ID>QR</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject ", `<cbc:ID>QR</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject filename="x" `, "qr-foreign", ""},
		{"counter twice", p.qr, icv + p.qr, "counter-repeated", ""},
		{"counter in a line", line, nested("ICV"), "counter-misplaced", ""},
		{"previous hash twice", p.qr, pih + p.qr, "previous-hash-repeated", ""},
		{"previous hash in a line", line, nested("PIH"), "previous-hash-misplaced", ""},
		{"another reference between", p.qr, "<cac:AdditionalDocumentReference><cbc:ID>X</cbc:ID></cac:AdditionalDocumentReference>" + p.qr, "qr-order", ""},
	}
}

func wrappingsElsewhere(p cuttings) []wrapping {
	const line = "<cac:InvoiceLine>"
	return []wrapping{
		{"signature of no namespace in a line", line, line + `<Signature xmlns=""><cbc:Note>hidden</cbc:Note></Signature>`, "stamp-misplaced", ""},
		{"signature of the invoice's namespace", line, "<Signature>hidden</Signature>" + line, "stamp-misplaced", ""},
		{"signature of a strange namespace", line, `<x:Signature xmlns:x="urn:x">hidden</x:Signature>` + line, "stamp-misplaced", ""},
		{"extensions of a strange namespace", line, line + `<x:UBLExtensions xmlns:x="urn:x">hidden</x:UBLExtensions>`, "stamp-misplaced", ""},
		{"reference of a strange namespace", line, line + `<x:AdditionalDocumentReference xmlns:x="urn:x"><cbc:ID>QR</cbc:ID></x:AdditionalDocumentReference>`, "qr-misplaced", ""},
		{"signed properties in a line", line, line + "<xades:SignedProperties" + xmlnsXades + "/>", "stamp-misplaced", ""},
		{"certificate in a line", line, line + "<ds:X509Certificate" + xmlnsDS + "/>", "stamp-misplaced", ""},
		{"an id of the stamp in a line", line, `<cac:InvoiceLine Id="xadesSignedProperties">`, "id-repeated", ""},
		{"an xml:id of the stamp in a line", line, `<cac:InvoiceLine xml:id="signature">`, "id-repeated", ""},
		{"an invoice in the invoice", line, line + `<Invoice/>`, "stamp-misplaced", ""},
		{"the old invoice in a new one", "<Invoice ", `<Wrapper xmlns="urn:x"/><Invoice `, "unreadable", ""},
		{"two sellers", "<cac:AccountingSupplierParty>", "<cac:AccountingSupplierParty/><cac:AccountingSupplierParty>", "field-repeated", ""},
		{"two VAT numbers", "<cbc:CompanyID>", "<cbc:CompanyID>1</cbc:CompanyID><cbc:CompanyID>", "field-repeated", ""},
		{"prefixes swapped on the root", `xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"`, `xmlns:ext="urn:x"`, "stamp-misplaced", ""},
	}
}
