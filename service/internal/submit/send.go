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

// turn claims as many documents as can be sent now, and sends them.
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

// claim asks for what runs out first, then for what is to be cleared, which
// somebody waits for, then for what is to be reported.
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

// free is how many calls can begin: there is an end to what is under way, and
// to what is answered and not yet written down.
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

// answered gives the place of a call to another.
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

// send sends one document and has the answer written down.
func (s *Submitter) send(j Job) {
	defer s.recorded()
	defer func() {
		// A document whose answer breaks us must not end the others' sending. Its
		// turn lapses.
		if p := recover(); p != nil {
			s.Log.Error("sending a document panicked", "invoice", j.Invoice, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	v := s.call(j, s.answered)
	if s.calls.Err() != nil && v.Cause != nil {
		return // we are ending; nothing is known
	}
	s.at("answered")
	result := s.judge(j, v, s.Now())
	s.at("judged")
	recorded, err := s.recorder.record(j.Tenant, result, j.ClaimedAt.Add(s.Lease))
	s.at("recorded")
	s.tell(j, result, recorded, err)
}

// call makes the call, and gives the place free whatever comes of it.
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
		// The database is away, not the device's right to send.
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

// tell logs what people should know and does what follows for the device.
func (s *Submitter) tell(j Job, r Result, recorded Recorded, err error) {
	s.figures.count(r.Verdict.Outcome)
	log := s.Log.With("invoice", j.Invoice, "device", j.Device, "attempt", j.Attempt, "outcome", r.Verdict.Outcome, "code", r.Verdict.Code)
	switch {
	case err != nil:
		log.Error("an answer could not be written down; the document will be sent again", "cause", err.Error())
	case !recorded.Taken:
		log.Warn("an answer came after its turn and was not taken")
	case recorded.Parked:
		log.Error("a device is parked: the authority does not accept its credentials", "why", r.Park.Why)
		s.drain("hold what is queued of parked devices", s.Keeper.HoldParked)
	case recorded.Released:
		log.Info("a parked device is accepted again")
		s.drain("queue what was held", s.Keeper.FreeHeld)
		s.Wake()
	case r.Answer != nil && r.Answer.Flag != ledger.Plain:
		log.Error("a document was cleared without a stamped document that verifies", "flag", r.Answer.Flag)
	case r.Verdict.Cause != nil:
		log.Debug("no answer", "cause", r.Verdict.Cause.Error(), "sent", r.Verdict.Sent)
	}
}
