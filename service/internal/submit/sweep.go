package submit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"khatm/service/internal/fault"
)

// chunk is the maximum number of rows moved in one transaction.
const chunk = 500

// sweep moves waiting documents: it ends expired claims, queues what is due,
// tries parked devices, and stops what must not be sent any more. A failing
// step does not prevent the others.
func (s *Submitter) sweep(ctx context.Context) error {
	if !s.begun() {
		return nil
	}
	at := s.moment()
	now := at.now
	failed := []error{s.stopOld(ctx, at)}
	moved := 0
	for _, step := range []struct {
		what string
		do   func(context.Context, int) (int, error)
	}{
		{"end expired claims", func(ctx context.Context, most int) (int, error) {
			return s.Keeper.Lapse(ctx, now, at.far(s.Lease), most, s.retryAfter)
		}},
		{"end expired copy requests", func(ctx context.Context, most int) (int, error) {
			return s.Keeper.LapseCopies(ctx, now, at.far(s.Lease), most, s.copyAfter)
		}},
		{"hold the documents of parked devices", s.Keeper.HoldParked},
		{"release repaired documents", s.releaseWhole},
		{"queue held documents", s.freeHeld},
		{"queue due documents", func(ctx context.Context, most int) (int, error) {
			return s.Keeper.Promote(ctx, now, at.far(s.Retry.Most), most)
		}},
	} {
		for n := chunk; n == chunk && ctx.Err() == nil; moved += n {
			var err error
			if n, err = step.do(ctx, chunk); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", step.what, err))
				n = min(n, chunk-1) // do not retry at once
			}
		}
	}
	probed, err := s.Keeper.Probe(ctx, now, at.far(s.Probe.Most), s.Probe.After)
	if err != nil {
		failed = append(failed, fmt.Errorf("try parked devices: %w", err))
	}
	if moved+probed > 0 {
		s.Wake()
	}
	return errors.Join(failed...)
}

// wholeEvery is how often documents held as damaged are read again.
const wholeEvery = time.Hour

// releaseWhole releases, once an hour, documents held as damaged that are
// intact.
func (s *Submitter) releaseWhole(ctx context.Context, _ int) (int, error) {
	now := s.Now()
	// The clock may be set back while the server runs.
	if now.Before(s.wholeAt) && s.wholeAt.Sub(now) <= wholeEvery {
		return 0, nil
	}
	s.wholeAt = now.Add(wholeEvery)
	_, err := s.Keeper.ReleaseWhole(ctx)
	return 0, err // the next step queues what is released
}

// freeHeld queues held documents, unless sending is paused.
func (s *Submitter) freeHeld(ctx context.Context, most int) (int, error) {
	if s.Paused {
		return 0, nil
	}
	return s.Keeper.FreeHeld(ctx, most)
}

// stopOld stops documents that are too old to be sent again. It does nothing
// while the clock may be wrong, because stopping is permanent; those documents
// are not claimed meanwhile.
func (s *Submitter) stopOld(ctx context.Context, at moment) error {
	if !at.trusted {
		return nil
	}
	return errors.Join(s.stopInDoubt(ctx, at.now), s.stopCopies(ctx, at.now))
}

func (s *Submitter) stopInDoubt(ctx context.Context, now time.Time) error {
	for n := chunk; n == chunk && ctx.Err() == nil; {
		stopped, err := s.Keeper.StopInDoubt(ctx, now.Add(-DoubtTime), chunk)
		if err != nil {
			return fmt.Errorf("stop documents in doubt: %w", err)
		}
		for _, one := range stopped {
			s.Log.Error("a document sent 23 hours ago was never answered: it is not sent again automatically, because the authority recognises duplicates for 24 hours only; check its portal, then send it again with PATCH",
				"organisation", one.Tenant.ID(), "invoice", one.Invoice)
		}
		n = len(stopped)
	}
	return nil
}

// drain repeats a step until nothing is left to move.
func (s *Submitter) drain(what string, step func(context.Context, int) (int, error)) {
	for n := chunk; n == chunk; {
		ctx, cancel := context.WithTimeout(s.calls, recordTime)
		var err error
		n, err = step(ctx, chunk)
		cancel()
		if err != nil {
			s.Log.Error("background work failed", "work", what, "cause", err.Error())
			return
		}
	}
}

// takeBack ends, once and before anything is claimed, the claims of an earlier
// process.
func (s *Submitter) takeBack(ctx context.Context) error {
	if !s.Alone || s.tookBack {
		return nil
	}
	end := s.Now().Add(forEver)
	for what, lapse := range map[string]func() (int, error){
		"end unfinished attempts":      func() (int, error) { return s.Keeper.Lapse(ctx, end, end, chunk, s.retryAfter) },
		"end unfinished copy requests": func() (int, error) { return s.Keeper.LapseCopies(ctx, end, end, chunk, s.copyAfter) },
	} {
		for n := chunk; n == chunk; {
			var err error
			if n, err = lapse(); err == nil {
				continue
			}
			err = fmt.Errorf("%s: %w", what, err)
			if ctx.Err() != nil || fault.KindOf(err) == fault.Unavailable {
				return err
			}
			// Claims that cannot be ended must not block the others.
			s.Log.Error("background work failed", "work", what, "cause", err.Error())
			n = 0
		}
	}
	s.tookBack = true
	return nil
}
