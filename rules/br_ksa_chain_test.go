package rules_test

import (
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// reference returns a change to the reference with the given ID.
func reference(id string, change func(*ubl.DocumentReference)) func(*ubl.Invoice) {
	return func(inv *ubl.Invoice) { change(inv.Reference(id)) }
}

func TestChain(t *testing.T) {
	const (
		object = "/Invoice/cac:AdditionalDocumentReference[2]/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"
		absent = "/Invoice/cac:AdditionalDocumentReference/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"
	)
	mime := reference("PIH", func(r *ubl.DocumentReference) {
		r.Attachment.EmbeddedDocumentBinaryObject.Attrs = []ubl.Attr{{Name: "mimeCode", Value: "text/xml"}}
	})
	renamed := func(id string) func(*ubl.Invoice) {
		return reference(id, func(r *ubl.DocumentReference) { r.ID = ubl.NewText("X") })
	}
	counted := func(text string) func(*ubl.Invoice) {
		return reference("ICV", func(r *ubl.DocumentReference) { r.UUID = ubl.NewText(text) })
	}
	show(t, []example{
		{"BR-KSA-26", standard, nil, rules.Passed, ""},
		{"BR-KSA-26", standard, mime, rules.Failed, object},
		{"BR-KSA-26", standard, renamed("PIH"), rules.NotApplicable, ""},

		{"BR-KSA-33", standard, nil, rules.Passed, ""},
		{"BR-KSA-33", standard, renamed("ICV"), rules.Failed, "/Invoice/cac:AdditionalDocumentReference/cbc:UUID"},
		{"BR-KSA-33", standard, counted(""), rules.Failed, "/Invoice/cac:AdditionalDocumentReference/cbc:UUID"},

		{"BR-KSA-34", standard, nil, rules.Passed, ""},
		{"BR-KSA-34", standard, counted(""), rules.Passed, ""},
		{"BR-KSA-34", standard, counted("١٢"), rules.Failed, "/Invoice/cac:AdditionalDocumentReference[1]/cbc:UUID"},

		{"BR-KSA-61", standard, nil, rules.Passed, ""},
		{"BR-KSA-61", standard, mime, rules.Failed, absent},
		{"BR-KSA-61", standard, renamed("PIH"), rules.Failed, absent},
	})
}
