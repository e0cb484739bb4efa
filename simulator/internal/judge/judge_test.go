package judge_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/simulator/internal/judge"
	"khatm/witness"
)

// warned maps valid samples to the warning that they get from the official
// stylesheets: the breakdown of these samples has one row for each reason, but
// the stylesheets sum the lines of a whole category.
var warned = map[string]string{
	"two-reasons-of-one-category": "WARNING BR-Z-08?",
	"two-reasons-of-exemption":    "WARNING BR-E-08?",
	"two-texts-of-one-reason":     "WARNING BR-O-08?",
}

// TestEveryKindPasses checks that the samples pass: a selection, or all under
// KHATM_TORTURE=1, and some of them also as compliance checks and in lax mode.
func TestEveryKindPasses(t *testing.T) {
	w := newFixture(t)
	device := newDevice(t, 3)
	now := opening.Add(2 * time.Hour)
	for i, c := range sample.Every() {
		if i%5 > 0 && warned[c.Name] == "" && !testtool.Torture() {
			continue
		}
		s := w.submission(w.sealed(device, c.Facts))
		s.Certificate = device.Certificate.DER
		judges := []judge.Judge{{}}
		if i%8 == 0 {
			s.Endpoint, judges = judge.Compliance, append(judges, judge.Judge{Lax: true})
		}
		for _, j := range judges {
			v := j.Judge(s, now)
			want := warned[c.Name]
			if want == "" {
				want = "PASS"
			}
			if codesOf(v) != want || len(v.Info) != 1 || v.Info[0].Code != "XSD_ZATCA_VALID" {
				t.Errorf("%s: verdict %s with infos %+v, want %s with XSD_ZATCA_VALID", c.Name, codesOf(v), v.Info, want)
			}
		}
	}
}

func TestVerdictFields(t *testing.T) {
	w := newFixture(t)
	for name, document := range map[string][]byte{"simplified": w.simplified, "standard": w.standard} {
		report, err := witness.Verify(document, witness.Expect{})
		if err != nil {
			t.Fatal(err)
		}
		v := judge.Judge{}.Judge(w.submission(document), later)
		got := strings.Join([]string{v.Number, v.UUID, v.TypeCode, v.Transaction, v.Counter, v.PreviousHash, v.Hash}, " ")
		want := strings.Join([]string{report.Number, report.UUID, "388", report.Transaction, report.Counter, report.PreviousHash, report.Hash}, " ")
		if got != want {
			t.Errorf("%s: got %s\nwant %s", name, got, want)
		}
		if v.Standard != (name == "standard") || v.Simplified == v.Standard {
			t.Errorf("%s: Standard is %t, Simplified is %t; want exactly the one named", name, v.Standard, v.Simplified)
		}
		if v.Report == nil || v.Report.Hash != report.Hash {
			t.Errorf("%s: Report = %+v, want the report of package witness with hash %s", name, v.Report, report.Hash)
		}
	}
}

// TestVerdictFieldsOfInvalidDocument checks that the verdict contains the fields
// that can be read, which the journal needs.
func TestVerdictFieldsOfInvalidDocument(t *testing.T) {
	w := newFixture(t)
	s := w.submission(w.simplified)
	value("cbc:PayableAmount", "much")(w, &s)
	v := judge.Judge{}.Judge(s, later)
	if v.UUID != s.UUID || v.Counter != "1" || v.Hash != "" || v.Report != nil {
		t.Errorf("verdict = %+v, want UUID %s, counter 1, no hash and no report", v, s.UUID)
	}
	s.Document = []byte("<a/>")
	if v := (judge.Judge{}).Judge(s, later); v.UUID != "" || v.Number != "" || v.Standard || v.Simplified {
		t.Errorf("document that is not an invoice: verdict = %+v, want empty fields", v)
	}
}

func TestMessagesAsJSON(t *testing.T) {
	w := newFixture(t)
	v := judge.Judge{}.Judge(w.submission(w.simplified), later)
	got, err := json.Marshal([][]judge.Message{v.Info, v.Warnings, v.Errors})
	if err != nil {
		t.Fatal(err)
	}
	const want = `[[{"type":"INFO","code":"XSD_ZATCA_VALID","category":"XSD validation",` +
		`"message":"Complied with UBL 2.1 standards in line with ZATCA specifications","status":"PASS"}],[],[]]`
	if string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestMomentsOfIssue(t *testing.T) {
	w := newFixture(t)
	cases := []struct{ clock, want string }{
		{"12:00:00", "2026-11-14T09:00:00Z"},
		{"12:00:00Z", "2026-11-14T12:00:00Z"},
		{"12:00:00+05:00", "2026-11-14T07:00:00Z"},
		{"12:00:00.5", "2026-11-14T09:00:00Z"},
		{"noon", "0001-01-01T00:00:00Z"},
	}
	for _, c := range cases {
		s := w.submission(w.simplified)
		value("cbc:IssueTime", c.clock)(w, &s)
		v := judge.Judge{}.Judge(s, later)
		if got := v.IssuedAt.UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s: got %s, want %s", c.clock, got, c.want)
		}
	}
}

// TestConformanceOfficialSamples validates the authority's signed samples,
// which are not part of this repository. Each is submitted with its own
// certificate. Failed business rules are only logged; package rules tests them.
func TestConformanceOfficialSamples(t *testing.T) {
	corpus := os.Getenv("KHATM_CORPUS")
	if corpus == "" {
		t.Skip("KHATM_CORPUS is not set: it names the folder with samples/official-*.xml")
	}
	files, err := filepath.Glob(filepath.Join(corpus, "samples", "official-*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	good := 0
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if passes(t, filepath.Base(file), document) {
			good++
		}
	}
	t.Logf("%d of %d official samples pass hash, QR code and stamp", good, len(files))
	if good != 19 {
		t.Errorf("%d samples pass, want 19", good)
	}
}

func passes(t *testing.T, name string, document []byte) bool {
	t.Helper()
	report, err := witness.Verify(document, witness.Expect{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return false
	}
	s := judge.Submission{
		Document: document, UUID: report.UUID, Hash: report.Hash, Endpoint: judge.Reporting,
		Certificate: report.Certificate.Raw, VATNumber: report.SellerVAT,
	}
	if !report.Simplified() {
		s.Endpoint = judge.Clearance
	}
	v := judge.Judge{}.Judge(s, report.Certificate.NotAfter)
	good := len(v.Info) == 1
	for _, m := range append(v.Errors, v.Warnings...) {
		if strings.HasPrefix(m.Code, "BR-") {
			t.Logf("%s: %s %s", name, m.Type, m.Code)
			continue
		}
		good = false
		t.Errorf("%s: got the message %+v, want only failed rules", name, m)
	}
	return good
}
