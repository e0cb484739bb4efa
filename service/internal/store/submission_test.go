package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/submit"
)

// claiming returns a claim of up to most documents of a route.
func (s *fixture) claiming(by ledger.Route, most int) submit.Claiming {
	now := s.config.Now()
	return submit.Claiming{Route: by, Most: most, Now: now, Far: now.Add(time.Hour), LeaseUntil: now.Add(time.Minute), Worker: "test", Doubt: now.Add(-submit.DoubtTime)}
}

func (s *fixture) claim(c submit.Claiming) []submit.Job {
	s.t.Helper()
	got, err := s.Claim(s.ctx, c)
	ok(s.t, err)
	return got.Jobs
}

// queued issues a sample that is queued, created the given time after noon.
func (t *seller) queued(simplified bool, after time.Duration) ledger.Invoice {
	t.s.t.Helper()
	return t.issue(func(e *issue.Entry) {
		e.Invoice.Held, e.Invoice.Transaction = false, invoice.Transaction{Simplified: simplified}
		e.Invoice.CreatedAt = noon().Add(after)
	})
}

func idsOfJobs(jobs []submit.Job) (ids []uuid.UUID) {
	for _, j := range jobs {
		ids = append(ids, j.Invoice)
	}
	return ids
}

// A claim returns each document once, earliest deadline first, with its
// contents and an attempt. Documents that are not queued are skipped.
func TestClaimsByDeadline(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		late, early, middle := seller.queued(false, 3*time.Minute), seller.queued(false, time.Minute), seller.queued(false, 2*time.Minute)
		seller.issue(asIs) // held
		simple := seller.queued(true, 0)
		for _, most := range []int{0, -1} {
			if jobs := s.claim(s.claiming(ledger.ByClearance, most)); len(jobs) != 0 {
				t.Errorf("%d documents were claimed with limit %d, want 0", len(jobs), most)
			}
		}
		jobs := s.claim(s.claiming(ledger.ByClearance, 2))
		same(t, []uuid.UUID{early.ID, middle.ID})(idsOfJobs(jobs), nil)
		xml, err := s.SignedXML(s.ctx, s.by.Tenant, early.ID)
		ok(t, err)
		same(t, ledger.Dispatch{UUID: early.ID.String(), Hash: early.Hash, XML: xml})(jobs[0].Document, nil)
		same(t, []uuid.UUID{late.ID})(idsOfJobs(s.claim(s.claiming(ledger.ByClearance, 9))), nil)
		same(t, []uuid.UUID{simple.ID})(idsOfJobs(s.claim(s.claiming(ledger.ByReporting, 9))), nil)
		if jobs := s.claim(s.claiming(ledger.ByClearance, 9)); len(jobs) != 0 {
			t.Errorf("documents claimed again = %v, want none", idsOfJobs(jobs))
		}
		tries, err := s.Attempts(s.ctx, s.by.Tenant, early.ID)
		ok(t, err)
		same(t, []ledger.Attempt{{Number: 1, Route: ledger.ByClearance, Worker: "test", ClaimedAt: s.config.Now().UTC()}})(tries, nil)
	})
}

// An attempt never ends before it began: neither if the clock was set back, nor with a
// result of an earlier claim that a restored copy of the database does not contain.
func TestAttemptDoesNotEndBeforeItBegan(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		id := s.seller(s.by).queued(false, 0).ID
		job := s.claim(s.claiming(ledger.ByClearance, 1))[0]
		began := job.ClaimedAt
		job.ClaimedAt = began.Add(-time.Hour)
		if !s.takes(t, resultOfJob(job, ledger.Accepted, began.Add(-time.Minute))) {
			t.Fatal("the result was not recorded")
		}
		tries, err := s.Attempts(s.ctx, s.by.Tenant, id)
		ok(t, err)
		if len(tries) != 1 || tries[0].EndedAt == nil || !tries[0].EndedAt.Equal(began) {
			t.Errorf("attempts = %+v, want one that ended at %s", tries, began)
		}
	})
}

