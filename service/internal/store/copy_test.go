package store_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/store"
	"khatm/service/internal/submit"
)

const copyEndsOnce = "a request for a stamped copy ends once"

// ofCopies returns statements on copy requests that the database must refuse.
// They need a waiting request.
func ofCopies() (refused []forbiddenStatement) {
	for _, change := range []string{
		`org_id = (SELECT max(CAST(id AS TEXT)) FROM organisation)`, `invoice_id = '01000000-0000-7000-8000-0000000000ff'`,
		`device_id = '01000000-0000-7000-8000-0000000000ff'`, `since = since + 1`, `state = 'arrived'`,
	} {
		refused = append(refused, forbiddenStatement{`UPDATE copy_request SET ` + change, copyEndsOnce})
	}
	return append(refused, forbiddenStatement{
		`UPDATE invoice SET cleared_qr = 'code' WHERE id IN (SELECT invoice_id FROM copy_request WHERE state = 'waiting')`, invoiceStays,
	})
}

// unstamped issues a standard document that is cleared without its stamped
// copy.
func (t *seller) unstamped() ledger.Invoice {
	t.s.t.Helper()
	i := t.queued(false, 0)
	for _, j := range t.s.claim(t.s.claiming(ledger.ByClearance, 99)) {
		if !t.s.takes(t.s.t, resultOfJob(j, ledger.Duplicate, t.s.config.Now())) {
			t.s.t.Fatal("the result was refused, want it recorded")
		}
	}
	return i
}

// claimCopies claims up to most copy requests at the given time.
func (s *fixture) claimCopies(at time.Time, most int) []submit.Job {
	s.t.Helper()
	c := s.claiming(ledger.ByClearance, most)
	c.Now, c.LeaseUntil, c.Doubt = at, at.Add(time.Minute), at.Add(-submit.DoubtTime)
	jobs, err := s.ClaimCopies(s.ctx, c)
	ok(s.t, err)
	return jobs
}

// copyResult returns the result of a copy request, with a copy if stamped is
// not empty.
func copyResult(j submit.Job, o ledger.Outcome, at time.Time, stamped string) submit.Result {
	r := submit.Result{
		Invoice: j.Invoice, Device: j.Device, Attempt: j.Attempt, ClaimedAt: j.ClaimedAt, At: at, Route: j.Route, Due: at.Add(time.Minute), Copy: true,
		Event: ledger.OutcomeEvent(o), Verdict: ledger.Verdict{Outcome: o, Code: 208, Sent: true},
	}
	if stamped != "" {
		r.Event, r.Stamped, r.QR = ledger.Arrive, []byte(stamped), "code of "+stamped
	}
	return r
}

// recordOne records one result.
func (s *fixture) recordOne(t testing.TB, r submit.Result) submit.Recorded {
	t.Helper()
	recorded, err := s.Record(s.ctx, s.by.Tenant, []submit.Result{r})
	ok(t, err)
	return recorded[0]
}

