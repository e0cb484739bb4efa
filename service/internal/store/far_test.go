package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/mail"
)

// Times set by a clock that was a year ahead count as past. Times within the
// limit do not.
func TestTimesOfAWrongClock(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller, now := s.seller(s.by), s.config.Now()
		far, wrong := now.Add(time.Hour), now.AddDate(1, 0, 0)
		waits := func(due time.Time) (n int) {
			t.Helper()
			id := seller.queued(true, 0).ID
			job := s.claim(s.claiming(ledger.ByReporting, 1))[0]
			r := resultOfJob(job, ledger.Unknown, now)
			r.Due = due
			s.takes(t, r)
			n, err := s.Promote(s.ctx, now, far, 9)
			ok(t, err)
			s.execute(`UPDATE submission SET state = 'held', due_at = NULL, stopped = 'in doubt' WHERE invoice_id = $1`, id)
			return n
		}
		same(t, 0)(waits(far), nil)
		same(t, 1)(waits(wrong), nil)

		seller.queued(true, 0)
		c := s.claiming(ledger.ByReporting, 1)
		c.LeaseUntil = far
		s.claim(c)
		same(t, 0)(s.Lapse(s.ctx, now, far, 9, func(int) time.Duration { return 0 }))
		s.execute(`UPDATE submission SET lease_until = $1 WHERE state = 'sending'`, wrong.UnixMilli())
		same(t, 1)(s.Lapse(s.ctx, now, far, 9, func(int) time.Duration { return 0 }))
	})
}

func TestLettersOfAWrongClock(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		now := instantOf(1)
		wrong := now.AddDate(1, 0, 0)
		letters := s.posted(s.by, 2, func(_ int, l *mail.Letter) { l.Expires = wrong.AddDate(1, 0, 0) })
		ok(t, s.LetterFailed(s.ctx, letters[0].ID, "try later", &wrong))
		s.execute(`UPDATE letter SET lease_until = $1 WHERE id = $2`, wrong.UnixMilli(), letters[1].ID)
		if got := s.due(now, 9); len(got) != 2 {
			t.Errorf("%d e-mails with times in the far future are due, want 2", len(got))
		}
		same(t, []uuid.UUID(nil))(s.due(now, 9), nil)
	})
}

// The probe of a parked device is due now if its time was set by a wrong clock.
func TestProbesOfAWrongClock(t *testing.T) {
	again := func(int) time.Duration { return time.Minute }
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.seller(s.by).held(3)
		now := s.config.Now()
		s.execute(`UPDATE device SET probe_at = $1 WHERE parked = 1`, now.Add(time.Hour).UnixMilli())
		same(t, 0)(s.Probe(s.ctx, now, now.Add(time.Hour), again))
		s.execute(`UPDATE device SET probe_at = $1 WHERE parked = 1`, now.AddDate(1, 0, 0).UnixMilli())
		same(t, 1)(s.Probe(s.ctx, now, now.Add(time.Hour), again))
	})
}
