package judge_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/simulator/internal/judge"
	"khatm/witness"
)

// Every warning and error has a reason with a cause and a fix, and every change
// of the matrix has a reason, unless it is harmless.
func TestEveryMessageHasAReason(t *testing.T) {
	w := newFixture(t)
	for _, set := range []struct {
		document []byte
		tampers  []tamper
	}{
		{w.simplified, slices.Concat(tampersOfRequest(w), tampersOfContent(), tampersOfSchema(), tampersOfStamp(w), tampersOfCode(w))},
		{w.standard, tampersOfStandard(w)},
	} {
		for _, c := range set.tampers {
			s := w.submission(set.document)
			c.change(w, &s)
			v := judge.Judge{}.Judge(s, later)
			for _, m := range slices.Concat(v.Errors, v.Warnings) {
				at := slices.IndexFunc(v.Reasons, func(r judge.Reason) bool { return r.Code == m.Code })
				if at < 0 {
					t.Errorf("%s: no reason for %s", c.name, m.Code)
					continue
				}
				r := v.Reasons[at]
				want := map[string]judge.Kind{"ERROR": judge.Refused, "WARNING": judge.Warned}[m.Type]
				if r.Cause == "" || r.Field == "" || r.Fix == "" || r.Kind != want {
					t.Errorf("%s: the reason for %s is %+v, want kind %s with cause, field and fix", c.name, m.Code, r, want)
				}
			}
		}
	}
}

func TestReasons(t *testing.T) {
	w := newFixture(t)
	for _, c := range []struct {
		name   string
		change change
		want   judge.Reason
	}{
		{"uuid", func(_ *fixture, s *judge.Submission) { s.UUID = "x" }, judge.Reason{
			Kind: judge.Refused, Code: "INVOICE_UUID_VALIDATION", Field: "uuid", Cause: `it is "x" and should be "`, Fix: "cbc:UUID",
		}},
		{"rule", value("cbc:PayableAmount", "142.001"), judge.Reason{
			Kind: judge.Warned, Code: "BR-DEC-18", Field: "/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount", Cause: "142.001", Fix: "decimals",
		}},
		{"schema", without("cbc:IssueDate"), judge.Reason{
			Kind: judge.Refused, Code: "XSD_ZATCA_INVALID", Field: "/Invoice/cbc:IssueDate", Cause: "present", Fix: "Add the missing element",
		}},
		{"opinion", text("xmldsig-more#ecdsa-sha256", "xmldsig-more#rsa-sha256"), judge.Reason{
			Kind: judge.Opinion, Code: "stamp-value", Field: "ds:SignatureMethod/@Algorithm", Cause: "rsa-sha256", Fix: "Build the stamp",
		}},
	} {
		s := w.submission(w.simplified)
		c.change(w, &s)
		v := judge.Judge{}.Judge(s, later)
		found := slices.ContainsFunc(v.Reasons, func(r judge.Reason) bool {
			return r.Kind == c.want.Kind && r.Code == c.want.Code && strings.Contains(r.Field, c.want.Field) &&
				strings.Contains(r.Cause, c.want.Cause) && strings.Contains(r.Fix, c.want.Fix)
		})
		if !found {
			t.Errorf("%s: reasons %+v, want %+v", c.name, v.Reasons, c.want)
		}
	}
}

// Documents of other programs that the official kit accepts are accepted, and
// opinions about their form do not change the answer. The stamp of the standard
// document is broken, which only strict mode checks.
func TestAcceptedForms(t *testing.T) {
	for _, c := range []struct{ name, strict, lax, opinions string }{
		{"unchanged", "PASS", "PASS", ""},
		{"no-ExtensionURI", "PASS", "PASS", "stamp-incomplete"},
		{"QR-before-ICV", "PASS", "PASS", "qr-order stamp-order"},
		{"qr-time-Z", "WARNING BR-KSA-71? invoiceTimeStamp_QRCODE_INVALID?", "WARNING BR-KSA-71? invoiceTimeStamp_QRCODE_INVALID?", ""},
		{"pi-inside-value", "ERROR invoice-hashing invalid-signature invoiceHash_QRCODE_INVALID", "PASS", "instruction"},
	} {
		document, err := os.ReadFile("../../../check/testdata/form/" + c.name + ".xml")
		if err != nil {
			t.Fatal(err)
		}
		report, err := witness.Verify(document, witness.Expect{})
		if err != nil {
			t.Fatal(err)
		}
		s := judge.Submission{Document: document, UUID: report.UUID, Hash: report.Hash, Endpoint: judge.Compliance}
		now := time.Date(2026, time.November, 16, 12, 0, 0, 0, time.UTC)
		strict := judge.Judge{}.Judge(s, now)
		expect(t, c.name+", strict", strict, c.strict)
		expect(t, c.name+", lax", judge.Judge{Lax: true}.Judge(s, now), c.lax)
		var opinions []string
		for _, r := range strict.Reasons {
			if r.Kind == judge.Opinion {
				opinions = append(opinions, r.Code)
			}
		}
		if got := strings.Join(opinions, " "); got != c.opinions {
			t.Errorf("%s: opinions %q, want %q", c.name, got, c.opinions)
		}
	}
}
