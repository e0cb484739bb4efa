package qr

import (
	"encoding/base64"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Content holds the fields that the tax authority requires in the QR code of an
// invoice.
type Content struct {
	SellerName string // tag 1, the registered name as in the document
	VATNumber  string // tag 2, the seller's VAT number
	Timestamp  string // tag 3, IssueDate + "T" + IssueTime, byte for byte
	Total      string // tag 4, the payable amount as text
	VATTotal   string // tag 5, the first tax total as text

	Hash      string // tag 6, the invoice hash in base64
	Signature string // tag 7, the signature of the stamp in base64
	PublicKey []byte // tag 8, SubjectPublicKeyInfo in DER

	// CertificateSignature is tag 9, the authority's signature on the
	// certificate, in DER. Only simplified documents have it.
	CertificateSignature []byte
}

// maxValue is the longest value in bytes. The length byte could express 255, but
// the authority's validator reads it as signed.
const maxValue = 127

// maxCode is the maximum length of the base64 text (BR-CL-KSA-14).
const maxCode = 1000

// Encode returns the base64 text of the code. Tags 1 to 5 are required. Hash,
// Signature and PublicKey must be given together; without them the result is a
// code of phase one, which ends with tag 5.
func (c Content) Encode() (string, error) {
	if err := c.check(); err != nil {
		return "", err
	}
	var tlv []byte
	for _, s := range c.slots() {
		if len(s.value) == 0 {
			continue
		}
		tlv = append(tlv, s.tag, byte(len(s.value)))
		tlv = append(tlv, s.value...)
	}
	if length := base64.StdEncoding.EncodedLen(len(tlv)); length > maxCode {
		return "", fmt.Errorf("the code has %d characters, and at most %d are allowed (BR-CL-KSA-14)", length, maxCode)
	}
	return base64.StdEncoding.EncodeToString(tlv), nil
}

// slot is one field of a Content with its name for error messages.
type slot struct {
	tag   byte
	name  string
	text  bool
	value []byte
}

func (c Content) slots() []slot {
	return []slot{
		{1, "seller name", true, []byte(c.SellerName)},
		{2, "VAT number", true, []byte(c.VATNumber)},
		{3, "timestamp", true, []byte(c.Timestamp)},
		{4, "total", true, []byte(c.Total)},
		{5, "VAT total", true, []byte(c.VATTotal)},
		{6, "hash", true, []byte(c.Hash)},
		{7, "signature", true, []byte(c.Signature)},
		{8, "public key", false, c.PublicKey},
		{9, "certificate signature", false, c.CertificateSignature},
	}
}

func (c Content) check() error {
	stamped := c.Hash != "" || c.Signature != "" || len(c.PublicKey) > 0 || len(c.CertificateSignature) > 0
	var problems []error
	for _, s := range c.slots() {
		mandatory := s.tag <= 5 || stamped && s.tag <= 8
		if text := s.problem(mandatory); text != "" {
			problems = append(problems, fmt.Errorf("%s (tag %d) %s", s.name, s.tag, text))
		}
	}
	return errors.Join(problems...)
}

// problem describes what is wrong with the value, or returns "".
func (s slot) problem(mandatory bool) string {
	switch {
	case mandatory && len(s.value) == 0:
		return "is empty"
	case len(s.value) > maxValue:
		return fmt.Sprintf("has %d bytes, and at most %d are allowed", len(s.value), maxValue)
	case s.text && !utf8.Valid(s.value):
		return "is not valid UTF-8"
	}
	return ""
}

// Read decodes a code into a Content. It also returns the fields whose tags the
// authority does not define. Codes need not be valid: the field of a missing tag
// stays empty, and values may exceed the limits of [Content.Encode]. A duplicate
// tag is an error, because readers could disagree about which one counts.
func Read(text string) (Content, []Field, error) {
	fields, err := Decode(text)
	if err != nil {
		return Content{}, nil, err
	}
	var c Content
	var unknown []Field
	var seen [256]bool
	for _, f := range fields {
		if seen[f.Tag] {
			return Content{}, nil, fmt.Errorf("tag %d occurs twice", f.Tag)
		}
		seen[f.Tag] = true
		if !c.set(f) {
			unknown = append(unknown, f)
		}
	}
	for _, s := range c.slots() {
		if s.text && !utf8.Valid(s.value) {
			return Content{}, nil, fmt.Errorf("%s (tag %d) is not valid UTF-8", s.name, s.tag)
		}
	}
	return c, unknown, nil
}

// set stores the field and reports whether its tag is known.
func (c *Content) set(f Field) bool {
	switch f.Tag {
	case 1:
		c.SellerName = string(f.Value)
	case 2:
		c.VATNumber = string(f.Value)
	case 3:
		c.Timestamp = string(f.Value)
	case 4:
		c.Total = string(f.Value)
	case 5:
		c.VATTotal = string(f.Value)
	case 6:
		c.Hash = string(f.Value)
	case 7:
		c.Signature = string(f.Value)
	case 8:
		c.PublicKey = f.Value
	case 9:
		c.CertificateSignature = f.Value
	default:
		return false
	}
	return true
}
