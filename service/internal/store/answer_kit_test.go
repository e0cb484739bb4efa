package store_test

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// outcomes maps a status to the outcome of the attempt that leads to it.
var outcomes = map[ledger.Status]ledger.Outcome{
	ledger.Cleared: ledger.Accepted, ledger.Reported: ledger.Accepted,
	ledger.NotCleared: ledger.Rejected, ledger.NotReported: ledger.Rejected, ledger.NoResponse: ledger.Unknown,
}

// Answer claims an invoice and records an answer with the given status.
func (s *fixture) Answer(ctx context.Context, of org.Tenant, id uuid.UUID, status ledger.Status, at time.Time) error {
	recorded, err := s.Record(ctx, of, []submit.Result{s.resultOf(of, id, status, at)})
	if err != nil || recorded[0].Taken {
		return err
	}
	kept, err := s.Invoice(ctx, of, id)
	if err == nil && kept.Status != status {
		err = fault.New(fault.InvoiceAnswered, "The authority has answered this invoice.")
	}
	return err
}

// claimed claims an invoice regardless of its state and returns the number of
// the attempt.
func (s *fixture) claimed(of org.Tenant, id uuid.UUID, at time.Time) (attempt int) {
	s.t.Helper()
	s.execute(`
		UPDATE submission SET state = 'sending', attempts = attempts + 1, lease_until = $3, due_at = NULL, stopped = ''
		WHERE CAST(org_id AS TEXT) = $1 AND CAST(invoice_id AS TEXT) = $2 AND state <> 'done'`, of.ID().String(), id.String(), at.UnixMilli())
	s.execute(`
		INSERT INTO attempt (org_id, invoice_id, number, route, worker, claimed_at, sent, took, cause)
		SELECT org_id, invoice_id, attempts, route, 'test', $3, 0, 0, ''
		FROM submission
		WHERE CAST(org_id AS TEXT) = $1 AND CAST(invoice_id AS TEXT) = $2 AND state = 'sending'`, of.ID().String(), id.String(), at.UnixMilli())
	return s.count(`SELECT coalesce(max(attempts), 0) FROM submission WHERE CAST(org_id AS TEXT) = $1 AND CAST(invoice_id AS TEXT) = $2`, of.ID().String(), id.String())
}

func (s *fixture) resultOf(of org.Tenant, id uuid.UUID, status ledger.Status, at time.Time) submit.Result {
	s.t.Helper()
	outcome, known := outcomes[status]
	if !known {
		outcome = ledger.Accepted
	}
	r := submit.Result{
		Invoice: id, Attempt: s.claimed(of, id, at), ClaimedAt: at, At: at, Route: ledger.ByClearance, Due: at,
		Event: ledger.OutcomeEvent(outcome), Verdict: ledger.Verdict{Outcome: outcome, Code: 200, Sent: true, Raw: []byte("{}"), Took: time.Second},
	}
	if outcome == ledger.Unknown {
		r.Verdict.Code, r.Verdict.Cause = 0, errors.New("no answer")
		return r
	}
	r.Answer = &ledger.Answer{
		Status: status, Code: 200, Route: ledger.ByClearance, Attempt: r.Attempt, Result: "PASS", At: at,
		Infos: []ledger.Message{{Type: "INFO", Code: "XSD_ZATCA_VALID", Category: "XSD validation", Message: "Complied", Status: "PASS"}},
	}
	switch status {
	case ledger.Cleared:
		r.Answer.Stamped = []byte("<stamped/>")
	case ledger.NotCleared, ledger.NotReported:
		r.Answer.Code, r.Answer.Result = 400, "ERROR"
		r.Answer.Errors = []ledger.Message{{Type: "ERROR", Code: "BR-KSA-84", Message: "no"}}
	}
	return r
}
