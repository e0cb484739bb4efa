package witness_test

import (
	"strings"
	"testing"

	"khatm/witness"
)

const (
	pricePath     = "/Invoice/cac:InvoiceLine/cac:Price/cbc:PriceAmount"
	itemPath      = "/Invoice/cac:InvoiceLine/cac:Item/cbc:Name"
	inclusivePath = "/Invoice/cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount"
	notePath      = "/Invoice/cbc:Note"
)

// tampersOfPieces change the value for a reader that uses only the first piece
// of a text, but not the hash.
var tampersOfPieces = []tamper{
	{"price with a comment", ">31.30<", ">3<!-- -->1.30<", "comment", pricePath},
	{"price with an empty comment", ">31.30<", ">3<!---->1.30<", "comment", pricePath},
	{"price after a comment", ">31.30<", "><!-- -->31.30<", "comment", pricePath},
	{"price before a comment", ">31.30<", ">31.30<!-- --><", "comment", pricePath},
	{"price with two comments", ">31.30<", ">3<!-- -->1<!-- -->.30<", "comment", pricePath},
	{"item name with a comment", ">قلم<", ">قل<!-- -->م<", "comment", itemPath},
	{"inclusive amount with a comment", ">115.00<", ">11<!-- -->5.00<", "comment", inclusivePath},
	{"note with a comment", "ملاحظة &amp;", "ملاحظة<!-- --> &amp;", "comment", notePath},
	{"price partly CDATA", ">31.30<", ">3<![CDATA[1.30]]><", "split-text", pricePath},
	{"price beginning as CDATA", ">31.30<", "><![CDATA[3]]>1.30<", "split-text", pricePath},
	{"item name of two CDATA", ">قلم<", "><![CDATA[قل]]><![CDATA[م]]><", "split-text", itemPath},
	{"inclusive amount partly CDATA", ">115.00<", ">11<![CDATA[5.00]]><", "split-text", inclusivePath},
	{"note partly CDATA", "&lt;more&gt;", "<![CDATA[<more>]]>", "split-text", notePath},
	{"price with both", ">31.30<", ">3<!-- --><![CDATA[1]]>.30<", "comment split-text", pricePath},
	{"price of CDATA and a comment", ">31.30<", "><![CDATA[31.30]]><!-- --><", "comment", pricePath},
	{"number with an instruction", ">INV-7<", "><?x y?>INV-7<", "instruction field-split " + hashed, "/Invoice/cbc:ID"},
	{"instruction between elements", "<cac:Price>", "<?x y?><cac:Price>", "instruction " + hashed, "/Invoice/cac:InvoiceLine"},
	{"instruction before the root", "<Invoice ", "<?x y?><Invoice ", "instruction " + hashed, "/Invoice"},
	{"instruction after the root", "</Invoice>", "</Invoice><?x y?>", "instruction " + hashed, "/Invoice"},
	{"instruction in the stamp", "<ds:KeyInfo>", "<ds:KeyInfo><?x y?>", "instruction stamp-foreign", signaturePath + "/ds:KeyInfo"},
	{"line break in an attribute", `currencyID="SAR">31.30`, "currencyID=\"SAR\n\">31.30", "attribute-break " + hashed, "/Invoice"},
	{"line break in an attribute for a blank", `xsd:Invoice-2" `, "xsd:Invoice-2\"\n", "", ""},
	{"comment in the stamp", "<ds:SignatureValue>M", "<ds:SignatureValue>M<!-- -->", "comment stamp-foreign", signaturePath + "/ds:SignatureValue"},
	{"CDATA in the stamp", "<ds:SignatureValue>M", "<ds:SignatureValue><![CDATA[M]]>", "split-text", signaturePath + "/ds:SignatureValue"},
}

// Comments and CDATA sections that split no text are accepted.
func TestHarmlessPieces(t *testing.T) {
	document := stamped(t, layout{})
	for _, c := range []struct{ name, old, new string }{
		{"whole CDATA", ">31.30<", "><![CDATA[31.30]]><"},
		{"whole CDATA with markup in it", "ملاحظة &amp; &lt;more&gt;", "<![CDATA[ملاحظة & <more>]]>"},
		{"comment between elements", "<cac:Price>", "<!-- 31.31 --><cac:Price>"},
		{"comment in white space", "</cac:TaxTotal>\n", "</cac:TaxTotal>\n<!-- -->"},
		{"comment in an empty element", "<cac:AccountingCustomerParty>", "<cac:AccountingCustomerParty><!-- -->"},
		{"comment after the root", "</Invoice>", "</Invoice><!-- -->"},
		{"CDATA of white space between elements", "</cac:TaxTotal>\n ", "</cac:TaxTotal>\n<![CDATA[ ]]>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := strings.Replace(document, c.old, c.new, 1)
			if changed == document {
				t.Fatal("the document was not changed")
			}
			if got := ids(verify(t, changed, witness.Expect{})); got != "" {
				t.Errorf("findings: got %q, want none", got)
			}
		})
	}
}