// A missing copy is requested with the same document until it arrives. It is
// stored once, with its QR code and an entry in the audit trail. The verdict
// does not change otherwise.
func TestStampedCopyIsFilledInOnce(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		i, now := s.seller(s.by).unstamped(), s.config.Now()
		before, err := s.Verdict(s.ctx, s.by.Tenant, i.ID)
		ok(t, err)
		jobs := s.claimCopies(now, 9)
		if len(jobs) != 1 || jobs[0].Invoice != i.ID || jobs[0].Attempt != 2 || !jobs[0].Copy {
			t.Fatalf("copies claimed = %+v, want attempt 2 of the document", jobs)
		}
		xml, err := s.SignedXML(s.ctx, s.by.Tenant, i.ID)
		ok(t, err)
		same(t, ledger.Dispatch{UUID: i.ID.String(), Hash: i.Hash, XML: xml})(jobs[0].Document, nil)
		if again := s.claimCopies(now, 9); len(again) != 0 {
			t.Errorf("copies claimed again = %+v, want none", again)
		}
		same(t, submit.Recorded{Taken: true})(s.recordOne(t, copyResult(jobs[0], ledger.Duplicate, now, "")), nil)
		if early := s.claimCopies(now.Add(59*time.Second), 9); len(early) != 0 {
			t.Errorf("copies claimed before they are due = %+v, want none", early)
		}
		second := s.claimCopies(now.Add(time.Minute), 9)[0]
		b, err := s.Backlog(s.ctx, now)
		if err != nil || b.Unstamped != 1 || b.UnstampedLost != 0 || second.Failures != 1 {
			t.Errorf("backlog = %+v after %d failures, %v, want 1 missing copy after 1 failure", b, second.Failures, err)
		}
		same(t, []store.Unstamped{{Organisation: s.by.Tenant.ID(), Invoice: i.ID, Number: i.Number}})(s.Unstamped(s.ctx, 9))
		same(t, submit.Recorded{Taken: true, Stamped: true})(s.recordOne(t, copyResult(second, ledger.Duplicate, now, "<stamped/>")), nil)
		same(t, submit.Recorded{})(s.recordOne(t, copyResult(second, ledger.Duplicate, now, "<another/>")), nil)
		want := before
		want.Stamped, want.Flag = []byte("<stamped/>"), ledger.Plain
		same(t, want)(s.Verdict(s.ctx, s.by.Tenant, i.ID))
		got, err := s.Invoice(s.ctx, s.by.Tenant, i.ID)
		if err != nil || got.QR != "code of <stamped/>" || got.Status != ledger.Cleared {
			t.Errorf("invoice after the copy arrived has status %s and QR code %q, %v, want CLEARED and the code of the copy", got.Status, got.QR, err)
		}
		if n := s.count(`SELECT count(*) FROM event WHERE action = 'invoice.stamped' AND subject = $1`, i.ID.String()); n != 1 {
			t.Errorf("%d entries of the copy in the audit trail, want 1", n)
		}
		if later := s.claimCopies(now.Add(time.Hour), 9); len(later) != 0 {
			t.Errorf("copies claimed after the copy arrived = %+v, want none", later)
		}
		same(t, []store.Unstamped{})(s.Unstamped(s.ctx, 9))
		s.copiesAreRecorded(t, i.ID, false, true, true)
		for _, change := range []string{`state = 'waiting'`, `due_at = 1`} {
			if _, err := s.raw.Exec(`UPDATE copy_request SET ` + change); !refusedWith(err, copyEndsOnce) {
				t.Errorf("update of an ended copy request with %s: %v, want a refusal", change, err)
			}
		}
		s.talliedStatuses([]ledger.Status{ledger.Cleared})
	})
}

// copiesAreRecorded checks for each attempt whether it was for a copy.
func (s *fixture) copiesAreRecorded(t testing.TB, id uuid.UUID, want ...bool) {
	t.Helper()
	tries, err := s.Attempts(s.ctx, s.by.Tenant, id)
	ok(t, err)
	var got []bool
	for _, a := range tries {
		got = append(got, a.Copy)
	}
	same(t, want)(got, nil)
}

// A copy request that the authority refuses is not repeated. Status and code do
// not change.
func TestRefusedCopyIsNotRequestedAgain(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		i, now := s.seller(s.by).unstamped(), s.config.Now()
		j := s.claimCopies(now, 9)[0]
		r := copyResult(j, ledger.Rejected, now, "")
		r.Verdict.Code = 400
		same(t, submit.Recorded{Taken: true})(s.recordOne(t, r), nil)
		if later := s.claimCopies(now.Add(time.Hour), 9); len(later) != 0 {
			t.Errorf("copies claimed after a refusal = %+v, want none", later)
		}
		same(t, ledger.Cleared)(s.statusOf(i.ID), nil)
		same(t, []store.Unstamped{{Organisation: s.by.Tenant.ID(), Invoice: i.ID, Number: i.Number, Stopped: submit.CopyRefused}})(s.Unstamped(s.ctx, 9))
		if _, err := s.raw.Exec(`UPDATE copy_request SET state = 'waiting', stopped = ''`); !refusedWith(err, copyEndsOnce) {
			t.Errorf("restart of a stopped copy request: %v, want a refusal", err)
		}
		refused(t, s.Ask(s.ctx, s.by, i.ID), fault.Conflict, "The authority has answered this invoice.")
		// A late answer with the copy is still accepted.
		same(t, submit.Recorded{Taken: true, Stamped: true})(s.recordOne(t, copyResult(j, ledger.Duplicate, now, "<stamped/>")), nil)
	})
}

