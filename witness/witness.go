// Package witness verifies a finished invoice document: its hash, stamp,
// certificate and QR code.
//
// It is a second implementation, independent of the code in this module that
// writes and signs documents: it imports no other package of the module,
// canonicalises with a library over the parsed document, and decodes TLV and
// certificates itself. It checks no tax rules, no clock and no chain of trust;
// use [Certificate.SignedBy] to check the issuer of a certificate.
//
// The authority's stamp covers only the invoice hash. The parts outside the hash
// (the extensions, the signature reference, the QR reference) must therefore
// have one exact structure, and no element with those names may occur elsewhere.
// The hash also ignores comments and the boundaries of CDATA sections: they are
// accepted between elements and reported inside a text. Processing instructions
// are hashed, and reported anywhere.
//
// The report contains every departure from that structure. Which of them the
// authority refuses is decided by the caller.
//
// A simplified document is stamped by the seller's own device. Its certificate
// must name the seller and be valid at the time of signing.
package witness

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// Expect contains what the caller knows about the document in advance.
type Expect struct {
	PreviousHash string // if not "", the required text of the PIH
	RequireStamp bool   // refuse an unstamped standard document; unstamped simplified documents are always refused
	Certificate  []byte // if not nil, the DER certificate that the stamp must contain
}

// Report contains the values read from a document and the faults found. Texts
// are verbatim, and "" if absent.
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

	Stamped     bool // the document has a stamp, valid or not
	SigningTime string
	Signature   string       // the text of ds:SignatureValue
	Certificate *Certificate // nil if it is absent or cannot be read
	QR          []Field
	QRText      string // base64, as printed

	Findings []Finding // empty if the document is verified
}

// Simplified reports whether the transaction code is that of a simplified
// document. A code that is neither 01… nor 02… counts as simplified, because
// those requirements are the strictest.
func (r *Report) Simplified() bool { return !strings.HasPrefix(r.Transaction, "01") }

// Finding is a fault. ID is stable and never begins with BR-.
type Finding struct {
	ID      string
	Path    string // such as /Invoice/cac:Signature/cbc:ID
	Message string
	Want    string
	Got     string
}

// Verify verifies an invoice. It returns an [*Unreadable] if the bytes cannot be
// read as a document; every other fault is a [Finding].
func Verify(document []byte, expect Expect) (*Report, error) {
	root, broken, err := read(document)
	if err != nil {
		return nil, err
	}
	j := &judge{root: root, expect: expect, report: &Report{}}
	j.place()
	j.pieces(root)
	j.instructions()
	if broken {
		j.find("attribute-break", at(root, ""), "an attribute value contains a line break or a tab, so readers may see different values", "", "")
	}
	j.fields()
	j.chain()
	hash, err := invoiceHash(root, unhashed(root))
	if err != nil {
		return nil, err
	}
	j.hash = hash
	j.report.Hash = base64.StdEncoding.EncodeToString(hash)
	j.stamp()
	j.code()
	return j.report, nil
}

// Hash returns the invoice hash of a document, stamped or not, in base64.
func Hash(document []byte) (string, error) {
	root, _, err := read(document)
	if err != nil {
		return "", err
	}
	hash, err := invoiceHash(root, unhashed(root))
	if err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(hash), nil
}

// judge is the state of verifying one document.
type judge struct {
	root   *etree.Element
	expect Expect
	report *Report
	parts  parts
	hash   []byte
	more   bool // whether findings were left out of the report
}

// parts are the elements that the checks start from; nil if absent.
type parts struct {
	extensions *etree.Element
	signature  *etree.Element // cac:Signature
	qr         *etree.Element
	counter    *etree.Element
	previous   *etree.Element
}

// maxFindings limits the size of the report for a hostile document. The first
// finding of each id is listed even beyond it, so that many harmless findings
// cannot hide a serious one.
const maxFindings = 100

// spot is a place in the document: an element and a path below it.
type spot struct {
	el    *etree.Element
	below string
}

func at(el *etree.Element, below string) spot { return spot{el, below} }

func (j *judge) find(id string, where spot, message, want, got string) {
	found := &j.report.Findings
	first := !slices.ContainsFunc(*found, func(f Finding) bool { return f.ID == id })
	switch {
	case len(*found) < maxFindings || first:
		// Only here, because computing a path scans all siblings.
		path := pathOf(where.el) + where.below
		*found = append(*found, Finding{id, path, message, clip(want), clip(got)})
	case !j.more:
		j.more = true
		*found = append(*found, Finding{ID: "more-findings", Path: "/Invoice", Message: "there are more findings than are listed"})
	}
}

// same reports a finding if want and got differ.
func (j *judge) same(id string, where spot, message, want, got string) {
	if want != got {
		j.find(id, where, message, want, got)
	}
}

// clip shortens a text for a report without cutting a character.
func clip(text string) string {
	const most = 2000
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
