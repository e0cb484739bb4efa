package submit

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// turn claims and sends as many documents as possible.
func (s *Submitter) turn(ctx context.Context) error {
	if s.Paused || !s.begun() {
		return nil
	}
	if err := s.takeBack(ctx); err != nil {
		return err
	}
	for ctx.Err() == nil {
		n, err := s.claim(ctx)
		if err != nil {
			return err
		}
		if err := s.claimCopies(ctx, n == 0); err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
	}
	return nil
}

// claim claims documents near their deadline first, then those to be cleared,
// whose callers are waiting, then those to be reported.
func (s *Submitter) claim(ctx context.Context) (claimed int, err error) {
	at := s.moment()
	now := at.now
	claims := []Claiming{
		{Route: ledger.ByReporting, Urgent: now.Add(UrgentLeft)},
		{Route: ledger.ByClearance},
		{Route: ledger.ByReporting},
	}
	for _, route := range ledger.Routes() {
		if s.gates[route].isOpen() {
			claims = slices.Insert(claims, 0, Claiming{Route: route, Probe: true})
		}
	}
	for _, c := range claims {
		gate := s.gates[c.Route]
		if c.Most = gate.allows(now, s.free()); c.Most <= 0 {
			continue
		}
		c.Now, c.LeaseUntil, c.Worker, c.Doubt = now, now.Add(s.Lease), s.Name, at.doubt()
		c.After = s.after[c.Route]
		got, err := s.Keeper.Claim(ctx, c)
		if err != nil {
			return claimed, fmt.Errorf("claim documents: %w", err)
		}
		if c.Urgent.IsZero() && !c.Probe && len(got.Jobs) > 0 {
			s.after[c.Route] = got.Last
		}
		gate.began(now, len(got.Jobs))
		s.began(len(got.Jobs))
		for _, job := range got.Jobs {
			s.ended.Go(func() { s.send(job) })
		}
		claimed += len(got.Jobs)
	}
	return claimed, nil
}

// free returns how many calls may begin. Both the calls in progress and the
// answers not yet recorded are limited.
func (s *Submitter) free() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(min(s.Workers-s.sending, 4*s.Workers-s.unrecorded), 0)
}

func (s *Submitter) began(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sending += n
	s.unrecorded += n
}

// answered frees the slot of a call.
func (s *Submitter) answered() {
	s.mu.Lock()
	s.sending--
	s.mu.Unlock()
	s.Wake()
}

func (s *Submitter) recorded() {
	s.mu.Lock()
	s.unrecorded--
	s.mu.Unlock()
	s.Wake()
}

// send sends one document and records the answer.
func (s *Submitter) send(j Job) {
	defer s.recorded()
	defer func() {
		// A panic for one document must not stop the others. Its lease expires.
		if p := recover(); p != nil {
			s.Log.Error("sending a document panicked", "invoice", j.Invoice, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	v := s.call(j, s.answered)
	if s.calls.Err() != nil && v.Cause != nil {
		return // shutting down; the result is not known
	}
	s.at("answered")
	result := s.judge(j, v, s.Now())
	s.at("judged")
	recorded, err := s.recorder.record(j.Tenant, result, j.ClaimedAt.Add(s.Lease))
	s.at("recorded")
	s.tell(j, result, recorded, err)
}

// call makes the call, and calls free when it ends.
func (s *Submitter) call(j Job, free func()) (v ledger.Verdict) {
	gate, called := s.gates[j.Route], false
	defer func() {
		if called {
			gate.ended(s.Now(), v, s.Silence)
		} else {
			gate.left()
		}
		free()
	}()
	as, err := s.credentials(j)
	switch {
	case err == nil:
	case s.calls.Err() != nil || errors.Is(err, context.DeadlineExceeded) || fault.KindOf(err) == fault.Unavailable:
		// The database is unavailable; the credentials may be fine.
		return ledger.Verdict{Outcome: ledger.Unknown, Cause: err}
	default:
		return ledger.Verdict{Outcome: ledger.Unauthorised, Cause: err}
	}
	s.at("sending")
	called = true
	if j.Route == ledger.ByClearance {
		return s.Authority.Clear(s.calls, as, j.Document)
	}
	return s.Authority.Report(s.calls, as, j.Document)
}

func (s *Submitter) credentials(j Job) (device.Credentials, error) {
	ctx, cancel := context.WithTimeout(s.calls, 10*time.Second)
	defer cancel()
	return s.Credentials(ctx, j.Tenant, j.Device)
}

// tell logs the result and updates the other documents of the device.
func (s *Submitter) tell(j Job, r Result, recorded Recorded, err error) {
	s.figures.count(r.Verdict.Outcome)
	log := s.Log.With("invoice", j.Invoice, "device", j.Device, "attempt", j.Attempt, "outcome", r.Verdict.Outcome, "code", r.Verdict.Code)
	switch {
	case err != nil:
		log.Error("an answer could not be stored; the document will be sent again", "cause", err.Error())
	case !recorded.Taken:
		log.Warn("an answer arrived after its lease had expired and was ignored")
	case recorded.Parked:
		log.Error("a device is parked: the authority does not accept its credentials", "why", r.Park.Why)
		s.drain("hold the documents of parked devices", s.Keeper.HoldParked)
	case recorded.Released:
		log.Info("a parked device is accepted again")
		s.drain("queue held documents", s.Keeper.FreeHeld)
		s.Wake()
	case r.Answer != nil && r.Answer.Flag != ledger.Plain:
		log.Error("a document was cleared without a valid stamped copy", "flag", r.Answer.Flag)
	case r.Verdict.Cause != nil:
		log.Debug("no answer", "cause", r.Verdict.Cause.Error(), "sent", r.Verdict.Sent)
	}
}
