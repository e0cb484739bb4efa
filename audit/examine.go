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

// examined is what the bytes of one document came to, without looking at any
// other.
type examined struct {
	readable bool
	hash     string // recomputed
	previous string // as the bytes have it
	body     [32]byte
	faults   []Fault
}

// examination is one document while it is looked at.
type examination struct {
	options *Options
	unit    *unit
	d       *Document
	examined
}

// examine judges one document by itself. It is called by many goroutines.
func (w *walk) examine(u *unit, d *Document) examined {
	x := &examination{options: &w.options, unit: u, d: d}
	if report := x.checkDocument(); x.readable {
		x.checkValidity(report.Certificate)
	}
	if d.Damage != "" {
		x.find(DocumentsVerify, "its stored copy is damaged, %s does not match its digest", d.Damage)
	}
	x.checkAttempts()
	x.checkAge()
	if w.options.SubmissionBody != nil {
		x.body = sha256.Sum256(w.options.SubmissionBody(d.ID, d.Hash, d.XML))
	}
	return x.examined
}

// checkDocument judges what is kept of the document, without the attempts to
// send it.
func (x *examination) checkDocument() *witness.Report {
	report, err := witness.Verify(x.d.XML, witness.Expect{RequireStamp: true})
	if err != nil {
		x.find(DocumentsVerify, "its stored bytes are no document: %v", err)
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

// Check judges one document of a device by itself: its bytes, stamps and QR
// codes, and that its row says the same. Whether it was issued and sent as it
// should is not judged.
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

// checkBytes takes over what the witness found.
func (x *examination) checkBytes(r *witness.Report) {
	if len(r.Findings) > 0 {
		x.find(DocumentsVerify, "its stored bytes do not verify: %s", findings(r.Findings))
	}
}

// findings puts the first findings into a sentence.
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

// checkRow holds the row against the bytes.
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
			x.find(c.i, "the row says that its %s is %q, its bytes say %q", c.what, clipHash(c.row), clipHash(c.bytes))
		}
	}
}

// codeText writes the fields of a QR code as the code has them.
func codeText(fields []witness.Field) string {
	var b []byte
	for _, f := range fields {
		b = append(b, byte(f.Tag), byte(len(f.Value)))
		b = append(b, f.Value...)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// checkCertificate says whether the stamp is by a certificate of the device.
func (x *examination) checkCertificate(r *witness.Report) {
	c := r.Certificate
	if c == nil {
		return // the witness has said so
	}
	if !x.isOurs(c) {
		x.find(DocumentsVerify, "its stamp is by a certificate that the device does not have (%s, serial number %s)", clipHash(c.CommonName), c.Serial)
	}
	if r.SellerVAT != c.VATNumber {
		x.find(DocumentsVerify, "its seller has the VAT number %q and its certificate %q", clipHash(r.SellerVAT), clipHash(c.VATNumber))
	}
}

// checkValidity says whether a document was issued while its certificate was
// valid.
func (x *examination) checkValidity(c *witness.Certificate) {
	if c == nil {
		return // the witness has said so
	}
	// A certificate says its times in whole seconds.
	if at := x.d.IssuedAt.Truncate(time.Second); at.Before(c.NotBefore.Truncate(time.Second)) || at.After(c.NotAfter) {
		x.find(DocumentsVerify, "it was issued at %s, and its certificate is valid from %s to %s", stamp(x.d.IssuedAt), stamp(c.NotBefore), stamp(c.NotAfter))
	}
}

// isOurs says whether a certificate is one of the device's. Where those from
// before a renewal are gone, the certificate's own words must do.
func (x *examination) isOurs(c *witness.Certificate) bool {
	return slices.ContainsFunc(x.unit.certificates, func(ours *witness.Certificate) bool {
		return bytes.Equal(ours.Raw, c.Raw) ||
			x.unit.Partial && c.NotBefore.Before(ours.NotBefore) && c.VATNumber == ours.VATNumber && c.DeviceSerial == ours.DeviceSerial
	})
}
