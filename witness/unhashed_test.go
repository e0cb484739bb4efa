package witness_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"khatm/witness"
)

// The hash leaves out what the authority's transform removes: at any depth, in
// any namespace, and a reference only if its id is a single text.
func TestUnhashed(t *testing.T) {
	const open, end = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">`, "</Invoice>"
	reference := func(id string) string {
		return "<cac:AdditionalDocumentReference>" + id + "</cac:AdditionalDocumentReference>"
	}
	billing := func(content string) string { return "<cac:BillingReference> " + content + "</cac:BillingReference>" }
	for _, c := range []struct{ name, content, hashed string }{
		{"reference", "a" + reference("<cbc:ID>QR</cbc:ID>") + "b", "ab"},
		{"blanks", reference("<cbc:ID> \nQR\t</cbc:ID>"), ""},
		{"second id", reference("<cbc:ID>X</cbc:ID><cbc:ID>QR</cbc:ID>"), ""},
		{"CDATA", reference("<cbc:ID>Q<![CDATA[R]]></cbc:ID>"), ""},
		{"comment at the end", reference("<cbc:ID>QR<!-- x --></cbc:ID>"), ""},
		{"instruction at the beginning", reference("<cbc:ID><?x y?>QR</cbc:ID>"), ""},
		{"nested reference", billing(reference("<cbc:ID>QR</cbc:ID>")), billing("")},
		{"nested signature", billing("<cac:Signature>x</cac:Signature>"), billing("")},
		{"signature of another namespace", billing(`<x:Signature xmlns:x="urn:x"/>`), billing("")},
		{"nested extensions", billing(`<UBLExtensions/>`), billing("")},
		{"reference of another namespace", `<x:AdditionalDocumentReference xmlns:x="urn:x"><cbc:ID>QR</cbc:ID></x:AdditionalDocumentReference>`, ""},
		{"comment inside", reference("<cbc:ID>Q<!-- x -->R</cbc:ID>"), reference("<cbc:ID>QR</cbc:ID>")},
		{"instruction inside", reference("<cbc:ID>Q<?x y?>R</cbc:ID>"), reference("<cbc:ID>Q<?x y?>R</cbc:ID>")},
		{"comment before a blank", reference("<cbc:ID>QR<!-- x --> </cbc:ID>"), reference("<cbc:ID>QR </cbc:ID>")},
		{"element inside", reference("<cbc:ID><cbc:ID>QR</cbc:ID></cbc:ID>"), reference("<cbc:ID><cbc:ID>QR</cbc:ID></cbc:ID>")},
		{"id of another namespace", reference("<ID>QR</ID>"), reference("<ID>QR</ID>")},
		{"another id", reference("<cbc:ID>Q R</cbc:ID>"), reference("<cbc:ID>Q R</cbc:ID>")},
		{"CDATA elsewhere", "<cbc:Note><![CDATA[<&]]></cbc:Note>", "<cbc:Note>&lt;&amp;</cbc:Note>"},
	} {
		sum := sha256.Sum256([]byte(open + c.hashed + end))
		want := base64.StdEncoding.EncodeToString(sum[:])
		if got, err := witness.Hash([]byte(open + c.content + end)); err != nil || got != want {
			t.Errorf("%s: hash %s, error %v, want %s", c.name, got, err, want)
		}
	}
}

// A QR reference hidden in a hashed element changes nothing in the hash, and one
// with a split id is not the QR code of the document.
func TestHiddenReference(t *testing.T) {
	document := stamped(t, layout{})
	const hidden = "<cac:AdditionalDocumentReference><cbc:ID>QR</cbc:ID></cac:AdditionalDocumentReference>"
	for _, c := range []struct{ name, old, new, want string }{
		{"nested", "<cac:InvoiceLine>", "<cac:InvoiceLine>" + hidden, "qr-misplaced"},
		{"split", "<cbc:ID>QR</cbc:ID>", "<cbc:ID>Q<!-- x -->R</cbc:ID>", "comment hash-digest signature qr-missing"},
	} {
		changed := strings.Replace(document, c.old, c.new, 1)
		if got := ids(verify(t, changed, witness.Expect{})); got != c.want {
			t.Errorf("%s: findings %q, want %q", c.name, got, c.want)
		}
	}
}
