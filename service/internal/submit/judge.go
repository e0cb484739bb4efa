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

// judge decides what an answer means: what to store and what to do next.
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
	case ledger.Throttled: // it stays queued; the gate delays it
	case ledger.Unknown:
		r.Due = now.Add(max(s.retryAfter(j.Failures+1), min(v.Wait, s.Retry.Most+Skew)))
	}
	return r
}

// wrongKind is the error code of reporting for a standard document while
// clearance is on.
const wrongKind = "XML-INVOICE-ERROR"

// misrouted reports whether a standard document, redirected to reporting by
// clearance, was redirected or refused there because of its kind. Then
// clearance is on again and must decide; counting this as a rejection would
// lose a valid document.
func (j Job) misrouted(v ledger.Verdict) bool {
	if j.Simplified || j.Route != ledger.ByReporting {
		return false
	}
	ofKind := func(m ledger.Message) bool { return m.Code == wrongKind }
	return v.Code == http.StatusSeeOther || v.Outcome == ledger.Rejected && slices.ContainsFunc(v.Errors, ofKind)
}

// answer returns the final answer to store, and the QR code of the stamped
// document.
func (j Job) answer(v ledger.Verdict, now time.Time) (a *ledger.Answer, qr string) {
	a = &ledger.Answer{
		Status: ledger.FinalStatus(j.Simplified, j.Route, v.Outcome), Code: v.Code, Route: j.Route, Attempt: j.Attempt,
		Result: v.Result, Infos: v.Infos, Warnings: v.Warnings, Errors: v.Errors, At: now,
	}
	if v.Outcome == ledger.Duplicate {
		// The body of a duplicate says refused, but the document was accepted
		// before.
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
		Message: fmt.Sprintf("The authority had already accepted this document (it answered %d to the same bytes).", code),
	}
}

// stamped verifies the document with the authority's stamp, stores it in into,
// and returns its QR code. That code differs from ours because it covers the
// stamp.
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

// verify checks that a stamped document is this document, by UUID and hash, and
// that its stamp is valid and not our own. It returns the QR code.
func (j Job) verify(document []byte) (qr string, err error) {
	report, err := witness.Verify(document, witness.Expect{RequireStamp: true})
	switch {
	case err != nil:
		return "", fmt.Errorf("read the cleared document: %w", err)
	case len(report.Findings) > 0:
		return "", fmt.Errorf("verify the cleared document: %s", report.Findings[0].Message)
	case report.UUID != j.Document.UUID:
		return "", errors.New("the cleared document has a different uuid")
	case report.Hash != j.Document.Hash:
		return "", errors.New("the cleared document has a different hash")
	}
	ours, err := witness.Verify(j.Document.XML, witness.Expect{RequireStamp: true})
	if err != nil {
		return "", fmt.Errorf("read our document: %w", err)
	}
	if ours.Certificate != nil && report.Certificate != nil && bytes.Equal(ours.Certificate.PublicKey, report.Certificate.PublicKey) {
		return "", errors.New("the cleared document has only our own stamp")
	}
	return report.QRText, nil
}

// withoutDocument removes a stamped document from a stored answer, because it is
// stored with the verdict.
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
	return fmt.Sprintf("The authority does not accept the credentials of the device (it answered %d). Renew its certificate; sending resumes automatically once the authority accepts it.", v.Code)
}
