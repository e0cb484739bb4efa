package qr

import (
	"encoding/base64"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Content is what the authority wants to find in the code of an invoice.
type Content struct {
	SellerName string // tag 1, the registration name as in the document
	VATNumber  string // tag 2
	Timestamp  string // tag 3, IssueDate + "T" + IssueTime, byte for byte
	Total      string // tag 4, text of the payable amount
	VATTotal   string // tag 5, text of the first tax total

	Hash      string // tag 6, base64 text of the invoice hash
	Signature string // tag 7, base64 text of the stamp's signature
	PublicKey []byte // tag 8, SubjectPublicKeyInfo in DER

	// CertificateSignature is tag 9, the signature of the authority on the
	// certificate, in DER. Only simplified documents carry it.
	CertificateSignature []byte
}

// maxValue is the longest value the authority reads. The format's length byte
// would allow 255, but the live validator takes it for a signed one.
const maxValue = 127

// maxCode is the longest text the authority takes (BR-CL-KSA-14).
const maxCode = 1000

// Encode returns the base64 text of the content. A content without Hash,
// Signature and PublicKey is a code of the first phase, which ends with tag 5.
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

// slot is one tag of a content under the name a person knows it by.
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

// Read decodes a code and sorts its fields by tag; fields with tags that the
// authority does not define come back as they are. A tag that is missing
// leaves its part of the content empty, and values beyond Encode's limit are
// read: a code is shown as it was found. A tag that occurs twice is refused,
// because readers would disagree about which one counts.
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

// set puts the field into its place and reports whether it has one.
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
