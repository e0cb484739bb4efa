package check_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"slices"
	"testing"
	"time"

	"khatm/check"
	"khatm/invoice"
	"khatm/rules"
	"khatm/sample"
	"khatm/ubl"
)

var now = time.Date(2026, time.November, 14, 10, 0, 0, 0, invoice.Riyadh())

// sealed returns a document that a device has stamped.
func sealed(t *testing.T, facts invoice.Facts) []byte {
	t.Helper()
	device, err := sample.NewDevice(rand.Reader, now)
	if err != nil {
		t.Fatal(err)
	}
	s, err := device.Seal(facts)
	if err != nil {
		t.Fatal(err)
	}
	return s.XML
}

// found returns the findings of a document in which one text is replaced.
func found(t *testing.T, document []byte, old, with string) []rules.Finding {
	t.Helper()
	changed := bytes.Replace(document, []byte(old), []byte(with), 1)
	if old != with && bytes.Equal(changed, document) {
		t.Fatalf("document does not contain %q", old)
	}
	d, err := check.Read(changed)
	if err != nil {
		t.Fatal(err)
	}
	return d.All(now.Add(time.Hour))
}

// TestAll changes a document so that each of the checks finds one fault, which
// must have a place and texts in both languages.
func TestAll(t *testing.T) {
	document := sealed(t, sample.Simplified())
	if clean := found(t, document, "", ""); len(clean) > 0 {
		t.Fatalf("findings of a correct document = %+v, want none", clean)
	}
	for _, c := range []struct{ id, old, new string }{
		{"UBL-TYPE", "<cbc:IssueDate>", "<cbc:IssueDate>x"},
		{"BR-KSA-70", "<cbc:IssueTime>", "<cbc:IssueTime>1"},
		{"hash-digest", "<cbc:ProfileID>", "<cbc:ProfileID>x"},
		{"signature", "<ds:SignatureValue>", "<ds:SignatureValue>AAAA"},
	} {
		all := found(t, document, c.old, c.new)
		i := slices.IndexFunc(all, func(f rules.Finding) bool { return f.ID == c.id })
		if i < 0 {
			t.Errorf("finding %s is missing, got %+v", c.id, all)
			continue
		}
		f := all[i]
		if f.Flag != rules.Error || f.Says.EN == "" || f.Says.AR == "" || f.Fix.EN == "" || f.Fix.AR == "" || f.Path == "" {
			t.Errorf("finding %s is incomplete: %+v", c.id, f)
		}
	}
}

// Findings on the stamp of a standard document are warnings, because the
// authority stamps it itself.
func TestSealsOfStandardDocumentsAreWarnings(t *testing.T) {
	for _, c := range []struct {
		facts invoice.Facts
		want  rules.Flag
	}{{sample.Invoice(), rules.Warning}, {sample.Simplified(), rules.Error}} {
		document := bytes.Replace(sealed(t, c.facts), []byte("<ds:SignatureValue>"), []byte("<ds:SignatureValue>AAAA"), 1)
		d, err := check.Read(document)
		if err != nil {
			t.Fatal(err)
		}
		seals := d.Seals()
		for _, f := range seals {
			if f.Flag != c.want {
				t.Errorf("flag of a finding on the stamp = %s, want %s: %+v", f.Flag, c.want, f)
			}
		}
		if len(seals) == 0 {
			t.Error("changed signature: no finding, want at least one")
		}
	}
}

// A document that the verifier cannot read is a finding, and the other checks
// still run.
func TestUnreadableStamp(t *testing.T) {
	all := found(t, sealed(t, sample.Simplified()), "<cbc:ProfileID>", "<cbc:ProfileID><![CDATA[]]>")
	if len(all) != 1 || all[0].ID != check.Unreadable || all[0].Flag != rules.Error || all[0].Got == "" {
		t.Errorf("findings of an unreadable document = %+v, want one with the id %s", all, check.Unreadable)
	}
}

func TestReadRefusesInvalidUBL(t *testing.T) {
	for _, text := range []string{"", "x", "<a/>"} {
		var wrong *ubl.SyntaxError
		if _, err := check.Read([]byte(text)); !errors.As(err, &wrong) {
			t.Errorf("Read(%q) = %v, want a SyntaxError", text, err)
		}
	}
}
