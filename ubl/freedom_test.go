package ubl_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"khatm/ubl"
)

// plain is the simplest form of a document; the variants have the same content.
const plain = `<Invoice ` + usual + `><cbc:ID>A &amp; B</cbc:ID><cbc:InvoiceTypeCode name="01 00">388</cbc:InvoiceTypeCode>` +
	`<cbc:Note>one
two</cbc:Note><cac:AccountingSupplierParty><cac:Party></cac:Party></cac:AccountingSupplierParty>` +
	`<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine></Invoice>`

// change returns a variant of plain and fails if there is nothing to replace.
func change(t testing.TB, oldNew ...string) string {
	t.Helper()
	text := plain
	for i := 0; i < len(oldNew); i += 2 {
		if !strings.Contains(text, oldNew[i]) {
			t.Fatalf("document does not contain %q", oldNew[i])
		}
		text = strings.ReplaceAll(text, oldNew[i], oldNew[i+1])
	}
	return text
}

// freedom is a variant of plain that XML treats as the same document.
type freedom struct{ name, document string }

func freedoms(t testing.TB) []freedom {
	t.Helper()
	declared := `<?xml version="1.0" encoding="UTF-8"?>`
	return []freedom{
		{"declaration", declared + "\n" + plain},
		{"declaration in single quotes", `<?xml version='1.0' encoding='utf-8' standalone='no' ?>` + plain},
		{"declaration without an encoding", `<?xml version = "1.0"?>` + plain},
		{"byte order mark", "\uFEFF" + plain},
		{"byte order mark and declaration", "\uFEFF" + declared + plain},
		{"other prefixes", change(t, "cac:", "a:", "xmlns:cac", "xmlns:a", "cbc:", "b-1.x:", "xmlns:cbc", "xmlns:b-1.x")},
		{"prefixes exchanged", change(t, "cac", "QQ", "cbc", "cac", "QQ", "cbc")},
		{"Arabic prefix", change(t, "cbc:", "ر:", "xmlns:cbc", "xmlns:ر")},
		{"prefix on the root", change(t, "xmlns=", "xmlns:i=", "<Invoice", "<i:Invoice", "</Invoice", "</i:Invoice")},
		{"components as default", change(t,
			"xmlns=", "xmlns:i=", "<Invoice", "<i:Invoice", "</Invoice", "</i:Invoice",
			"xmlns:cbc", "xmlns", "cbc:", "")},
		{"default changed inside", change(t, "<cbc:ID>1</cbc:ID>", `<ID xmlns="`+cbcNS+`">1</ID>`)},
		{"default removed in a leaf", change(t, "<cbc:ID>1", `<cbc:ID xmlns="">1`)},
		{"prefix declared again", change(t, "<cac:Party>", `<cac:Party xmlns:cac="`+cacNS+`" xmlns:cbc="`+cacNS+`">`)},
		{"declarations on every element", change(t, "<cbc:ID>", `<cbc:ID xmlns:cbc="`+cbcNS+`" xmlns:cac="`+cacNS+`">`)},
		{"namespace by references", change(t, "urn:oasis", "urn&#58;oas&#x69;s")},
		{"unused namespaces", change(t, "<Invoice ", `<Invoice xmlns:ext="urn:e" xmlns:xs="urn:xs" xmlns:xml="http://www.w3.org/XML/1998/namespace" `)},
		{"schema location", change(t, "<Invoice ", `<Invoice xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a b.xsd" `)},
		{"single quotes", change(t, `"`, "'")},
		{"white space in tags", change(t, `<cbc:InvoiceTypeCode name="01 00">`, "<cbc:InvoiceTypeCode\n\tname = \r\n\"01 00\" >", "</cbc:ID>", "</cbc:ID\n>")},
		{"empty tag", change(t, "<cac:Party></cac:Party>", "<cac:Party/>")},
		{"indented", change(t, "><c", ">\n  <c", "></", ">\n</")},
		{"CRLF", change(t, "one\ntwo", "one\r\ntwo", "><c", ">\r\n\t<c")},
		{"CR", change(t, "one\ntwo", "one\rtwo")},
		{"CDATA", change(t, "A &amp; B", "<![CDATA[A & B]]>")},
		{"CDATA in pieces", change(t, "A &amp; B", "A<![CDATA[ & ]]><![CDATA[]]>B")},
		{"CRLF in CDATA", change(t, "one\ntwo", "<![CDATA[one\r\ntwo]]>")},
		{"comment in a text", change(t, "A &amp; B", "A<!-- or -> not --> &amp; B<!---->")},
		{"comments between", "<!-- a -->" + change(t, "><c", "><!-- <b> & --><c") + "<!-- b -->\n"},
		{"instructions", "<?a b?>" + change(t, "A &amp; B", "A &amp;<?c d ? > e?> B", "><c", "><?f?><c") + "<?xml-stylesheet href='a'?>"},
		{"decimal references", change(t, "A &amp; B", "&#65;&#32;&#38;&#0032;B")},
		{"hexadecimal references", change(t, "A &amp; B", "&#x41; &#x0026; &#x42;", "one\ntwo", "one&#xA;two")},
		{"all five names", change(t, "A &amp; B", "A &#38; B", "01 00", "01&#x20;00")},
		{"tab in an attribute", change(t, "01 00", "01\t00")},
		{"line in an attribute", change(t, "01 00", "01\n00")},
		{"CRLF in an attribute", change(t, "01 00", "01\r\n00")},
		{"space after the root", plain + " \r\n\t"},
	}
}

