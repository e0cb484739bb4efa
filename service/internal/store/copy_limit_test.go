package store_test

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/submit"
)

// A copy is not requested 23 hours after the authority may have accepted the
// document. After 24 hours the authority no longer recognises a duplicate and
// would accept the same document as new.
func TestCopyIsNotRequestedAfter23Hours(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller, now := s.seller(s.by), s.config.Now()
		// The first attempt was not answered and may have been accepted.
		i := seller.queued(false, 0)
		first := s.claim(s.claiming(ledger.ByClearance, 9))[0]
		s.takes(t, resultOfJob(first, ledger.Unknown, now))
		_, err := s.Promote(s.ctx, now, now.Add(time.Hour), 9)
		ok(t, err)
		c := s.claiming(ledger.ByClearance, 9)
		c.Now = now.Add(20 * time.Hour)
		c.LeaseUntil = c.Now.Add(time.Minute)
		second := s.claim(c)[0]
		s.takes(t, resultOfJob(second, ledger.Duplicate, c.Now))
		almost, over := now.Add(submit.DoubtTime-time.Millisecond), now.Add(submit.DoubtTime)
		same(t, []submit.Stopped(nil))(s.StopCopies(s.ctx, almost.Add(-submit.DoubtTime), 9))
		if jobs := s.claimCopies(over, 9); len(jobs) != 0 {
			t.Errorf("copies claimed after the limit = %+v, want none", jobs)
		}
		j := s.claimCopies(almost, 9)
		if len(j) != 1 {
			t.Fatalf("copies claimed before the limit = %+v, want 1", j)
		}
		s.recordOne(t, copyResult(j[0], ledger.Unknown, almost, ""))
		same(t, []submit.Stopped{{Tenant: s.by.Tenant, Invoice: i.ID}})(s.StopCopies(s.ctx, over.Add(-submit.DoubtTime), 9))
		same(t, []submit.Stopped(nil))(s.StopCopies(s.ctx, over.Add(-submit.DoubtTime), 9))
		b, err := s.Backlog(s.ctx, over)
		if err != nil || b.Unstamped != 0 || b.UnstampedLost != 1 {
			t.Errorf("backlog after the limit = %+v, %v, want 1 lost copy", b, err)
		}
		same(t, ledger.Cleared)(s.statusOf(i.ID), nil)
	})
}

// The 24 hours begin when the authority accepts the document as new, regardless
// of earlier attempts.
func TestCopyOfANewAcceptanceIsRequestedFor23Hours(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.seller(s.by).queued(false, 0)
		now := s.config.Now()
		s.takes(t, resultOfJob(s.claim(s.claiming(ledger.ByClearance, 9))[0], ledger.Unknown, now))
		_, err := s.Promote(s.ctx, now, now.Add(time.Hour), 9)
		ok(t, err)
		c := s.claiming(ledger.ByClearance, 9)
		c.Now = now.Add(20 * time.Hour)
		c.LeaseUntil = c.Now.Add(time.Minute)
		s.takes(t, resultOfJob(s.claim(c)[0], ledger.Accepted, c.Now))
		if jobs := s.claimCopies(now.Add(40*time.Hour), 9); len(jobs) != 1 {
			t.Errorf("copies claimed 20 hours after the acceptance = %+v, want 1", jobs)
		}
	})
}

// After a restore the authority may have accepted the document before any
// attempt in the database. So its copy is not requested 23 hours after its
// creation, even if a caller asked to send it again.
func TestCopyIsNotRequested23HoursAfterCreationAfterARestore(t *testing.T) {
	for name, asked := range map[string]bool{"resent": false, "requested": true} {
		t.Run(name, func(t *testing.T) {
			mostlySQLite(t, func(t *testing.T, s *fixture) {
				i := s.seller(s.by).queued(false, 0)
				ok(t, s.StopIssuing(s.ctx, "restored"))
				c := s.claiming(ledger.ByClearance, 9)
				c.Now = i.CreatedAt.Add(20 * time.Hour)
				c.LeaseUntil, c.Doubt = c.Now.Add(time.Minute), c.Now.Add(-submit.DoubtTime)
				first := s.claim(c)[0]
				if asked { // the resend is not answered, and a caller requests another
					s.takes(t, resultOfJob(first, ledger.Unknown, c.Now))
					ok(t, s.Ask(s.ctx, s.by, i.ID))
					first = s.claim(c)[0]
				}
				s.takes(t, resultOfJob(first, ledger.Duplicate, c.Now))
				if jobs := s.claimCopies(i.CreatedAt.Add(submit.DoubtTime), 9); len(jobs) != 0 {
					t.Errorf("copies claimed 23 hours after the creation = %+v, want none", jobs)
				}
				same(t, []submit.Stopped{{Tenant: s.by.Tenant, Invoice: i.ID}})(s.StopCopies(s.ctx, i.CreatedAt, 9))
			})
		})
	}
}

// An upgrade requests the copies of documents that an earlier version cleared
// without one. The limit is the same as for new documents.
func TestMigrateRequestsCopies(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller, now := s.seller(s.by), s.config.Now()
		seller.unstamped() // a duplicate at the first attempt
		seller.answered(ledger.Cleared)
		seller.answered(ledger.NotCleared)
		for _, o := range []ledger.Outcome{ledger.Accepted, ledger.Duplicate} { // after an attempt that may have arrived
			seller.queued(false, 0)
			s.takes(t, resultOfJob(s.claim(s.claiming(ledger.ByClearance, 9))[0], ledger.Unknown, now))
			_, err := s.Promote(s.ctx, now, now.Add(time.Hour), 9)
			ok(t, err)
			c := s.claiming(ledger.ByClearance, 9)
			c.Now, c.LeaseUntil = now.Add(time.Hour), now.Add(2*time.Hour)
			s.takes(t, resultOfJob(s.claim(c)[0], o, c.Now))
		}
		const rows = `SELECT CAST(invoice_id AS TEXT) || ' ' || CAST(device_id AS TEXT) || ' ' || state || ' ' || since || ' ' || failures || stopped FROM copy_request ORDER BY 1`
		want := s.texts(rows)
		if len(want) != 3 {
			t.Fatalf("copy requests = %q, want 3", want)
		}
		trigger, folder := "copy_request_stays", "sqlite"
		if s.config.URL != "" {
			trigger, folder = trigger+" ON copy_request", "postgres"
		}
		s.execute(`DROP TRIGGER ` + trigger)
		s.execute(`DELETE FROM copy_request`)
		s.execute(backfill(t, folder))
		same(t, want)(s.texts(rows), nil)
		if n := s.count(`SELECT count(DISTINCT since) FROM copy_request`); n != 2 {
			t.Errorf("%d different values of since, want 2", n)
		}
	})
}

// backfill returns the statement of the migration that requests copies.
func backfill(t testing.TB, folder string) string {
	t.Helper()
	files, err := fs.Glob(database.Migrations(), "migrations/"+folder+"/*_copies.sql")
	if err != nil || len(files) != 1 {
		t.Fatalf("migrations of copies = %q, %v, want 1", files, err)
	}
	text, err := fs.ReadFile(database.Migrations(), files[0])
	ok(t, err)
	_, rest, _ := strings.Cut(string(text), "INSERT INTO copy_request")
	statement, _, found := strings.Cut(rest, ";")
	if !found {
		t.Fatal("the migration does not insert into copy_request")
	}
	return "INSERT INTO copy_request" + statement
}
