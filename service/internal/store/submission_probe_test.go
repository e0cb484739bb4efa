package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/submit"
)

// held queues and claims n documents of a seller. It records no answer for the
// first and refused credentials for the others, which park the device. All
// documents are then held.
func (t *seller) held(n int) (ids []uuid.UUID) {
	t.s.t.Helper()
	now := t.s.config.Now()
	for i := range n {
		ids = append(ids, t.queued(true, time.Duration(i)*time.Second).ID)
	}
	jobs := t.s.claim(t.s.claiming(ledger.ByReporting, n))
	for i, j := range jobs {
		outcome := ledger.Unauthorised
		if i == 0 {
			outcome = ledger.Unknown
		}
		r := resultOfJob(j, outcome, now)
		r.Verdict.Sent = i == 0
		if outcome == ledger.Unauthorised {
			r.Park = &submit.Parking{Why: "test", ProbeAt: now}
		}
		t.s.takes(t.s.t, r)
	}
	_, err := t.s.Promote(t.s.ctx, now, now.Add(time.Hour), 99)
	ok(t.s.t, err)
	_, err = t.s.HoldParked(t.s.ctx, 99)
	ok(t.s.t, err)
	return ids
}

// A parked device is probed with a document that has not failed before, so that
// a document that never succeeds does not keep the device parked.
func TestProbeUsesAnotherDocument(t *testing.T) {
	again := func(int) time.Duration { return time.Minute }
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		ids := s.seller(s.by).held(3)
		now := s.config.Now()
		if n, err := s.Probe(s.ctx, now, now.Add(time.Hour), again); n != 1 || err != nil {
			t.Fatalf("%d documents were probed, %v, want 1", n, err)
		}
		same(t, []uuid.UUID{ids[1]})(idsOfJobs(s.claim(s.claiming(ledger.ByReporting, 9))), nil)
	})
}

func TestReliability_U12_InDoubtWithAParkedDevice(t *testing.T) {
	again := func(int) time.Duration { return time.Minute }
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		ids := s.seller(s.by).held(1)
		s.execute(`UPDATE device SET parked = 1, parked_why = 'test', probe_at = 0`)
		s.execute(`UPDATE submission SET state = 'held', due_at = NULL`)
		later := s.config.Now().Add(30 * time.Hour)
		if n, err := s.Probe(s.ctx, later, later.Add(time.Hour), again); n != 0 || err != nil {
			t.Errorf("%d documents in doubt were probed, %v, want 0", n, err)
		}
		same(t, []submit.Stopped{{Tenant: s.by.Tenant, Invoice: ids[0]}})(s.StopInDoubt(s.ctx, later.Add(-submit.DoubtTime), 9))
		same(t, []submit.Stopped(nil))(s.StopInDoubt(s.ctx, later.Add(-submit.DoubtTime), 9))
		s.execute(`UPDATE device SET parked = 0, parked_why = ''`)
		if n, err := s.FreeHeld(s.ctx, 9); n != 0 || err != nil {
			t.Errorf("%d documents in doubt were freed, %v, want 0", n, err)
		}
		ok(t, s.Ask(s.ctx, s.by, ids[0]))
	})
}
