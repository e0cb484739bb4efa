package witness

import (
	"encoding/base64"
	"fmt"
	"unicode/utf8"
)

// Field is one tag of the QR code with its bytes.
type Field struct {
	Tag   int
	Value []byte
}

// Limits of a QR code: the authority refuses a value of 128 bytes or more, and a
// code of more than 1000 characters.
const (
	maxField = 127
	maxCode  = 1000
)

// code checks the QR reference, if it exists or is required.
func (j *judge) code() {
	if j.parts.qr == nil {
		if j.needsStamp() {
			j.find("qr-missing", at(j.root, "/cac:AdditionalDocumentReference"), "the document has no QR code", "", "")
		}
		return
	}
	found := slots{}
	j.fit("qr", j.parts.qr, qrShape(), found)
	if found[slotQR] == nil || found.text(slotQR) == "" {
		return
	}
	text, where := found.text(slotQR), found.at(slotQR)
	if len(text) > maxCode {
		j.find("qr-format", where, fmt.Sprintf("the code has more than %d characters", maxCode), "", text)
	}
	raw, err := strictBase64(text)
	if err != nil {
		j.find("qr-format", where, "the code is not base64 on one line: "+err.Error(), "", text)
		return
	}
	j.report.QRText = text
	j.report.QR, err = readFields(raw)
	if err != nil {
		j.find("qr-format", where, err.Error(), "", text)
	}
	want := j.expected()
	if err != nil {
		want = want[:min(len(want), len(j.report.QR))] // only the tags that could be read
	}
	j.compare(where, want)
}

// readFields parses fields of a tag, a length and a value until the end. The
// tags must be 1, 2, 3 …
func readFields(raw []byte) ([]Field, error) {
	var fields []Field
	for len(raw) > 0 {
		want := len(fields) + 1
		switch {
		case len(raw) < 2:
			return fields, fmt.Errorf("the code ends inside tag %d", want)
		case int(raw[0]) != want:
			return fields, fmt.Errorf("found tag %d, want tag %d", raw[0], want)
		case raw[1] > maxField:
			return fields, fmt.Errorf("tag %d has a length byte of %d, more than %d", want, raw[1], maxField)
		case len(raw) < 2+int(raw[1]):
			return fields, fmt.Errorf("the code ends inside tag %d", want)
		}
		end := 2 + int(raw[1])
		fields = append(fields, Field{want, raw[2:end:end]})
		raw = raw[end:]
	}
	return fields, nil
}

// expected is the required value of one tag.
type expected struct {
	id      string
	meaning string
	value   []byte // nil if it is unknown
	binary  bool
}

// compare compares the code with the document, tag by tag.
func (j *judge) compare(where spot, want []expected) {
	got := j.report.QR
	for i, e := range want {
		if i >= len(got) {
			j.find(e.id, where, fmt.Sprintf("tag %d, %s, is missing", i+1, e.meaning), show(e.value, e.binary), "")
			continue
		}
		if e.value != nil && string(e.value) != string(got[i].Value) {
			j.find(e.id, where, fmt.Sprintf("tag %d is not %s", i+1, e.meaning), show(e.value, e.binary), show(got[i].Value, e.binary))
		}
	}
	if len(got) > len(want) {
		j.find("qr-format", where, fmt.Sprintf("tag %d does not belong in this code", len(want)+1), "", show(got[len(want)].Value, true))
	}
}

func (j *judge) expected() []expected {
	r := j.report
	want := []expected{
		{"qr-seller-name", "the seller's name", []byte(r.SellerName), false},
		{"qr-vat-number", "the seller's VAT number", []byte(r.SellerVAT), false},
		{"qr-time", "the time of issue", []byte(r.IssueDate + "T" + r.IssueTime), false},
		{"qr-total", "the payable amount", []byte(r.Payable), false},
		{"qr-vat-total", "the first VAT total", []byte(r.VATTotal), false},
		{"qr-hash", "the invoice hash", []byte(r.Hash), false},
		{"qr-signature", "the signature", []byte(r.Signature), false},
		{"qr-public-key", "the certificate's public key", nil, true},
	}
	if r.Certificate != nil {
		want[7].value = r.Certificate.PublicKey
	}
	// The ninth tag is for simplified documents. Some clients write it on all
	// documents, and then it must be correct as well.
	if !r.Simplified() && len(r.QR) < 9 {
		return want
	}
	last := expected{"qr-certificate-signature", "the issuer's signature of the certificate", nil, true}
	if r.Certificate != nil {
		last.value = r.Certificate.Signature
	}
	return append(want, last)
}

// show formats a value for a report: as text, or as base64 if it is not text.
func show(value []byte, binary bool) string {
	if binary || !utf8.Valid(value) {
		return base64.StdEncoding.EncodeToString(value)
	}
	return string(value)
}
