// Package judge validates a submitted document as the tax authority does: it
// checks the schema, the request's claims about the document, the business
// rules, the QR code and the stamp. Its findings have the codes, categories and
// texts of the real authority, in English or Arabic.
//
// It uses packages rules and witness and shares no code with the packages that
// write and sign Khatm's documents. It knows nothing about HTTP, other
// documents or the chain, and reads no clock: the same submission at the same
// time always gets the same verdict. Duplicates and the order of counters and
// hashes are checked elsewhere.
package judge

import (
	"time"

	"khatm/rules"
	"khatm/ubl"
	"khatm/witness"
)

// Endpoint is the operation to which a document was sent.
type Endpoint string

// The endpoints. Compliance accepts both kinds of documents, reporting
// simplified and clearance standard ones.
const (
	Compliance Endpoint = "compliance"
	Reporting  Endpoint = "reporting"
	Clearance  Endpoint = "clearance"
)

// Submission is one document, the claims of its request, and the sender's
// credential.
type Submission struct {
	Document []byte // in UTF-8, see Decoded
	UUID     string // from the request body
	Hash     string // from the request body, base64
	Endpoint Endpoint

	Certificate []byte   // certificate of the credential, DER; nil accepts any stamp
	VATNumber   string   // VAT number of the credential; "" accepts any seller
	Issuers     [][]byte // certificates of the issuers of device certificates, DER; empty accepts any issuer

	ClearanceOff bool   // reporting accepts standard documents too
	Language     string // "ar" for Arabic; anything else is English
}

// Decoded returns a document in UTF-8, converted from any encoding that the
// authority reads. It returns a document that cannot be converted unchanged;
// Judge refuses it.
func Decoded(document []byte) []byte {
	converted, err := ubl.ToUTF8(document)
	if err != nil {
		return document
	}
	return converted
}

// Judge validates documents. The zero value is strict and makes all checks.
type Judge struct {
	// Lax makes only the checks that the real authority is known to make: it
	// does not verify the signature or the form of the stamp, and ignores stamp
	// and QR code of a standard document.
	Lax bool
}

// Judge validates one document as of now.
func (j Judge) Judge(s Submission, now time.Time) Verdict {
	ev := &evaluation{lax: j.Lax, submission: s, verdict: newVerdict()}
	if !ev.readable() {
		return ev.verdict
	}
	ev.say(&xsdValid, why{})
	ev.body()
	ev.rulebook(now)
	ev.seals()
	return ev.verdict
}

// evaluation is the state of one validation.
type evaluation struct {
	lax        bool
	submission Submission
	root       *ubl.Node
	invoice    *ubl.Invoice
	verdict    Verdict
}

// readable reports whether the document can be parsed and matches the schema.
// If not, it adds the error.
func (ev *evaluation) readable() bool {
	document := ev.submission.Document
	root, err := ubl.Parse(document)
	if err != nil {
		ev.unreadable(placeOf(err, document))
		return false
	}
	ev.root = root
	ev.verdict.describe(root)
	if found := rules.Schema(root); len(found) > 0 {
		ev.departs(departure(root, &found[0]), &found[0])
		if root.Name != "Invoice" {
			// As the real authority does for anything but an invoice.
			ev.say(&invalidCertificate, why{"the document is not an invoice: its root element is " + shown(root.Name), "invoice", "Send an Invoice of UBL 2.1."})
		}
		return false
	}
	if ev.invoice, err = ubl.Bind(root); err != nil {
		ev.unreadable(placeOf(err, document))
		return false
	}
	report, err := witness.Verify(document, witness.Expect{Certificate: ev.submission.Certificate})
	if err != nil {
		ev.unreadable(placeOf(err, document))
		return false
	}
	ev.verdict.Report, ev.verdict.Hash = report, report.Hash
	return true
}

// body compares the claims of the request with the document.
func (ev *evaluation) body() {
	v, s := &ev.verdict, &ev.submission
	const kind = "/Invoice/cbc:InvoiceTypeCode/@name"
	switch {
	case s.Endpoint == Reporting && !v.Simplified && !(v.Standard && s.ClearanceOff):
		ev.say(&notSimplified, why{"the document is not simplified: its transaction code is " + shown(v.Transaction), kind,
			"Send standard documents to /invoices/clearance/single, and begin the transaction code of simplified ones with 02."})
	case s.Endpoint == Clearance && !v.Standard:
		ev.say(&notStandard, why{"the document is not standard: its transaction code is " + shown(v.Transaction), kind,
			"Send simplified documents to /invoices/reporting/single, and begin the transaction code of standard ones with 01."})
	}
	if v.UUID == "" || s.UUID != v.UUID {
		ev.say(&otherUUID, why{"uuid of the request" + comparison(s.UUID, v.UUID), "uuid", "Send the cbc:UUID of the document in the field uuid."})
	}
	if s.Hash != v.Hash {
		ev.say(&otherHash, why{"invoiceHash of the request" + comparison(s.Hash, v.Hash), "invoiceHash",
			"Send the base64 of the SHA-256 of the canonical document (C14N 1.1) without UBLExtensions, cac:Signature and the QR reference, computed over exactly the bytes that are sent."})
	}
}

// say adds an entry of the catalogue to the verdict, and why.
func (ev *evaluation) say(e *entry, w why) {
	ev.verdict.add(e.severity, e.code, e.category, e.says.In(ev.submission.Language))
	if kind, explained := kindOf(e.severity); explained {
		ev.verdict.explain(kind, e.code, w)
	}
}
