package submit

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"khatm/service/internal/ledger"
)

// claimCopies claims and sends requests for stamped copies. They have their own
// limit in addition to the workers, and lower priority than documents: while the
// endpoint is limited, they run only if nothing else was claimed.
func (s *Submitter) claimCopies(ctx context.Context, idle bool) error {
	at := s.moment()
	now := at.now
	// The clock may be set back while the server runs.
	if now.Before(s.copiesAt) && s.copiesAt.Sub(now) <= s.Poll {
		return nil
	}
	gate := s.gates[ledger.ByClearance]
	if !idle && gate.limited() {
		return nil
	}
	most := gate.allows(now, s.freeCopies())
	if most <= 0 {
		return nil
	}
	s.copiesAt = now.Add(s.Poll)
	jobs, err := s.Keeper.ClaimCopies(ctx, Claiming{
		Route: ledger.ByClearance, Most: most, Now: now, Far: at.far(s.Copy.Most), LeaseUntil: now.Add(s.Lease), Worker: s.Name, Doubt: at.doubt(),
	})
	if err != nil {
		return fmt.Errorf("claim copy requests: %w", err)
	}
	gate.began(now, len(jobs))
	s.beganCopies(len(jobs))
	for _, job := range jobs {
		s.ended.Go(func() { s.requestCopy(job) })
	}
	return nil
}

func (s *Submitter) freeCopies() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.Copies-s.copying, 0)
}

func (s *Submitter) beganCopies(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.copying += n
}

// requestCopy sends a cleared document again, as the same bytes, and stores the
// stamped copy from the answer.
func (s *Submitter) requestCopy(j Job) {
	defer s.beganCopies(-1)
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error("requesting a stamped copy panicked", "invoice", j.Invoice, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	// A process suspended after the claim must not send hours later.
	if s.Now().Sub(j.ClaimedAt) > s.Lease {
		s.gates[j.Route].left()
		return
	}
	v := s.call(j, func() {})
	if s.calls.Err() != nil && v.Cause != nil {
		return // the server is stopping
	}
	s.at("copy answered")
	result := s.judgeCopy(j, v, s.Now())
	recorded, err := s.recorder.record(j.Tenant, result, j.ClaimedAt.Add(s.Lease))
	s.at("copy recorded")
	s.tellCopy(j, result, recorded, err)
}

// judgeCopy verifies the copy in an answer, in the same way as in a first
// answer. Nothing else in the answer affects the document or its device.
func (s *Submitter) judgeCopy(j Job, v ledger.Verdict, now time.Time) Result {
	r := Result{
		Invoice: j.Invoice, Device: j.Device, Attempt: j.Attempt, ClaimedAt: j.ClaimedAt, At: now,
		Event: ledger.OutcomeEvent(v.Outcome), Verdict: v, Route: j.Route, Copy: true,
		Due: now.Add(max(s.copyAfter(j.Failures+1), min(v.Wait, s.Copy.Most+Skew))),
	}
	if v.Outcome != ledger.Accepted && v.Outcome != ledger.Duplicate || len(v.Cleared) == 0 {
		return r
	}
	qr, err := j.verify(v.Cleared)
	if err != nil {
		r.Verdict.Cause = err // the whole answer is kept as evidence
		return r
	}
	r.Event, r.Stamped, r.QR = ledger.Arrive, v.Cleared, qr
	r.Verdict.Raw = withoutDocument(v.Raw, v.Cleared)
	return r
}

func (s *Submitter) tellCopy(j Job, r Result, recorded Recorded, err error) {
	s.figures.count(r.Verdict.Outcome)
	log := s.Log.With("organisation", j.Tenant.ID(), "invoice", j.Invoice, "attempt", j.Attempt, "outcome", r.Verdict.Outcome, "code", r.Verdict.Code)
	if r.Verdict.Outcome == ledger.Accepted {
		log.Error("the authority answered the request for a stamped copy as if the document were new; check its portal for a duplicate of the invoice")
	}
	switch {
	case err != nil:
		log.Error("the answer to a copy request could not be stored; the copy will be requested again", "cause", err.Error())
	case recorded.Stamped:
		log.Info("the stamped copy of a cleared document arrived")
	case !recorded.Taken:
		log.Warn("the answer to a copy request arrived after its lease had expired and was ignored")
	case r.Verdict.Outcome == ledger.Rejected:
		log.Error("the authority refused to send a stamped copy; it is not requested again. " + fromPortal)
	default:
		log.Debug("the stamped copy did not arrive", "next", r.Due)
	}
}

const fromPortal = "Download the stamped copy from the authority's portal."

// stopCopies ends requests for documents that the authority may no longer
// recognise as duplicates: it would accept the same bytes as a second invoice.
func (s *Submitter) stopCopies(ctx context.Context, now time.Time) error {
	for n := chunk; n == chunk && ctx.Err() == nil; {
		stopped, err := s.Keeper.StopCopies(ctx, now.Add(-DoubtTime), chunk)
		if err != nil {
			return fmt.Errorf("stop copy requests: %w", err)
		}
		for _, one := range stopped {
			s.Log.Error("the stamped copy of a cleared document did not arrive within 23 hours; it is not requested again, because the authority recognises duplicates for 24 hours only. "+fromPortal,
				"organisation", one.Tenant.ID(), "invoice", one.Invoice)
		}
		n = len(stopped)
	}
	return nil
}

// copyAfter returns how long to wait before the next request for a copy.
func (s *Submitter) copyAfter(failures int) time.Duration {
	return jittered(s.Copy.After(failures), s.Random)
}