// Copies of a parked device are not requested until it is released.
func TestCopiesOfParkedDevicesWait(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.seller(s.by).unstamped()
		s.execute(`UPDATE device SET parked = 1, parked_why = 'test', probe_at = 0`)
		if jobs := s.claimCopies(s.config.Now(), 9); len(jobs) != 0 {
			t.Errorf("copies claimed of a parked device = %+v, want none", jobs)
		}
		s.execute(`UPDATE device SET parked = 0, parked_why = ''`)
		j := s.claimCopies(s.config.Now(), 9)
		if len(j) != 1 {
			t.Fatalf("copies claimed of a released device = %+v, want 1", j)
		}
		// Refused credentials park a device only if they were refused for an
		// ordinary document, not for a copy request.
		s.recordOne(t, copyResult(j[0], ledger.Unauthorised, s.config.Now(), ""))
		if n := s.count(`SELECT count(*) FROM device WHERE parked = 1`); n != 0 {
			t.Errorf("%d devices are parked after a copy request, want 0", n)
		}
	})
}

// A request lapses when its lease ends. A later answer counts only if it has
// the copy.
func TestLapsedCopyRequest(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		i, now := s.seller(s.by).unstamped(), s.config.Now()
		noWait := func(int) time.Duration { return 0 }
		first := s.claimCopies(now, 9)[0]
		if n, err := s.LapseCopies(s.ctx, now.Add(59*time.Second), now.Add(time.Hour), 9, noWait); n != 0 || err != nil {
			t.Errorf("%d requests lapsed before the end of the lease, %v, want 0", n, err)
		}
		if n, err := s.LapseCopies(s.ctx, now.Add(time.Minute), now.Add(time.Hour), 9, noWait); n != 1 || err != nil {
			t.Errorf("%d requests lapsed at the end of the lease, %v, want 1", n, err)
		}
		second := s.claimCopies(s.config.Now(), 9)[0]
		same(t, submit.Recorded{})(s.recordOne(t, copyResult(first, ledger.Rejected, now, "")), nil)
		same(t, submit.Recorded{Taken: true, Stamped: true})(s.recordOne(t, copyResult(first, ledger.Duplicate, now, "<stamped/>")), nil)
		same(t, submit.Recorded{})(s.recordOne(t, copyResult(second, ledger.Unknown, now, "")), nil)
		s.copiesAreRecorded(t, i.ID, false, true, true)
	})
}

// Concurrent claims claim each copy request once.
func TestCopiesAreClaimedOnce(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		const documents, claimants = 12, 6
		for range documents {
			seller.unstamped()
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		seen := map[uuid.UUID]int{}
		for range claimants {
			all.Go(func() {
				for range documents {
					c := s.claiming(ledger.ByClearance, 3)
					jobs, err := s.ClaimCopies(s.ctx, c)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					for _, j := range jobs {
						seen[j.Invoice]++
					}
					mu.Unlock()
				}
			})
		}
		all.Wait()
		for id, n := range seen {
			if n != 1 {
				t.Errorf("copy request %s was claimed %d times, want once", id, n)
			}
		}
		if len(seen) != documents {
			t.Errorf("%d copy requests were claimed, want %d", len(seen), documents)
		}
	})
}
