package rules_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// tree parses a document with one text replaced by another. The old text must
// occur in it.
func tree(t testing.TB, document []byte, old, text string) *ubl.Node {
	t.Helper()
	if !bytes.Contains(document, []byte(old)) {
		t.Fatalf("document does not contain %q", old)
	}
	root, err := ubl.Parse(bytes.Replace(document, []byte(old), []byte(text), 1))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// first formats the first finding, or returns "".
func first(found []rules.Finding) string {
	if len(found) == 0 {
		return ""
	}
	return found[0].ID + " " + found[0].Path
}

const (
	stampPath = "/Invoice/ext:UBLExtensions/ext:UBLExtension[1]/ext:ExtensionContent/sig:UBLDocumentSignatures[1]/sac:SignatureInformation[1]"
	certPath  = stampPath + "/ds:Signature/ds:Object[1]/xades:QualifyingProperties[1]/xades:SignedProperties/xades:SignedSignatureProperties"
)

// The expected results are those of the official schema.
var schemaExamples = []struct{ name, old, text, want string }{
	{"unchanged", "<cbc:ProfileID>", "<cbc:ProfileID>", ""},
	{"another order", "<cbc:ProfileID>reporting:1.0</cbc:ProfileID>", "<cbc:UUID/><cbc:ProfileID/>", "UBL-ORDER /Invoice/cbc:ProfileID"},
	{"required child", "<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>", "</cac:PartyTaxScheme>", "UBL-REQUIRED /Invoice/cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme[1]/cac:TaxScheme"},
	{"repeated child", "<cbc:ProfileID>", "<cbc:ProfileID/><cbc:ProfileID>", "UBL-REPEATED /Invoice/cbc:ProfileID[2]"},
	{"repeated where allowed", "<cbc:DocumentCurrencyCode>", "<cbc:Note/><cbc:Note/><cbc:DocumentCurrencyCode>", ""},
	{"unknown element", "<cbc:ProfileID>", "<cbc:Profile/><cbc:ProfileID>", "UBL-UNKNOWN /Invoice/cbc:Profile"},
	{"no namespace", "<cbc:ProfileID>", `<ProfileID xmlns=""/><cbc:ProfileID>`, "UBL-UNKNOWN /Invoice/{}ProfileID"},
	{"allowed elsewhere only", "<cbc:ProfileID>", "<cbc:Telephone/><cbc:ProfileID>", "UBL-UNKNOWN /Invoice/cbc:Telephone"},
	{"text among elements", "<cac:TaxScheme>", "<cac:TaxScheme>VAT", "UBL-CONTENT /Invoice/cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme[1]/cac:TaxScheme"},
	{"element in a value", "<cbc:ProfileID>", "<cbc:ProfileID><cbc:ID/>", "UBL-CONTENT /Invoice/cbc:ProfileID"},
	{"comment in a value", "<cbc:ProfileID>", "<cbc:ProfileID><!-- -->", ""},
	{"date", "<cbc:IssueDate>2026-11-14", "<cbc:IssueDate>2026-11-31", "UBL-TYPE /Invoice/cbc:IssueDate"},
	{"date with a zone", "<cbc:IssueDate>2026-11-14", "<cbc:IssueDate> 2026-11-14Z ", ""},
	{"time", "<cbc:IssueTime>", "<cbc:IssueTime>2", "UBL-TYPE /Invoice/cbc:IssueTime"},
	{"amount with a comma", "<cbc:RoundingAmount currencyID=\"SAR\">", "<cbc:RoundingAmount currencyID=\"SAR\">,", "UBL-TYPE /Invoice/cac:InvoiceLine[1]/cac:TaxTotal[1]/cbc:RoundingAmount"},
	{"white space around an amount", "<cbc:RoundingAmount currencyID=\"SAR\">", "<cbc:RoundingAmount currencyID=\"SAR\">\n+", ""},
	{"required attribute", `<cbc:RoundingAmount currencyID="SAR">`, "<cbc:RoundingAmount>", "UBL-ATTRIBUTE /Invoice/cac:InvoiceLine[1]/cac:TaxTotal[1]/cbc:RoundingAmount/@currencyID"},
	{"unknown attribute", "<cbc:ProfileID>", `<cbc:ProfileID kind="1">`, "UBL-ATTRIBUTE /Invoice/cbc:ProfileID/@kind"},
	{"attribute of a part", "<cac:TaxScheme>", `<cac:TaxScheme schemeID="1">`, "UBL-ATTRIBUTE /Invoice/cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme[1]/cac:TaxScheme/@schemeID"},
	{"known attribute", "<cbc:ProfileID>", `<cbc:ProfileID schemeURI="urn:x">`, ""},
	{"value of an attribute", "<cbc:ProfileID>", `<cbc:ProfileID schemeURI="%">`, "UBL-TYPE /Invoice/cbc:ProfileID/@schemeURI"},
	{"hint for a schema", "<cbc:ProfileID>", `<cbc:ProfileID xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:schemaLocation="a b">`, ""},
	{"attached document", "<cbc:EmbeddedDocumentBinaryObject mimeCode=\"text/plain\">", "<cbc:EmbeddedDocumentBinaryObject mimeCode=\"text/plain\">A", "UBL-TYPE /Invoice/cac:AdditionalDocumentReference[2]/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"},
	{"serial number", "<ds:X509SerialNumber>", "<ds:X509SerialNumber>x", "UBL-TYPE " + certPath + "/xades:SigningCertificate/xades:Cert[1]/xades:IssuerSerial/ds:X509SerialNumber"},
	{"time of signing", "<xades:SigningTime>2026-11-14T", "<xades:SigningTime>2026-11-14 ", "UBL-TYPE " + certPath + "/xades:SigningTime"},
	{"key without content", "<ds:KeyInfo>", "<ds:KeyInfo/><ds:KeyInfo>", "UBL-REQUIRED " + stampPath + "/ds:Signature/ds:KeyInfo[1]"},
	{"the same Id twice", "<ds:SignatureValue>", `<ds:SignatureValue Id="signature">`, "UBL-TYPE " + stampPath + "/ds:Signature/ds:SignatureValue/@Id"},
	{"unknown element in a stamp", "<ds:SignedInfo>", "<ds:SignedInfo><ds:Note/>", "UBL-UNKNOWN " + stampPath + "/ds:Signature/ds:SignedInfo/ds:Note"},
	{"foreign extension", "<ext:UBLExtension>", `<ext:UBLExtension><ext:ExtensionContent><a xmlns="urn:a" b="c"><cbc:ID/></a></ext:ExtensionContent></ext:UBLExtension><ext:UBLExtension>`, ""},
	{"known element in a foreign one", "<ext:UBLExtension>", `<ext:UBLExtension><ext:ExtensionContent><a xmlns="urn:a"><cbc:IssueDate/></a></ext:ExtensionContent></ext:UBLExtension><ext:UBLExtension>`, "UBL-TYPE /Invoice/ext:UBLExtensions/ext:UBLExtension[1]/ext:ExtensionContent/{urn:a}a[1]/cbc:IssueDate"},
	{"empty extension", "<ext:UBLExtension>", "<ext:UBLExtension><ext:ExtensionContent/></ext:UBLExtension><ext:UBLExtension>", "UBL-REQUIRED /Invoice/ext:UBLExtensions/ext:UBLExtension[1]/ext:ExtensionContent"},
}

func TestSchema(t *testing.T) {
	document := sealed(t, "till")
	for _, e := range schemaExamples {
		t.Run(e.name, func(t *testing.T) {
			if got := first(rules.Schema(tree(t, document, e.old, e.text))); got != e.want {
				t.Errorf("first finding is %q, want %q", got, e.want)
			}
		})
	}
}

func TestSchemaNamesField(t *testing.T) {
	found := rules.Schema(tree(t, sealed(t, "till"), "<cbc:IssueDate>", "<cbc:IssueDate>on "))
	if len(found) != 1 || found[0].Field != "issue_date" || found[0].Flag != rules.Error || found[0].Says.AR == "" || found[0].Fix.EN == "" {
		t.Errorf("finding is %+v, want an error at issue_date with all texts", found)
	}
}

func TestSchemaRefusesOtherRoot(t *testing.T) {
	root, err := ubl.Parse([]byte("<Invoice/>"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := first(rules.Schema(root)), "UBL-UNKNOWN /{}Invoice"; got != want {
		t.Errorf("first finding is %q, want %q", got, want)
	}
}

func TestSchemaStopsAfter100Findings(t *testing.T) {
	wrong := strings.Repeat("<cbc:Nothing/>", 5000)
	if got := len(rules.Schema(tree(t, sealed(t, "till"), "<cbc:ProfileID>", wrong+"<cbc:ProfileID>"))); got != 100 {
		t.Errorf("got %d findings, want 100", got)
	}
}

// Types of values, each in an element or an attribute of that type.
var valueExamples = []struct{ before, after, right, wrong string }{
	{`<cbc:RoundingAmount currencyID="SAR">`, "<", "0|-1|+1.5|.5|5.| 12.50 |00|99999999999999999999999999", "|.|1e3|1,5|1 2|--1|NaN|١"},
	{"<cbc:IssueDate>", "<", "2024-02-29|2026-11-14+14:00|-0001-01-01|12345-01-01", "2023-02-29|1900-02-29|0000-01-01|01234-01-01|26-11-14|2026-11-14+14:01|2026-11-14z|2026-1-14"},
	{"<cbc:IssueTime>", "<", "00:00:00|24:00:00|12:00:00.5Z|12:00:00-03:00", "12:00|24:00:01|12:60:00|12:00:60|12:00:00.|1:00:00|12:00:00+3"},
	{"<xades:SigningTime>", "<", "2026-11-14T24:00:00|2026-11-14T12:00:00.123+03:00", "2026-11-14|2026-11-14ZT12:00:00|2026-11-14T12:00"},
	{"<ds:X509SerialNumber>", "<", "0|-5|+12345678901234567890123", "1.0||0x1"},
	{"<ds:SignatureValue>", "<", "|AAAA|A A\nAA|AQ==|AAA=", "A|AAA|AR==|AAB=|AA==AAAA|A===|AA-_"},
	{`<ds:Reference Id="`, `"`, "x|_1| a |é", "|1|a:b|a b"},
	{`<ds:CanonicalizationMethod Algorithm="`, `"`, "|urn:a|a b|#x|?q[1]|a/b:c|a://|é", "%|%zz|:x|1:x|a:|#x#y|p[1]"},
}

func TestSchemaValues(t *testing.T) {
	document := string(sealed(t, "till"))
	for _, e := range valueExamples {
		head, tail, _ := strings.Cut(document, e.before)
		_, tail, _ = strings.Cut(tail, e.after)
		judge := func(value string, valid bool) {
			root, err := ubl.Parse([]byte(head + e.before + value + e.after + tail))
			if err != nil {
				t.Fatal(err)
			}
			if found := rules.Schema(root); (len(found) == 0) != valid {
				t.Errorf("%s%s: got %v, want valid %v", e.before, value, found, valid)
			}
		}
		for right := range strings.SplitSeq(e.right, "|") {
			judge(right, true)
		}
		for wrong := range strings.SplitSeq(e.wrong, "|") {
			judge(wrong, false)
		}
	}
}

// TestConformanceSchema compares Schema and Traps with the same verdicts as
// TestConformanceCorpus.
func TestConformanceSchema(t *testing.T) {
	folder := os.Getenv("KHATM_CORPUS")
	if folder == "" {
		t.Skip("KHATM_CORPUS is not set; set it to a folder with official verdicts")
	}
	for _, v := range readVerdicts(t, filepath.Join(folder, "verdicts.jsonl")) {
		document, err := os.ReadFile(filepath.Join(folder, v.File))
		if err != nil {
			t.Fatal(err)
		}
		root, err := ubl.Parse(document)
		if err != nil {
			if v.XSD == "PASS" {
				t.Errorf("%s: %v", v.File, err)
			}
			continue
		}
		if got := first(rules.Schema(root)); (got == "") != (v.XSD == "PASS") {
			t.Errorf("%s: first finding of Schema is %q, the official schema says %s", v.File, got, v.XSD)
		}
		if got := first(rules.Traps(root)); (got != "") != v.Threw && (v.XSD == "PASS" || got != "") {
			t.Errorf("%s: first finding of Traps is %q, the sheets aborted: %v", v.File, got, v.Threw)
		}
	}
}

func BenchmarkSchema(b *testing.B) {
	root := tree(b, sealed(b, "388-standard-all-sar-discount"), "<", "<")
	b.ReportAllocs()
	for b.Loop() {
		rules.Schema(root)
	}
}
