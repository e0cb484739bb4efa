package rules_test

import (
	"testing"
	"time"

	"khatm/rules"
	"khatm/sample"
	"khatm/ubl"
)

func TestStamp(t *testing.T) {
	const (
		information = "/Invoice/ext:UBLExtensions/ext:UBLExtension/ext:ExtensionContent/sig:UBLDocumentSignatures/sac:SignatureInformation"
		object      = "/Invoice/cac:AdditionalDocumentReference[3]/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"
	)
	unstamped := func(inv *ubl.Invoice) { inv.Extensions = nil }
	unsigned := func(inv *ubl.Invoice) { inv.Signatures = nil }
	emptied := reference("QR", func(r *ubl.DocumentReference) { r.Attachment.EmbeddedDocumentBinaryObject.Value = "" })
	uncoded := func(inv *ubl.Invoice) { inv.AdditionalDocumentReferences = inv.AdditionalDocumentReferences[:2] }
	show(t, []example{
		{"BR-KSA-27", simplified, nil, rules.Passed, ""},
		{"BR-KSA-27", standard, uncoded, rules.NotApplicable, ""},
		{"BR-KSA-27", simplified, uncoded, rules.Failed, "/Invoice/cac:AdditionalDocumentReference/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"},

		{"BR-KSA-28", simplified, nil, rules.Passed, ""},
		{"BR-KSA-28", simplified, uncoded, rules.NotApplicable, ""},
		{"BR-KSA-28", standard, unstamped, rules.NotApplicable, ""},
		{"BR-KSA-28", simplified, unstamped, rules.Failed, information + "/cbc:ID"},
		{"BR-KSA-28", simplified, emptied, rules.Failed, object},

		{"BR-KSA-29", simplified, nil, rules.Passed, ""},
		{"BR-KSA-29", simplified, emptied, rules.Passed, ""},
		{"BR-KSA-29", simplified, unstamped, rules.Failed, information + "/sbc:ReferencedSignatureID"},
		{"BR-KSA-29", simplified, unsigned, rules.Failed, "/Invoice/cac:Signature/cbc:ID"},

		{"BR-KSA-30", simplified, nil, rules.Passed, ""},
		{"BR-KSA-30", simplified, emptied, rules.Failed, object},
		{"BR-KSA-30", simplified, unsigned, rules.Failed, "/Invoice/cac:Signature/cbc:SignatureMethod"},

		{"BR-KSA-60", simplified, nil, rules.Passed, ""},
		{"BR-KSA-60", standard, unsigned, rules.NotApplicable, ""},
		{"BR-KSA-60", simplified, unsigned, rules.Failed, "/Invoice/cac:Signature"},
		{"BR-KSA-60", simplified, spaced, rules.Passed, ""},

		{"BR-KSA-98", simplified, nil, rules.Passed, ""},
		{"BR-KSA-98", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-98", simplified, func(inv *ubl.Invoice) { inv.IssueDate.Value = "2026-11-13" }, rules.Failed, "/Invoice/cbc:IssueDate"},
	})
}

// The limit is 24 hours to the second, and depends on the time zone.
func TestReportedInTime(t *testing.T) {
	document := sealedFacts(t, sample.Simplified())
	for _, c := range []struct {
		clock string
		now   string
		want  rules.Status
	}{
		{"09:00:00", "2026-11-15T09:00:00+03:00", rules.Passed},
		{"09:00:00", "2026-11-15T09:00:01+03:00", rules.Failed},
		{"09:00:00", "2026-11-15T06:00:00Z", rules.Passed},
		{"09:00:00Z", "2026-11-15T12:00:00+03:00", rules.Passed},
		{"09:00:00Z", "2026-11-15T12:00:01+03:00", rules.Failed},
		{"24:00:00", "2026-11-16T00:00:00+03:00", rules.Passed},
		{"24:00:00", "2026-11-16T00:00:01+03:00", rules.Failed},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		inv := read(t, document)
		inv.IssueTime.Value = c.clock
		if got, _ := statusOf(t, rules.Check(inv, now), "BR-KSA-98"); got != c.want {
			t.Errorf("BR-KSA-98 issued at %s, checked at %s: got %s, want %s", c.clock, c.now, got, c.want)
		}
	}
}

// spaced replaces the signatures by one that contains only white space.
func spaced(inv *ubl.Invoice) { inv.Signatures = []*ubl.Signature{{Spaced: true}} }
