package judge_test

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
	"khatm/simulator/internal/judge"
	"khatm/ubl"
	"khatm/witness"
)

// The documents of the tests are issued at opening and validated an hour later.
var (
	opening = time.Date(2026, 11, 14, 9, 0, 0, 0, time.UTC)
	later   = opening.Add(time.Hour)
)

// fixture has a device with a standard and a simplified document, and another
// device.
type fixture struct {
	t                    testing.TB
	device, other        *sample.Device
	simplified, standard []byte
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	w := &fixture{t: t, device: newDevice(t, 1), other: newDevice(t, 2)}
	w.simplified = w.sealed(w.device, sample.Simplified())
	w.standard = w.sealed(w.device, sample.Invoice())
	return w
}

func newDevice(t testing.TB, seed uint64) *sample.Device {
	t.Helper()
	d, err := sample.NewDevice(sample.Seeded(seed), opening)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (w *fixture) sealed(d *sample.Device, f invoice.Facts) []byte {
	w.t.Helper()
	s, err := d.Seal(f)
	if err != nil {
		w.t.Fatal(err)
	}
	return s.XML
}

// submission returns a document as its device submits it, with the right
// endpoint.
func (w *fixture) submission(document []byte) judge.Submission {
	s := judge.Submission{
		Document: document, Endpoint: judge.Reporting,
		Certificate: w.device.Certificate.DER, VATNumber: sample.Seller().VATNumber,
	}
	report, err := witness.Verify(document, witness.Expect{})
	if err != nil {
		return s
	}
	s.UUID, s.Hash = report.UUID, report.Hash
	if !report.Simplified() {
		s.Endpoint = judge.Clearance
	}
	return s
}

// change modifies a submission.
type change func(w *fixture, s *judge.Submission)

// text replaces a text everywhere in the document.
func text(from, to string) change {
	return func(w *fixture, s *judge.Submission) {
		changed := bytes.ReplaceAll(s.Document, []byte(from), []byte(to))
		if bytes.Equal(changed, s.Document) {
			w.t.Fatalf("replacing %q with %q changed nothing", from, to)
		}
		s.Document = changed
	}
}

// value replaces the content of the first element with the given name.
func value(name, to string) change {
	return func(w *fixture, s *judge.Submission) {
		from, end := w.inside(s.Document, name)
		s.Document = slices.Concat(s.Document[:from], []byte(to), s.Document[end:])
	}
}

// inside returns the position of the content of the first element with the
// given name.
func (w *fixture) inside(document []byte, name string) (from, to int) {
	w.t.Helper()
	start := bytes.Index(document, []byte("<"+name))
	if start < 0 {
		w.t.Fatalf("the document has no %s", name)
	}
	from = start + bytes.IndexByte(document[start:], '>') + 1
	return from, from + bytes.Index(document[from:], []byte("</"+name+">"))
}

// without removes the first element with the given name.
func without(name string) change {
	return func(w *fixture, s *judge.Submission) {
		_, to := w.inside(s.Document, name)
		from := bytes.Index(s.Document, []byte("<"+name))
		s.Document = slices.Concat(s.Document[:from], s.Document[to+len("</"+name+">"):])
	}
}

// withoutQR removes the QR reference.
func withoutQR(_ *fixture, s *judge.Submission) {
	const open, shut = "<cac:AdditionalDocumentReference>", "</cac:AdditionalDocumentReference>"
	from := bytes.Index(s.Document, []byte(open+"<cbc:ID>QR<"))
	to := from + bytes.Index(s.Document[from:], []byte(shut)) + len(shut)
	s.Document = slices.Concat(s.Document[:from], s.Document[to:])
}

// unsealed removes everything that sealing adds.
func unsealed(w *fixture, s *judge.Submission) {
	without("ext:UBLExtensions")(w, s)
	withoutQR(w, s)
	without("cac:Signature")(w, s)
}

// resealed changes the invoice and signs it again, so that only the content is
// wrong.
func resealed(edit func(*ubl.Invoice)) change {
	return func(w *fixture, s *judge.Submission) {
		inv, err := ubl.Read(s.Document)
		if err != nil {
			w.t.Fatal(err)
		}
		edit(inv)
		unsigned, err := seal.Prepare(inv)
		if err != nil {
			w.t.Fatal(err)
		}
		sealed, err := unsigned.Stamp(w.device.Key, w.device.Certificate, opening)
		if err != nil {
			w.t.Fatal(err)
		}
		s.Document, s.Hash, s.UUID = sealed.XML, sealed.Hash, inv.UUID.String()
	}
}

// rehashed sets the hash in the request to that of the changed document.
func rehashed(w *fixture, s *judge.Submission) {
	hash, err := witness.Hash(s.Document)
	if err != nil {
		w.t.Fatal(err)
	}
	s.Hash = hash
}

// tag replaces one value of the QR code.
func tag(number int, to string) change {
	return code(func(fields []string) []string {
		fields[number-1] = to
		return fields
	})
}

// code changes the values of the QR code.
func code(edit func(fields []string) []string) change {
	return func(w *fixture, s *judge.Submission) {
		report, err := witness.Verify(s.Document, witness.Expect{})
		if err != nil {
			w.t.Fatal(err)
		}
		var fields []string
		for _, f := range report.QR {
			fields = append(fields, string(f.Value))
		}
		var raw []byte
		for i, f := range edit(fields) {
			raw = append(append(raw, byte(i+1), byte(len(f))), f...)
		}
		w.setCode(s, base64.StdEncoding.EncodeToString(raw))
	}
}

// codeText replaces the text of the QR code.
func codeText(to string) change {
	return func(w *fixture, s *judge.Submission) { w.setCode(s, to) }
}

func (w *fixture) setCode(s *judge.Submission, to string) {
	at := bytes.Index(s.Document, []byte("<cbc:ID>QR<"))
	from, end := w.inside(s.Document[at:], "cbc:EmbeddedDocumentBinaryObject")
	s.Document = slices.Concat(s.Document[:at+from], []byte(to), s.Document[at+end:])
}

// all applies several changes.
func all(changes ...change) change {
	return func(w *fixture, s *judge.Submission) {
		for _, c := range changes {
			c(w, s)
		}
	}
}

// codesOf returns the status and codes of a verdict: errors first, then
// warnings with a question mark.
func codesOf(v judge.Verdict) string {
	words := []string{v.Status()}
	for _, m := range v.Errors {
		words = append(words, m.Code)
	}
	for _, m := range v.Warnings {
		words = append(words, m.Code+"?")
	}
	return strings.Join(words, " ")
}
