package submit

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"khatm/service/internal/ledger"
	"khatm/witness"
)

// judge says what an answer means for a document: what is kept of it, and what
// is done next.
func (s *Submitter) judge(j Job, v ledger.Verdict, now time.Time) Result {
	if j.misrouted(v) {
		v.Outcome = ledger.Unknown
		j.Route = ledger.ByClearance
	}
	r := Result{
		Invoice: j.Invoice, Device: j.Device, Attempt: j.Attempt, ClaimedAt: j.ClaimedAt, At: now,
		Event: ledger.OutcomeEvent(v.Outcome), Verdict: v, Route: j.Route,
	}
	switch v.Outcome {
	case ledger.Accepted, ledger.Duplicate, ledger.Rejected:
		r.Answer, r.QR = j.answer(v, now)
		r.Verdict.Raw = withoutDocument(v.Raw, v.Cleared)
	case ledger.UseReporting:
		r.Route = ledger.ByReporting
	case ledger.Unauthorised:
		r.Park = &Parking{Why: whyParked(v), ProbeAt: now.Add(s.Probe.After(1))}
	case ledger.TooLarge:
		r.Stop = TooLarge
	case ledger.Throttled: // it stays in the queue; the gate waits
	case ledger.Unknown:
		r.Due = now.Add(max(s.retryAfter(j.Failures+1), min(v.Wait, s.Retry.Most+Skew)))
	}
	return r
}

// wrongKind is what reporting says of a standard document while clearance is
// on.
const wrongKind = "XML-INVOICE-ERROR"

// misrouted says that a standard document was sent to reporting, as clearance
// had said, and is sent back or refused there for its kind: clearance is on
// again, and it alone can say what else is wrong with it. To take that for a
// rejection would burn a good document.
func (j Job) misrouted(v ledger.Verdict) bool {
	if j.Simplified || j.Route != ledger.ByReporting {
		return false
	}
	ofKind := func(m ledger.Message) bool { return m.Code == wrongKind }
	return v.Code == http.StatusSeeOther || v.Outcome == ledger.Rejected && slices.ContainsFunc(v.Errors, ofKind)
}

// answer is what is kept of the authority's final word, and the QR code of the
// document that it stamped.
func (j Job) answer(v ledger.Verdict, now time.Time) (a *ledger.Answer, qr string) {
	a = &ledger.Answer{
		Status: ledger.FinalStatus(j.Simplified, j.Route, v.Outcome), Code: v.Code, Route: j.Route, Attempt: j.Attempt,
		Result: v.Result, Infos: v.Infos, Warnings: v.Warnings, Errors: v.Errors, At: now,
	}
	if v.Outcome == ledger.Duplicate {
		// The body of a duplicate calls the document refused. What counts is that
		// it was accepted before.
		a.Code, a.Result, a.Warnings, a.Errors = http.StatusOK, "PASS", nil, nil
		a.Infos = []ledger.Message{duplicateMessage(v.Code)}
	}
	if a.Status == ledger.Cleared {
		qr = j.stamped(v.Cleared, a)
	}
	return a, qr
}

func duplicateMessage(code int) ledger.Message {
	return ledger.Message{
		Type: "INFO", Code: ledger.DuplicateCode, Category: "SUBMISSION", Status: "PASS",
		Message: fmt.Sprintf("The authority had accepted this document before (it answered %d to the same bytes).", code),
	}
}

// stamped verifies the document that came with the authority's stamp before it
// is believed, and gives its QR code: the stamp is in it, so it is another than
// ours.
func (j Job) stamped(document []byte, into *ledger.Answer) (qr string) {
	if len(document) == 0 {
		into.Flag = ledger.NoDocument
		return ""
	}
	qr, err := j.verify(document)
	if err != nil {
		into.Suspect, into.Flag = document, ledger.BadDocument
		return ""
	}
	into.Stamped = document
	return qr
}

// verify makes sure that a stamped document is this one, in the hash that the
// stamp covers, and that the stamp is good and not our own.
func (j Job) verify(document []byte) (qr string, err error) {
	report, err := witness.Verify(document, witness.Expect{RequireStamp: true})
	switch {
	case err != nil:
		return "", fmt.Errorf("read the cleared document: %w", err)
	case len(report.Findings) > 0:
		return "", fmt.Errorf("the cleared document: %s", report.Findings[0].Message)
	case report.UUID != j.Document.UUID:
		return "", errors.New("the cleared document is another: its uuid differs")
	case report.Hash != j.Document.Hash:
		return "", errors.New("the cleared document is another: its hash differs")
	}
	ours, err := witness.Verify(j.Document.XML, witness.Expect{RequireStamp: true})
	if err != nil {
		return "", fmt.Errorf("read our document: %w", err)
	}
	if ours.Certificate != nil && report.Certificate != nil && bytes.Equal(ours.Certificate.PublicKey, report.Certificate.PublicKey) {
		return "", errors.New("the cleared document has no stamp but ours")
	}
	return report.QRText, nil
}

// withoutDocument cuts a stamped document out of an answer that is kept: it is
// kept once, with the verdict.
func withoutDocument(raw, document []byte) []byte {
	if len(document) == 0 {
		return raw
	}
	text := []byte(base64.StdEncoding.EncodeToString(document))
	return bytes.Replace(raw, text, nil, 1)
}

func whyParked(v ledger.Verdict) string {
	if v.Cause != nil {
		return "The credentials of the device cannot be used: " + v.Cause.Error()
	}
	return fmt.Sprintf("The authority does not accept the credentials of the device (it answered %d). Renew its certificate; sending goes on by itself when it is accepted again.", v.Code)
}
