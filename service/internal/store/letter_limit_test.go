package store_test

import (
	"encoding/binary"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// mailed queues e-mails that were created at a time, with ids of that time as
// the service generates them.
func (s *fixture) mailed(by org.Actor, at time.Time, to ...string) error {
	s.t.Helper()
	d := sampleDraft(s.config.NewID())
	ok(s.t, s.AddDraft(s.ctx, by, d))
	_, err := s.ChangeDraft(s.ctx, by, d.ID, func(f *share.Folder) error {
		for _, one := range to {
			l := sampleLetter(uuid.Must(uuid.NewRandom()), by.Tenant)
			id := binary.BigEndian.AppendUint64(nil, uint64(at.UnixMilli())<<16)
			copy(l.ID[:6], id)
			l.To, l.CreatedAt, l.Expires, l.NextAt = one, at, at.Add(time.Hour), at
			f.Letters = append(f.Letters, l)
		}
		return nil
	})
	return err
}

// An organisation can send at most 20 e-mails a day to one address, and 200 in
// total.
func TestDailyLimitOfLetters(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		start := instantOf(48)
		for n := range share.DayTo {
			ok(t, s.mailed(s.by, start, []string{"nora@example.com", "Nora@Example.com"}[n%2]))
		}
		tooMany := func(what string, err error, says string) {
			t.Helper()
			if fault.KindOf(err) != fault.Exhausted {
				t.Errorf("%s: %v, want an error of kind Exhausted", what, err)
			}
			list, err := s.Letters(s.ctx, s.by.Tenant, org.Page{Size: 500, Number: 1})
			ok(t, err)
			for _, l := range list.Rows {
				if l.To == says {
					t.Errorf("%s: an e-mail was queued in spite of the error, want none", what)
				}
			}
		}
		tooMany("e-mail 21 to one address", s.mailed(s.by, start.Add(24*time.Hour-time.Millisecond), "other@example.com", "nora@example.com"), "other@example.com")
		ok(t, s.mailed(s.other, start, "nora@example.com"))
		for n := range share.DayOf/share.DayTo - 1 {
			to := make([]string, share.DayTo)
			for i := range to {
				to[i] = fmt.Sprintf("person-%d@example.com", n)
			}
			ok(t, s.mailed(s.by, start, to...))
		}
		tooMany("e-mail 201 of an organisation", s.mailed(s.by, start, "last@example.com"), "last@example.com")
		ok(t, s.mailed(s.by, start.Add(24*time.Hour), "last@example.com", "nora@example.com"))
	})
}

// Concurrent e-mails do not exceed the limit.
func TestDailyLimitOfConcurrentLetters(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		var all sync.WaitGroup
		for range 2 * share.DayTo {
			all.Go(func() {
				if err := s.mailed(s.by, instantOf(48), "nora@example.com"); err != nil && fault.KindOf(err) != fault.Exhausted {
					t.Error(err)
				}
			})
		}
		all.Wait()
		same(t, share.DayTo)(s.count(`SELECT count(*) FROM letter`), nil)
		counted, err := s.CountLetters(s.ctx, instantOf(0))
		ok(t, err)
		same(t, share.DayTo)(counted[mail.Queued], nil)
	})
}