// Organisations get equal shares regardless of their number of documents. An
// urgent claim returns the documents of all organisations that expire first.
func TestClaimsByTurns(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		mine, theirs := s.seller(s.by), s.seller(s.other)
		for n := range 20 {
			mine.queued(true, time.Duration(n)*time.Second)
		}
		for n := range 3 {
			theirs.queued(true, time.Hour+time.Duration(n)*time.Second)
		}
		byTurn := map[uuid.UUID]int{}
		for _, j := range s.claim(s.claiming(ledger.ByReporting, 6)) {
			byTurn[j.Tenant.ID()]++
		}
		same(t, map[uuid.UUID]int{s.by.Tenant.ID(): 3, s.other.Tenant.ID(): 3})(byTurn, nil)
		c := s.claiming(ledger.ByReporting, 4)
		c.After = s.other.Tenant.ID()
		if jobs := s.claim(c); len(jobs) != 4 || jobs[0].Tenant != s.by.Tenant {
			t.Errorf("%d documents were claimed, want 4 of the first organisation", len(jobs))
		}
		urgent := s.claiming(ledger.ByReporting, 9)
		urgent.Urgent = noon().Add(submit.Legal + 9*time.Second)
		if jobs := s.claim(urgent); len(jobs) != 3 { // seconds 7, 8 and 9 are left
			t.Errorf("%d urgent documents were claimed, want 3", len(jobs))
		}
	})
}

// resultOfJob returns a result of a job.
func resultOfJob(j submit.Job, o ledger.Outcome, at time.Time) submit.Result {
	r := submit.Result{
		Invoice: j.Invoice, Device: j.Device, Attempt: j.Attempt, ClaimedAt: j.ClaimedAt, At: at, Route: j.Route, Due: at,
		Event: ledger.OutcomeEvent(o), Verdict: ledger.Verdict{Outcome: o, Code: 200, Sent: true},
	}
	if o.Final() {
		r.Answer = &ledger.Answer{Status: ledger.FinalStatus(j.Simplified, j.Route, o), Code: 200, Route: j.Route, Attempt: j.Attempt, Result: "PASS", At: at}
		if r.Answer.Status == ledger.Cleared {
			r.Answer.Flag = ledger.NoDocument
		}
	}
	return r
}

// takes records a result and reports whether it was accepted.
func (s *fixture) takes(t testing.TB, r submit.Result) bool {
	t.Helper()
	recorded, err := s.Record(s.ctx, s.by.Tenant, []submit.Result{r})
	ok(t, err)
	return recorded[0].Taken
}

