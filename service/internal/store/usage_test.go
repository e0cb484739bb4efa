package store_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/org"
)

func TestUsageByMonth(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		november := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
		starter := org.FirstPlans()[1]
		same(t, org.Usage{Plan: starter, Month: november})(s.Usage(s.ctx, s.by.Tenant, s.config.Now()))

		const insert = `INSERT INTO usage (org_id, month, invoices, validations) VALUES ($1, $2, $3, $4)`
		s.execute(insert, s.by.Tenant.ID().String(), "2026-11-01", 12, 34)
		s.execute(insert, s.by.Tenant.ID().String(), "2026-12-01", 56, 78)
		s.execute(insert, s.other.Tenant.ID().String(), "2026-11-01", 90, 91)
		same(t, org.Usage{Plan: starter, Month: november, Invoices: 12, Validations: 34})(s.Usage(s.ctx, s.by.Tenant, november.AddDate(0, 1, 0).Add(-time.Millisecond)))
		same(t, org.Usage{Plan: starter, Month: november.AddDate(0, 1, 0), Invoices: 56, Validations: 78})(s.Usage(s.ctx, s.by.Tenant, november.AddDate(0, 1, 0)))
		ok(t, s.Subscribe(s.ctx, s.by, "enterprise"))
		same(t, org.Usage{Plan: org.FirstPlans()[3], Month: november.AddDate(0, 2, 0)})(s.Usage(s.ctx, s.by.Tenant, november.AddDate(0, 2, 0)))
	})
}

var (
	thisMonth = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	nextMonth = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
)

func TestTakeWriteAndGiveWriteBack(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		take := func(by org.Actor, month time.Time, ceiling int, want bool) {
			t.Helper()
			same(t, want)(s.TakeWrite(s.ctx, by.Tenant, month, ceiling))
		}
		take(s.by, thisMonth, 0, false)
		same(t, 0)(s.Writes(s.ctx, s.by.Tenant, thisMonth))
		take(s.by, thisMonth, 2, true)
		take(s.by, thisMonth, 2, true)
		take(s.by, thisMonth, 2, false)
		same(t, 2)(s.Writes(s.ctx, s.by.Tenant, thisMonth))
		take(s.by, thisMonth, 3, true)    // a larger plan
		take(s.by, thisMonth, 1, false)   // a smaller one
		take(s.by, nextMonth, 1, true)    // another month
		take(s.other, thisMonth, 1, true) // another organisation
		for range 5 {
			ok(t, s.GiveWriteBack(s.ctx, s.by.Tenant, thisMonth))
		}
		same(t, 0)(s.Writes(s.ctx, s.by.Tenant, thisMonth)) // never negative
		take(s.by, thisMonth, 1, true)
		same(t, 1)(s.Writes(s.ctx, s.by.Tenant, nextMonth))
		same(t, 1)(s.Writes(s.ctx, s.other.Tenant, thisMonth))
	})
}

// Fifty goroutines call TakeWrite and, at random, GiveWriteBack. The number of
// writes never exceeds the ceiling.
func TestFairUseNeverExceedsItsCeiling(t *testing.T) {
	const takers, turns, ceiling = 50, 12, 37
	each(t, func(t *testing.T, s *fixture) {
		var out, refusals atomic.Int64
		var all sync.WaitGroup
		for taker := range takers {
			all.Go(func() {
				chance := rand.New(rand.NewPCG(1, uint64(taker)))
				for range turns {
					taken, err := s.TakeWrite(s.ctx, s.by.Tenant, thisMonth, ceiling)
					if err != nil {
						t.Error(err)
					}
					if !taken {
						refusals.Add(1)
						continue
					}
					if now := out.Add(1); now > ceiling {
						t.Errorf("%d writes are taken, want at most %d", now, ceiling)
					}
					if chance.IntN(3) == 0 {
						continue
					}
					out.Add(-1)
					if err := s.GiveWriteBack(s.ctx, s.by.Tenant, thisMonth); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if refusals.Load() == 0 {
			t.Error("the ceiling was never reached, want refusals")
		}
		same(t, int(out.Load()))(s.Writes(s.ctx, s.by.Tenant, thisMonth))
		same(t, 0)(s.Writes(s.ctx, s.by.Tenant, nextMonth))
	})
}
