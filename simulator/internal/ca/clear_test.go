package ca_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/simulator/internal/ca"
	"khatm/witness"
)

func sealed(t testing.TB, c sample.Case) []byte {
	t.Helper()
	device, err := sample.NewDevice(sample.Seeded(1), noon)
	if err != nil {
		t.Fatal(err)
	}
	s, err := device.Seal(c.Facts)
	if err != nil {
		t.Fatal(err)
	}
	return s.XML
}

func standard(t testing.TB) []byte { return sealed(t, sample.Case{Facts: sample.Invoice()}) }

// parts matches the three parts of a stamp, as they are in our documents and in
// the official ones.
var parts = regexp.MustCompile(`(?s)<ext:UBLExtensions.*</ext:UBLExtensions>|` +
	`<cac:AdditionalDocumentReference[^>]*>\s*<cbc:ID>QR</cbc:ID>.*?</cac:AdditionalDocumentReference>|` +
	`<cac:Signature>.*?</cac:Signature>`)

func bare(document []byte) []byte { return parts.ReplaceAll(document, nil) }

// wantCleared clears a document and checks the result.
func wantCleared(t testing.TB, a *ca.Authority, document []byte) []byte {
	t.Helper()
	before, err := witness.Hash(document)
	if err != nil {
		t.Fatal(err)
	}
	cleared, err := a.Clear(document, noon)
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(cleared, witness.Expect{RequireStamp: true, Certificate: a.StampCertificate()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Errorf("cleared document has the finding %+v, want none", f)
	}
	if report.Hash != before {
		t.Errorf("hash after clearing = %s, want %s", report.Hash, before)
	}
	if !bytes.Equal(bare(cleared), bare(document)) {
		t.Error("bytes outside the stamp changed, want them unchanged")
	}
	if len(report.QR) != 8 || string(report.QR[2].Value) != report.IssueDate+"T"+report.IssueTime {
		t.Errorf("QR code = %v, want 8 tags with the issue time in tag 3", report.QR)
	}
	if want := noon.Format("2006-01-02T15:04:05"); report.SigningTime != want {
		t.Errorf("signed at %s, want %s", report.SigningTime, want)
	}
	return cleared
}

func TestClearEveryKind(t *testing.T) {
	a := newAuthority(t)
	cleared, refused := 0, 0
	for i, c := range testtool.Some(sample.Every(), 11) {
		document := sealed(t, c)
		report, err := witness.Verify(document, witness.Expect{})
		if err != nil {
			t.Fatal(err)
		}
		if report.Simplified() {
			_, err := a.Clear(document, noon)
			var unclearable *ca.Unclearable
			if !errors.As(err, &unclearable) {
				t.Errorf("%s: error is %v, want an Unclearable", c.Name, err)
			}
			refused++
			continue
		}
		cleared++
		once := wantCleared(t, a, document)
		if i%7 > 0 {
			continue // the position of the parts does not depend on the rest
		}
		if !bytes.Equal(wantCleared(t, a, once), once) {
			t.Errorf("%s: clearing the cleared document changed it, want it unchanged", c.Name)
		}
		wantCleared(t, a, bare(document))
	}
	if cleared < 8 || refused < 8 {
		t.Errorf("only %d standard and %d simplified documents, want at least 8 each", cleared, refused)
	}
	t.Logf("%d standard, %d simplified documents", cleared, refused)
}

// TestClearEachPartAlone checks that documents with only one or two of the
// three parts can be cleared.
func TestClearEachPartAlone(t *testing.T) {
	a := newAuthority(t)
	document := standard(t)
	for _, span := range parts.FindAllIndex(document, -1) {
		wantCleared(t, a, append(bytes.Clone(document[:span[0]]), document[span[1]:]...))
		kept := bytes.Clone(document[span[0]:span[1]])
		wantCleared(t, a, parts.ReplaceAllFunc(document, func(p []byte) []byte {
			if bytes.Equal(p, kept) {
				return p
			}
			return nil
		}))
	}
}

func TestClearKeepsWhiteSpace(t *testing.T) {
	a := newAuthority(t)
	document := standard(t)
	between := regexp.MustCompile(`><(/?)(cac:|cbc:|/Invoice)`)
	rapid.Check(t, func(t *rapid.T) {
		space := rapid.SampledFrom([]string{"", "\n", "\n    ", "\r\n\t", " ", "<!-- a remark -->", "\n<!-- <cac:Signature> -->\n"})
		stripped := rapid.Bool().Draw(t, "stripped")
		from := document
		if stripped {
			from = bare(document)
		}
		// The content of the stamp is not changed, because a digest covers it.
		head, rest, _ := bytes.Cut(from, []byte("<cbc:ProfileID"))
		rest = append([]byte("<cbc:ProfileID"), rest...)
		if !stripped {
			rest = bare(rest)
		}
		loose := between.ReplaceAllStringFunc(string(rest), func(m string) string {
			return ">" + space.Draw(t, "space") + m[1:]
		})
		loose = string(head) + loose
		if rapid.Bool().Draw(t, "declared") && !strings.HasPrefix(loose, "<?xml") {
			loose = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + loose
		}
		if rapid.Bool().Draw(t, "marked") {
			loose = "\uFEFF" + loose
		}
		text := []byte(loose)
		before, err := witness.Hash(text)
		if err != nil {
			t.Fatal(err)
		}
		cleared, err := a.Clear(text, noon)
		if err != nil {
			t.Fatal(err)
		}
		report, err := witness.Verify(cleared, witness.Expect{RequireStamp: true})
		if err != nil {
			t.Fatal(err)
		}
		if report.Hash != before || len(report.Findings) > 0 {
			t.Fatalf("hash after clearing = %s, findings %+v; want %s and no findings", report.Hash, report.Findings, before)
		}
	})
}

func TestClearUnusualPrefixes(t *testing.T) {
	a := newAuthority(t)
	text := string(bare(standard(t)))
	text = strings.NewReplacer("cac:", "a:", "cbc:", "b:", "xmlns:cac=", "xmlns:a=", "xmlns:cbc=", "xmlns:b=").Replace(text)
	cleared, err := a.Clear([]byte(text), noon)
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(cleared, witness.Expect{RequireStamp: true})
	if err != nil {
		t.Fatal(err)
	}
	// The XPath expressions of a stamp need the usual prefixes on the root, but
	// adding them would change the hash.
	for _, f := range report.Findings {
		if f.ID != "stamp-prefix" {
			t.Errorf("cleared document has the finding %+v, want none", f)
		}
	}
}

func TestClearRefuses(t *testing.T) {
	a := newAuthority(t)
	text := string(standard(t))
	name := sample.Seller().RegisteredName()
	for what, document := range map[string]string{
		"nothing":         "",
		"no XML":          "not XML",
		"no content":      text[:strings.Index(text, ">")+1],
		"no seller":       strings.NewReplacer("<cac:AccountingSupplierParty>", "<cac:PayeeParty>", "</cac:AccountingSupplierParty>", "</cac:PayeeParty>").Replace(text),
		"no PIH":          strings.Replace(text, "<cbc:ID>PIH</cbc:ID>", "<cbc:ID>HIP</cbc:ID>", 1),
		"a name too long": strings.ReplaceAll(text, name, strings.Repeat("م", 64)),
	} {
		if document == text {
			t.Fatalf("%s: the document is unchanged, want a change", what)
		}
		_, err := a.Clear([]byte(document), noon)
		var unclearable *ca.Unclearable
		if !errors.As(err, &unclearable) {
			t.Errorf("%s: error is %v, want an Unclearable", what, err)
		}
	}
}

// UBL allows several signature references. The authority's replaces all of them.
func TestClearReplacesEverySignature(t *testing.T) {
	a := newAuthority(t)
	text := string(standard(t))
	cleared, err := a.Clear([]byte(strings.Replace(text, "<cac:Signature>", "<cac:Signature></cac:Signature><cac:Signature>", 1)), noon)
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(cleared, witness.Expect{RequireStamp: true, Certificate: a.StampCertificate()})
	if err != nil || len(report.Findings) > 0 {
		t.Errorf("findings of the cleared document = %+v, error %v, want none", report, err)
	}
}

// A reference whose id is divided is hashed, so it stays.
func TestClearKeepsReferenceWithDividedID(t *testing.T) {
	a := newAuthority(t)
	const divided = "<cac:AdditionalDocumentReference><cbc:ID>Q<!-- -->R</cbc:ID></cac:AdditionalDocumentReference>"
	text := string(parts.ReplaceAll(standard(t), nil))
	cleared, err := a.Clear([]byte(strings.Replace(text, "<cac:AccountingSupplierParty>", divided+"<cac:AccountingSupplierParty>", 1)), noon)
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(cleared, witness.Expect{RequireStamp: true, Certificate: a.StampCertificate()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.ID == "hash-digest" || f.ID == "qr-missing" {
			t.Errorf("finding of the cleared document: %+v", f)
		}
	}
	if !strings.Contains(string(cleared), divided) {
		t.Error("the reference is missing")
	}
}

func TestStampIsRenewed(t *testing.T) {
	a := newAuthority(t)
	document, before := standard(t), a.StampCertificate()
	later := noon.AddDate(5, 1, 0)
	cleared, err := a.Clear(document, later)
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(cleared, witness.Expect{RequireStamp: true})
	if err != nil || len(report.Findings) > 0 {
		t.Fatalf("Verify returned %+v, %v; want no findings and no error", report, err)
	}
	if bytes.Equal(before, a.StampCertificate()) || report.Certificate.NotAfter.Before(later) {
		t.Error("the stamp has the expired certificate, want a new one")
	}
	restored(t, a)
}

func TestConformanceClear(t *testing.T) {
	corpus := os.Getenv("KHATM_CORPUS")
	if corpus == "" {
		t.Skip("KHATM_CORPUS is not set: it names the folder with samples/official-*.xml")
	}
	files, err := filepath.Glob(filepath.Join(corpus, "samples", "*.xml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("KHATM_CORPUS has no files samples/*.xml: %v", err)
	}
	a := newAuthority(t)
	cleared := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			document, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			report, err := witness.Verify(document, witness.Expect{})
			if err != nil {
				t.Fatal(err)
			}
			if report.Simplified() {
				if _, err := a.Clear(document, noon); err == nil {
					t.Error("Clear of a simplified document succeeded, want an error")
				}
				return
			}
			if len(report.Findings) > 0 {
				t.Fatalf("findings of the sample = %+v, want none", report.Findings)
			}
			wantCleared(t, a, document)
			wantCleared(t, a, bare(document))
			cleared++
		})
	}
	t.Logf("%d of %d cleared", cleared, len(files))
}