// After a lease has ended, a late result is refused, unless it is final and the
// invoice is not. A missing stamped document is stored once.
func TestResultsAfterLapse(t *testing.T) {
	noWait := func(int) time.Duration { return 0 }
	each(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		i, now := seller.queued(false, 0), s.config.Now()
		first := s.claim(s.claiming(ledger.ByClearance, 9))[0]
		if n, err := s.Lapse(s.ctx, now.Add(59*time.Second), now.Add(time.Hour), 9, noWait); n != 0 || err != nil {
			t.Errorf("%d documents lapsed before the end of the lease, %v, want 0", n, err)
		}
		n, err := s.Lapse(s.ctx, now.Add(time.Minute), now.Add(time.Hour), 9, noWait)
		if n != 1 || err != nil {
			t.Errorf("%d documents lapsed at the end of the lease, %v, want 1", n, err)
		}
		same(t, ledger.NoResponse)(s.statusOf(i.ID), nil)
		if s.takes(t, resultOfJob(first, ledger.Unknown, now)) || s.takes(t, resultOfJob(first, ledger.Throttled, now)) {
			t.Error("a result without an answer was accepted after the lapse, want it refused")
		}
		n, err = s.Promote(s.ctx, now, now.Add(time.Hour), 9)
		if n != 1 || err != nil {
			t.Errorf("%d documents are due, %v, want 1", n, err)
		}
		second := s.claim(s.claiming(ledger.ByClearance, 9))[0]
		if second.Attempt != 2 || s.takes(t, resultOfJob(first, ledger.Unauthorised, now)) {
			t.Errorf("second attempt has number %d, want 2, and the late result must be refused", second.Attempt)
		}
		late := resultOfJob(first, ledger.Accepted, now)
		if !s.takes(t, late) {
			t.Error("a late final answer was refused, want it accepted")
		}
		same(t, ledger.Cleared)(s.statusOf(i.ID), nil)
		rejected := resultOfJob(second, ledger.Rejected, now)
		rejected.Answer.Code = 400
		if s.takes(t, rejected) {
			t.Error("a second verdict was accepted, want it refused")
		}
		third := resultOfJob(second, ledger.Accepted, now)
		third.Answer.Stamped, third.Answer.Flag = []byte("<stamped/>"), ledger.Plain
		s.takes(t, third)
		third.Answer.Stamped = []byte("<another/>")
		s.takes(t, third)
		verdict, err := s.Verdict(s.ctx, s.by.Tenant, i.ID)
		if err != nil || string(verdict.Stamped) != "<stamped/>" || verdict.Flag != ledger.Plain || verdict.Attempt != 1 {
			t.Errorf("verdict = %+v, %v, want the first one with the stamped document", verdict, err)
		}
		s.talliedStatuses([]ledger.Status{ledger.Cleared})
	})
}

func (s *fixture) statusOf(id uuid.UUID) ledger.Status {
	s.t.Helper()
	i, err := s.Invoice(s.ctx, s.by.Tenant, id)
	ok(s.t, err)
	return i.Status
}

// A document that may have arrived is not sent again after 23 hours, unless a
// caller requests it. A document that was never sent is sent without limit.
func TestReliability_U12_InDoubt(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		doubtful, never := seller.queued(true, 0), seller.queued(true, time.Second)
		now := s.config.Now()
		for _, j := range s.claim(s.claiming(ledger.ByReporting, 9)) {
			r := resultOfJob(j, ledger.Unknown, now)
			r.Verdict.Sent = j.Invoice == doubtful.ID
			s.takes(t, r)
		}
		stopped, err := s.StopInDoubt(s.ctx, now.Add(-time.Millisecond), 9)
		if len(stopped) != 0 || err != nil {
			t.Errorf("documents stopped before the limit = %v, %v, want none", stopped, err)
		}
		same(t, []submit.Stopped{{Tenant: s.by.Tenant, Invoice: doubtful.ID}})(s.StopInDoubt(s.ctx, now, 9))
		same(t, ledger.NoResponse)(s.statusOf(doubtful.ID), nil)
		_, err = s.Promote(s.ctx, now, now.Add(time.Hour), 9)
		ok(t, err)
		_, err = s.FreeHeld(s.ctx, 9)
		ok(t, err)
		later := s.claiming(ledger.ByReporting, 9)
		later.Doubt = now
		same(t, []uuid.UUID{never.ID})(idsOfJobs(s.claim(later)), nil)
		b, err := s.Backlog(s.ctx, now.Add(7*time.Hour))
		if err != nil || b.Stopped != 1 || !slices.Equal(b.Over, []int{2, 0, 0}) {
			t.Errorf("backlog = %+v, %v, want 1 stopped and 2 older than the first age", b, err)
		}
		ok(t, s.Ask(s.ctx, s.by, doubtful.ID))
		refused(t, s.Ask(s.ctx, s.by, doubtful.ID), fault.Conflict, "The invoice is queued for the authority already.")
		same(t, ledger.Unanswered)(s.statusOf(doubtful.ID), nil)
		same(t, []uuid.UUID{doubtful.ID})(idsOfJobs(s.claim(later)), nil)
		refused(t, s.Ask(s.ctx, s.by, doubtful.ID), fault.Conflict, "The invoice is being sent to the authority.")
	})
}
