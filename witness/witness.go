// Package witness judges a finished invoice document: its hash, its stamp, its
// certificate and its QR code, by its own reading of the bytes.
//
// It is the second opinion on what the writer and the signer of this product
// made, so it shares nothing with them: it imports no other package of the
// product, canonicalises with a library over the parsed document, and reads
// TLV and certificates itself. It knows no tax rule, no clock and no chain of
// trust; whoever trusts an issuer asks [Certificate.SignedBy].
//
// The authority's stamp covers only the invoice hash. Whatever the hash leaves
// out (the extensions, the signature reference, the QR reference) is therefore
// held to one exact shape, and nothing with those names may hide elsewhere. Nor
// does the hash see comments and the borders of CDATA sections: between elements
// they are let be, inside a text they are refused.
//
// A simplified document is stamped by the seller's own device. Its certificate
// must name the seller and hold at the time of signing.
package witness

import (
	"encoding/base64"
	"strings"

	"github.com/beevik/etree"
)

// Expect is what the caller knows about the document beforehand.
type Expect struct {
	PreviousHash string // when not "", the text the PIH must have
	RequireStamp bool   // refuse an unstamped standard document; a simplified one is always refused
	Certificate  []byte // when not nil, the DER certificate the stamp must carry
}

// Report is what was read and what is wrong with it. Texts are as they stand
// in the document, "" where absent.
type Report struct {
	Hash string // base64 of the recomputed invoice hash

	Number       string
	UUID         string
	IssueDate    string
	IssueTime    string
	TypeCode     string // 388, 381, 383, 386
	Transaction  string // the name attribute of the type code, as 0200000
	Counter      string
	PreviousHash string
	SellerName   string
	SellerVAT    string
	Payable      string
	VATTotal     string // of the first TaxTotal

	Stamped     bool // the document carries a stamp, good or bad
	SigningTime string
	Signature   string       // the text of ds:SignatureValue
	Certificate *Certificate // nil when there is none that can be read
	QR          []Field
	QRText      string // the code as it is printed

	Findings []Finding // empty when the document is verified
}

// Simplified says whether the transaction code is that of a simplified
// document. A code that is neither 01… nor 02… counts as simplified, which
// demands the most.
func (r *Report) Simplified() bool { return !strings.HasPrefix(r.Transaction, "01") }

// Finding is one fault. ID is stable and never begins with BR-.
type Finding struct {
	ID      string
	Path    string // as /Invoice/cac:Signature/cbc:ID
	Message string
	Want    string
	Got     string
}

// Verify judges one invoice. The error is an [*Unreadable] and says that the
// bytes are no document to judge; every other fault is a [Finding].
func Verify(document []byte, expect Expect) (*Report, error) {
	root, err := read(document)
	if err != nil {
		return nil, err
	}
	j := &judge{root: root, expect: expect, report: &Report{}}
	j.place()
	j.pieces(root)
	j.fields()
	j.chain()
	hash, err := invoiceHash(root, j.outside)
	if err != nil {
		return nil, err
	}
	j.hash = hash
	j.report.Hash = base64.StdEncoding.EncodeToString(hash)
	j.stamp()
	j.code()
	return j.report, nil
}

// Hash is the invoice hash of a document, stamped or not, in base64.
func Hash(document []byte) (string, error) {
	root, err := read(document)
	if err != nil {
		return "", err
	}
	hash, err := invoiceHash(root, unhashed(root))
	if err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(hash), nil
}

// judge holds one document while it is looked at.
type judge struct {
	root    *etree.Element
	expect  Expect
	report  *Report
	outside []*etree.Element // what the hash leaves out, direct children of the root
	parts   parts
	hash    []byte
}

// parts are the places the checks start from; nil where absent.
type parts struct {
	extensions *etree.Element
	signature  *etree.Element // cac:Signature
	qr         *etree.Element
	counter    *etree.Element
	previous   *etree.Element
}

// maxFindings keeps a hostile document from growing the report without end.
const maxFindings = 100

// spot is a place in the document: an element, and what is meant below it.
type spot struct {
	el    *etree.Element
	below string
}

func at(el *etree.Element, below string) spot { return spot{el, below} }

func (j *judge) find(id string, where spot, message, want, got string) {
	found := &j.report.Findings
	switch {
	case len(*found) < maxFindings:
		// Only here, since a path costs a walk over all siblings.
		path := pathOf(where.el) + where.below
		*found = append(*found, Finding{id, path, message, clip(want), clip(got)})
	case len(*found) == maxFindings:
		*found = append(*found, Finding{ID: "more-findings", Path: "/Invoice", Message: "there are more faults than are listed"})
	}
}

// same reports a difference between what must stand somewhere and what does.
func (j *judge) same(id string, where spot, message, want, got string) {
	if want != got {
		j.find(id, where, message, want, got)
	}
}

// clip shortens a text for a report, at a character's border.
func clip(text string) string {
	const most = 2000
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