func TestReadAcceptsVariants(t *testing.T) {
	want, err := ubl.Read([]byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range freedoms(t) {
		t.Run(c.name, func(t *testing.T) {
			got, err := ubl.Read([]byte(c.document))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// White space that is written as a reference is not normalised.
func TestReadKeepsReferencedWhiteSpace(t *testing.T) {
	inv, err := ubl.Read([]byte(in(`<cbc:ID a="&#xD;&#xA;&#x9;&lt;&quot;&apos;" b='"'>&#xD;&#13;&#10;&lt;&gt;</cbc:ID>`)))
	if err != nil {
		t.Fatal(err)
	}
	want := ubl.NewText("\r\r\n<>", "a", "\r\n\t<\"'", "b", `"`)
	if diff := cmp.Diff(want, inv.ID); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReadNamesAttributes(t *testing.T) {
	inv, err := ubl.Read([]byte(in(`<cbc:Note xml:lang="ar" xmlns:p="urn:p" p:a="1" a="2" languageID="ar">x</cbc:Note>`)))
	if err != nil {
		t.Fatal(err)
	}
	want := ubl.NewText("x", "{http://www.w3.org/XML/1998/namespace}lang", "ar", "{urn:p}a", "1", "a", "2", "languageID", "ar")
	if diff := cmp.Diff([]*ubl.Text{want}, inv.Notes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := inv.Notes[0].Attr("languageID"); got != "ar" {
		t.Errorf("languageID: got %q, want %q", got, "ar")
	}
}

func TestParseNamesElements(t *testing.T) {
	root, err := ubl.Parse([]byte(`<Invoice ` + usual + ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:x="urn:x">
<cbc:ID/><cac:Party/><ID/><ds:Signature/><x:ID/>
<ID xmlns=""/></Invoice>`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range root.Children {
		got = append(got, n.Name)
	}
	want := []string{"cbc:ID", "cac:Party", "ID", "ds:Signature", "{urn:x}ID", "{}ID"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := root.Child("{}ID").Line; got != 3 {
		t.Errorf("line: got %d, want 3", got)
	}
	if got := root.Child("cac:Party").Child("cbc:ID").Child("x"); got != nil {
		t.Errorf("child of nothing: got %v, want nil", got)
	}
}
