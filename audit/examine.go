package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"khatm/witness"
)

// examined is the result of checking one document without the others.
type examined struct {
	readable bool
	hash     string // recomputed
	previous string // from the bytes
	body     [32]byte
	faults   []Fault
}

// examination is the state of checking one document.
type examination struct {
	options *Options
	unit    *unit
	d       *Document
	examined
}

// examine checks one document by itself. It is called concurrently.
func (w *walk) examine(u *unit, d *Document) examined {
	x := &examination{options: &w.options, unit: u, d: d}
	if report := x.checkDocument(); x.readable {
		x.checkValidity(report.Certificate)
	}
	if d.Damage != "" {
		x.find(DocumentsVerify, "its stored copy is damaged: %s does not match its digest", d.Damage)
	}
	x.checkAttempts()
	x.checkAge()
	if w.options.SubmissionBody != nil {
		x.body = sha256.Sum256(w.options.SubmissionBody(d.ID, d.Hash, d.XML))
	}
	return x.examined
}

// checkDocument checks the stored document, without the attempts to send it. It
// returns the report of package witness, or nil if the bytes cannot be read.
func (x *examination) checkDocument() *witness.Report {
	report, err := witness.Verify(x.d.XML, witness.Expect{RequireStamp: true})
	if err != nil {
		x.find(DocumentsVerify, "its stored bytes cannot be read: %v", err)
	} else {
		x.readable, x.hash, x.previous = true, report.Hash, report.PreviousHash
		x.checkBytes(report)
		x.checkRow(report)
		x.checkCertificate(report)
	}
	x.checkCleared(report)
	x.checkStatus()
	return report
}

// Check checks one document of a device by itself: its bytes, stamps and QR
// codes, and that its row agrees with them. It does not check whether the
// document was issued and sent correctly.
func Check(of Device, d Document) []Fault {
	u := &unit{Device: of}
	for _, der := range of.Certificates {
		if c, err := witness.ReadCertificate(der); err == nil {
			u.certificates = append(u.certificates, c)
		}
	}
	x := &examination{options: &Options{}, unit: u, d: &d}
	x.checkDocument()
	return x.faults
}

func (x *examination) find(i Invariant, format string, args ...any) {
	x.faults = append(x.faults, Fault{
		Invariant: i, Organisation: x.unit.Organisation, Device: x.unit.ID, Document: x.d.ID, Counter: x.d.Counter,
		Text: fmt.Sprintf(format, args...),
	})
}

// checkBytes records the findings of package witness.
func (x *examination) checkBytes(r *witness.Report) {
	if len(r.Findings) > 0 {
		x.find(DocumentsVerify, "its stored bytes do not verify: %s", findings(r.Findings))
	}
}

// findings joins the first three findings into one text.
func findings(all []witness.Finding) string {
	const most = 3
	var texts []string
	for _, f := range all[:min(len(all), most)] {
		texts = append(texts, fmt.Sprintf("%s (%s)", f.Message, f.ID))
	}
	if more := len(all) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}

// checkRow compares the row with the bytes.
func (x *examination) checkRow(r *witness.Report) {
	d := x.d
	local := d.IssuedAt.In(time.FixedZone("Riyadh", 3*60*60))
	for _, c := range []struct {
		i                Invariant
		what, row, bytes string
	}{
		{DocumentsVerify, "uuid", d.ID.String(), strings.ToLower(r.UUID)},
		{CountersRun, "counter", strconv.FormatInt(d.Counter, 10), r.Counter},
		{ChainHolds, "previous hash", d.PreviousHash, r.PreviousHash},
		{DocumentsVerify, "hash", d.Hash, r.Hash},
		{DocumentsVerify, "number", d.Number, r.Number},
		{DocumentsVerify, "type", strconv.Itoa(d.TypeCode), r.TypeCode},
		{DocumentsVerify, "transaction code", d.Transaction, r.Transaction},
		{DocumentsVerify, "date of issue", d.IssueDate, r.IssueDate},
		{DocumentsVerify, "time of issue", d.IssueTime, r.IssueTime},
		{DocumentsVerify, "instant of issue", local.Format(time.DateOnly + " " + time.TimeOnly), r.IssueDate + " " + r.IssueTime},
		{DocumentsVerify, "QR code", d.QR, codeText(r.QR)},
	} {
		if c.row != c.bytes {
			x.find(c.i, "its %s is %q according to its row, but %q according to its bytes", c.what, clipHash(c.row), clipHash(c.bytes))
		}
	}
}

// codeText encodes the fields of a QR code.
func codeText(fields []witness.Field) string {
	var b []byte
	for _, f := range fields {
		b = append(b, byte(f.Tag), byte(len(f.Value)))
		b = append(b, f.Value...)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// checkCertificate checks that the stamp was made with a certificate of the
// device.
func (x *examination) checkCertificate(r *witness.Report) {
	c := r.Certificate
	if c == nil {
		return // reported by witness
	}
	if !x.isOurs(c) {
		x.find(DocumentsVerify, "its stamp was made with a certificate that does not belong to the device (%s, serial number %s)", clipHash(c.CommonName), c.Serial)
	}
	if r.SellerVAT != c.VATNumber {
		x.find(DocumentsVerify, "the VAT number of its seller is %q, but that of its certificate is %q", clipHash(r.SellerVAT), clipHash(c.VATNumber))
	}
}

// checkValidity checks that the certificate was valid when the document was
// issued.
func (x *examination) checkValidity(c *witness.Certificate) {
	if c == nil {
		return // reported by witness
	}
	// The times in a certificate are whole seconds.
	if at := x.d.IssuedAt.Truncate(time.Second); at.Before(c.NotBefore.Truncate(time.Second)) || at.After(c.NotAfter) {
		x.find(DocumentsVerify, "it was issued at %s, but its certificate is valid from %s to %s", stamp(x.d.IssuedAt), stamp(c.NotBefore), stamp(c.NotAfter))
	}
}

// isOurs reports whether a certificate belongs to the device. If certificates
// from before a renewal are missing, an older certificate with the same VAT
// number and device serial counts too.
func (x *examination) isOurs(c *witness.Certificate) bool {
	return slices.ContainsFunc(x.unit.certificates, func(ours *witness.Certificate) bool {
		return bytes.Equal(ours.Raw, c.Raw) ||
			x.unit.Partial && c.NotBefore.Before(ours.NotBefore) && c.VATNumber == ours.VATNumber && c.DeviceSerial == ours.DeviceSerial
	})
}
