package store_test

import (
	"encoding/binary"
	"errors"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// samplePasswordLink stores a request for a new password, and returns a link that
// answers it and its e-mail.
func samplePasswordLink(s *fixture, p org.Person, digest byte) (account.AccessLink, mail.Letter) {
	s.t.Helper()
	now := s.config.Now()
	r := sampleReset(s.config.NewID())
	ok(s.t, s.AddReset(s.ctx, r))
	l := account.AccessLink{
		ID: s.config.NewID(), Digest: digestOf(digest), Purpose: account.PasswordLink, Person: p.ID, Email: p.Email, Request: r.ID,
		CreatedBy: "test", CreatedAt: now, Expires: now.Add(account.ResetLife),
	}
	letter := sampleLetter(s.config.NewID(), org.Tenant{})
	copy(letter.ID[:6], binary.BigEndian.AppendUint64(nil, uint64(now.UnixMilli())<<16)) // an id of that time, as the service generates it
	letter.To, letter.About, letter.CreatedAt, letter.Expires, letter.NextAt = p.Email, account.AboutPassword, now, l.Expires, now
	return l, letter
}

func (s *fixture) user(t *testing.T) org.Person {
	t.Helper()
	p := samplePerson(s.config.NewID())
	p.Disabled = false
	ok(t, s.AddPerson(s.ctx, s.by, p, "first hash"))
	return p
}

func (s *fixture) stateOf(t *testing.T, l mail.Letter) mail.State {
	t.Helper()
	found, err := s.AnyLetter(s.ctx, l.ID)
	ok(t, err)
	if (found.State == mail.Queued) != (found.Sealed != nil) {
		t.Errorf("e-mail %s is %s and has contents: %v", l.ID, found.State, found.Sealed != nil)
	}
	return found.State
}

// A link stops working, and its e-mail is not sent, once another link is created,
// the password changes or the account is disabled.
func TestPasswordLinkEndsWithItsReason(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		for n, c := range []struct {
			name string
			do   func(org.Person) error
			used error
		}{
			{"another link", func(p org.Person) error {
				l, letter := samplePasswordLink(s, p, 0x80)
				return s.AddPasswordLink(s.ctx, s.by, l, letter)
			}, account.ErrUnknown},
			{"a password set by the operator", func(p org.Person) error { return s.SetPassword(s.ctx, s.by, p.ID, "other") }, account.ErrUnknown},
			{"a password replaced by the person", func(p org.Person) error { return s.ReplacePassword(s.ctx, s.by, p.ID, "first hash", "other") }, account.ErrUnknown},
			{"a disabled account", func(p org.Person) error { return s.DisablePerson(s.ctx, s.by, p.ID, true) }, account.ErrUnknown},
			{"a new name", func(p org.Person) error { _, err := s.RenamePerson(s.ctx, s.by, p.ID, "Sara"); return err }, nil},
		} {
			p := s.user(t)
			l, letter := samplePasswordLink(s, p, byte(n+1))
			ok(t, s.AddPasswordLink(s.ctx, s.by, l, letter))
			ok(t, c.do(p))
			want := mail.Queued
			if c.used != nil {
				want = mail.Expired
			}
			if got := s.stateOf(t, letter); got != want {
				t.Errorf("%s: e-mail is %s, want %s", c.name, got, want)
			}
			if err := s.ResetPassword(s.ctx, s.by, l.Digest, "stolen", s.config.Now()); !errors.Is(err, c.used) {
				t.Errorf("%s: use of the link = %v, want %v", c.name, err, c.used)
			}
		}
	})
}

// Of concurrent uses of a link one succeeds. A password change at the same time
// does not deadlock.
func TestPasswordLinkWorksOnce(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		for n := range 5 {
			p := s.user(t)
			l, letter := samplePasswordLink(s, p, byte(n+1))
			ok(t, s.AddPasswordLink(s.ctx, s.by, l, letter))
			errs := make([]error, 8)
			var all sync.WaitGroup
			for i := range errs {
				all.Go(func() { errs[i] = s.ResetPassword(s.ctx, s.by, l.Digest, "new hash", s.config.Now()) })
			}
			if n%2 == 1 {
				all.Go(func() { ok(t, s.SetPassword(s.ctx, s.by, p.ID, "operator's hash")) })
			}
			all.Wait()
			used := 0
			for _, err := range errs {
				switch {
				case err == nil:
					used++
				case !errors.Is(err, account.ErrUnknown):
					t.Error(err)
				}
			}
			if used > 1 || n%2 == 0 && used != 1 {
				t.Errorf("%d uses of the link succeeded, want one", used)
			}
		}
	})
}

// A person is sent a limited number of links a day. Further requests leave the last
// link working.
func TestPasswordLinksPerDay(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p := s.user(t)
		for n := range account.DayResets + 2 {
			l, letter := samplePasswordLink(s, p, byte(n+1))
			ok(t, s.AddPasswordLink(s.ctx, s.by, l, letter))
		}
		if got := s.count(`SELECT count(*) FROM letter WHERE link_id IS NOT NULL`); got != account.DayResets {
			t.Errorf("%d e-mails were queued, want %d", got, account.DayResets)
		}
		ok(t, s.ResetPassword(s.ctx, s.by, digestOf(account.DayResets), "new hash", s.config.Now()))
		l, letter := samplePasswordLink(s, p, 0xff)
		for _, at := range []*time.Time{&l.CreatedAt, &l.Expires, &letter.CreatedAt, &letter.Expires, &letter.NextAt} {
			*at = at.Add(24*time.Hour + time.Second)
		}
		ok(t, s.AddPasswordLink(s.ctx, s.by, l, letter))
		if got := s.stateOf(t, letter); got != mail.Queued {
			t.Errorf("e-mail of the next day is %s, want queued", got)
		}
	})
}
