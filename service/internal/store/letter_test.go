package store_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// lease is the lease of e-mails in these tests.
const lease = time.Minute

// posted queues n e-mails of an organisation.
func (s *fixture) posted(by org.Actor, n int, change func(i int, l *mail.Letter)) (all []mail.Letter) {
	s.t.Helper()
	d := sampleDraft(s.config.NewID())
	ok(s.t, s.AddDraft(s.ctx, by, d))
	for i := range n {
		l := sampleLetter(s.config.NewID(), by.Tenant)
		if change != nil {
			change(i, &l)
		}
		all = append(all, l)
	}
	_, err := s.ChangeDraft(s.ctx, by, d.ID, func(f *share.Folder) error { f.Letters = all; return nil })
	ok(s.t, err)
	return all
}

func (s *fixture) letter(id uuid.UUID) mail.Letter {
	s.t.Helper()
	l, err := s.AnyLetter(s.ctx, id)
	ok(s.t, err)
	return l
}

func idsOfLetters(letters []mail.Letter) (ids []uuid.UUID) {
	for _, l := range letters {
		ids = append(ids, l.ID)
	}
	return ids
}

// due claims the e-mails that are due and returns their ids.
func (s *fixture) due(now time.Time, most int) []uuid.UUID {
	s.t.Helper()
	taken, err := s.DueLetters(s.ctx, now, lease, most)
	ok(s.t, err)
	return idsOfLetters(taken)
}

func TestLettersAreTakenWhenTheyAreDue(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		now := instantOf(1)
		all := s.posted(s.by, 4, func(i int, l *mail.Letter) { l.NextAt = now.Add(time.Duration(i-2) * time.Second) })
		over := s.posted(s.other, 1, func(_ int, l *mail.Letter) { l.Expires = now })
		same(t, idsOfLetters(all[:2]))(s.due(now, 2), nil)
		same(t, idsOfLetters(all[2:3]))(s.due(now, 9), nil)
		same(t, []uuid.UUID(nil))(s.due(now, 9), nil)
		same(t, []uuid.UUID(nil))(s.due(now.Add(time.Second), 0), nil)
		want := all[0]
		want.Attempts = 1
		same(t, want)(s.letter(all[0].ID), nil)

		// An e-mail whose lease has ended is claimed again.
		same(t, idsOfLetters(all[3:]))(s.due(now.Add(lease-time.Millisecond), 9), nil)
		same(t, idsOfLetters(all[:3]))(s.due(now.Add(lease), 9), nil)
		want.Attempts = 2
		same(t, want)(s.letter(all[0].ID), nil)
		same(t, mail.Queued)(s.letter(over[0].ID).State, nil)
	})
}

func TestLettersEndOnce(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		now := instantOf(1)
		all := s.posted(s.by, 4, nil)
		sent, refusedOne, later, over := all[0], all[1], all[2], all[3]
		same(t, 4)(len(s.due(now, 9)), nil)
		next := now.Add(time.Hour)
		ok(t, s.LetterSent(s.ctx, sent.ID, now))
		ok(t, s.LetterFailed(s.ctx, refusedOne.ID, "no such mailbox", nil))
		ok(t, s.LetterFailed(s.ctx, later.ID, "try later", &next))
		for _, l := range all { // later results do not change e-mails that have ended
			if l.ID == sent.ID || l.ID == refusedOne.ID {
				ok(t, s.LetterFailed(s.ctx, l.ID, "late", &next))
				ok(t, s.LetterFailed(s.ctx, l.ID, "late", nil))
				ok(t, s.LetterSent(s.ctx, l.ID, next))
			}
		}
		ok(t, s.ExpireLetters(s.ctx, over.Expires.Add(-time.Millisecond)))
		same(t, mail.Queued)(s.letter(over.ID).State, nil)

		sent.State, sent.SentAt, sent.Sealed, sent.Attempts = mail.Sent, &now, nil, 1
		same(t, sent)(s.letter(sent.ID), nil)
		refusedOne.State, refusedOne.Problem, refusedOne.Sealed, refusedOne.Attempts = mail.Refused, "no such mailbox", nil, 1
		same(t, refusedOne)(s.letter(refusedOne.ID), nil)
		later.Problem, later.NextAt, later.Attempts = "try later", next, 1
		same(t, later)(s.letter(later.ID), nil)
		same(t, []uuid.UUID{over.ID})(s.due(next.Add(-time.Millisecond), 9), nil)
		same(t, []uuid.UUID{later.ID})(s.due(next, 9), nil)

		ok(t, s.ExpireLetters(s.ctx, over.Expires))
		over.State, over.Sealed, over.Attempts = mail.Expired, nil, 2
		same(t, over)(s.letter(over.ID), nil)
		same(t, 0)(s.count(`SELECT count(*) FROM letter WHERE sealed IS NOT NULL`), nil)
		_, err := s.Letter(s.ctx, s.by.Tenant, uuid.Max)
		refused(t, err, fault.NotFound, "Letter not found")
	})
}

// Concurrent senders get each e-mail once.
func TestLettersAreTakenByOne(t *testing.T) {
	const letters, senders = 60, 8
	each(t, func(t *testing.T, s *fixture) {
		all := idsOfLetters(s.posted(s.by, letters, nil))
		var mu sync.Mutex
		var taken []uuid.UUID
		var done sync.WaitGroup
		for range senders {
			done.Go(func() {
				for range letters {
					got, err := s.DueLetters(s.ctx, instantOf(1), lease, 3)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					taken = append(taken, idsOfLetters(got)...)
					mu.Unlock()
				}
			})
		}
		done.Wait()
		slices.SortFunc(taken, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		same(t, all)(taken, nil)
	})
}

func TestLettersAreListed(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		mine := s.posted(s.by, 3, nil)
		theirs := s.posted(s.other, 1, nil)
		page := org.Page{Size: 2, Number: 1}
		same(t, org.List[mail.Letter]{Rows: []mail.Letter{mine[2], mine[1]}, Total: 3, Next: mine[1].ID})(s.Letters(s.ctx, s.by.Tenant, page))
		same(t, org.List[mail.Letter]{Rows: []mail.Letter{mine[0]}, Total: 3})(s.Letters(s.ctx, s.by.Tenant, org.Page{Size: 2, After: mine[1].ID}))
		same(t, org.List[mail.Letter]{Rows: []mail.Letter{theirs[0], mine[2]}, Total: 4, Next: mine[2].ID})(s.AllLetters(s.ctx, page))
	})
}

// An e-mail that is being sent does not expire: it might arrive after it was
// recorded as expired.
func TestLettersDoNotExpireWhileBeingSent(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		all := s.posted(s.by, 2, nil)
		taken := all[0].Expires.Add(-time.Second)
		same(t, 1)(len(s.due(taken, 1)), nil)
		ok(t, s.ExpireLetters(s.ctx, all[0].Expires))
		same(t, mail.Queued)(s.letter(all[0].ID).State, nil)
		same(t, mail.Expired)(s.letter(all[1].ID).State, nil)
		ok(t, s.ExpireLetters(s.ctx, taken.Add(lease-time.Millisecond)))
		same(t, mail.Queued)(s.letter(all[0].ID).State, nil)
		ok(t, s.LetterSent(s.ctx, all[0].ID, all[0].Expires))
		same(t, mail.Sent)(s.letter(all[0].ID).State, nil)

		lost := s.posted(s.by, 1, nil)
		same(t, 1)(len(s.due(taken, 1)), nil)
		ok(t, s.ExpireLetters(s.ctx, taken.Add(lease)))
		same(t, mail.Expired)(s.letter(lost[0].ID).State, nil)
	})
}
