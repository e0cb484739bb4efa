// Package judge is the judgement of the simulator over one submitted
// document: the schema, what the request says of the document, the rulebook,
// the QR code and the stamp, with the codes, categories and texts that the real
// authority answers, in English or Arabic.
//
// It judges by the rulebook and by the witness, and knows nothing of the code
// that writes and signs the product's documents. It knows no HTTP, no clock, no
// other document and no chain: the same submission at the same time always has
// the same verdict. Whether a document was sent before, and whether counters
// and hashes follow each other, is asked elsewhere and never refused here.
package judge

import (
	"time"

	"khatm/rules"
	"khatm/ubl"
	"khatm/witness"
)

// Endpoint is where a document was sent.
type Endpoint string

// The endpoints. The first takes both sorts of document, reporting takes
// simplified ones and clearance standard ones.
const (
	Compliance Endpoint = "compliance"
	Reporting  Endpoint = "reporting"
	Clearance  Endpoint = "clearance"
)

// Submission is one document, what the request says of it, and who sent it.
type Submission struct {
	Document []byte
	UUID     string // of the JSON body
	Hash     string // of the JSON body, base64
	Endpoint Endpoint

	Certificate []byte   // DER, of the credential; nil: whoever stamped is right
	VATNumber   string   // of the credential; "": any seller is right
	Issuers     [][]byte // DER certificates of those who issue to devices; none: any issuer is right

	ClearanceOff bool   // clearance is switched off, so that reporting takes standard documents too
	Language     string // "ar"; anything else is English
}

// Judge judges documents. The zero value is strict: it looks at everything.
type Judge struct {
	// Lax looks only at what the real authority is known to look at: not at the
	// signature's mathematics nor at the form of the stamp, and at no stamp and
	// no QR code of a standard document.
	Lax bool
}

// Judge judges one document, as of the time given.
func (j Judge) Judge(s Submission, now time.Time) Verdict {
	ev := &evaluation{lax: j.Lax, submission: s, verdict: newVerdict()}
	if !ev.readable() {
		return ev.verdict
	}
	ev.say(&xsdValid)
	ev.body()
	ev.rulebook(now)
	ev.seals()
	return ev.verdict
}

// evaluation is one document while it is judged.
type evaluation struct {
	lax        bool
	submission Submission
	root       *ubl.Node
	invoice    *ubl.Invoice
	verdict    Verdict
}

// readable says whether the document is one that the further questions can be
// asked of, and if not, answers so.
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
		ev.unreadable(departure(root, &found[0]))
		if root.Name != "Invoice" {
			ev.say(&invalidCertificate) // as the real one does to what is no invoice
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

// body holds what the request says against the document.
func (ev *evaluation) body() {
	v, s := &ev.verdict, &ev.submission
	switch {
	case s.Endpoint == Reporting && !v.Simplified && !(v.Standard && s.ClearanceOff):
		ev.say(&notSimplified)
	case s.Endpoint == Clearance && !v.Standard:
		ev.say(&notStandard)
	}
	if v.UUID == "" || s.UUID != v.UUID {
		ev.say(&otherUUID)
	}
	if s.Hash != v.Hash {
		ev.say(&otherHash)
	}
}

// say answers with an entry of the catalogue, once.
func (ev *evaluation) say(e *entry) {
	ev.verdict.add(e.severity, e.code, e.category, e.says.In(ev.submission.Language))
}
