package store_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// sampleInvitation returns an invitation and its e-mail.
func sampleInvitation(s *fixture, of org.Tenant, email string, digest byte) (account.AccessLink, mail.Letter) {
	now := s.config.Now()
	l := account.AccessLink{
		ID: s.config.NewID(), Digest: digestOf(digest), Purpose: account.InvitationLink, Of: of, Email: email, Role: org.Accountant,
		CreatedBy: "test", CreatedAt: now, Expires: now.Add(account.InvitationLife),
	}
	letter := sampleLetter(s.config.NewID(), of)
	letter.To, letter.About, letter.CreatedAt, letter.Expires, letter.NextAt = email, account.AboutInvitation, now, l.Expires, now
	return l, letter
}

// joined adds a user with a role in the organisation.
func (s *fixture) joined(t *testing.T, role org.Role) (org.Person, org.Actor) {
	t.Helper()
	p := s.user(t)
	ok(t, s.AddMembership(s.ctx, s.by, p.ID, role))
	return p, org.Actor{Kind: org.PersonActor, Tenant: s.by.Tenant, ID: p.ID, Name: p.Email, Role: role}
}

func (s *fixture) admins(t *testing.T) (n int) {
	t.Helper()
	members, err := s.Members(s.ctx, s.by.Tenant)
	ok(t, err)
	for _, m := range members {
		if m.Role == org.Admin {
			n++
		}
	}
	return n
}

// Two Admins remove or downgrade each other at the same time: one stays Admin.
func TestMembers_LastAdminRace(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		one, first := s.joined(t, org.Admin)
		two, second := s.joined(t, org.Admin)
		for round := range 30 {
			take := func(by org.Actor, from org.Person, way int) error {
				switch way % 3 {
				case 0:
					_, err := s.RemoveMember(s.ctx, by, from.ID, account.KeepKeys, s.config.Now())
					return err
				case 1:
					_, err := s.ChangeRole(s.ctx, by, from.ID, org.ViewInvoice)
					return err
				}
				return s.AddMembership(s.ctx, s.by, from.ID, org.Accountant) // by the operator
			}
			errs := make([]error, 2)
			var all sync.WaitGroup
			all.Go(func() { errs[0] = take(first, two, round) })
			all.Go(func() { errs[1] = take(second, one, round/3) })
			all.Wait()
			if n := s.admins(t); n != 1 {
				t.Fatalf("round %d: %d Admins are left (%v), want 1", round, n, errs)
			}
			for _, err := range errs {
				if err != nil && fault.CodeOf(err) != fault.LastAdmin && fault.CodeOf(err) != fault.PermissionDenied {
					t.Errorf("round %d: %v, want last_admin or permission_denied", round, err)
				}
			}
			for _, p := range []org.Person{one, two} {
				ok(t, s.AddMembership(s.ctx, s.by, p.ID, org.Admin))
			}
		}
	})
}

// An Admin whose account is disabled does not count: the other one stays.
func TestMembers_DisabledAdminDoesNotCount(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		one, _ := s.joined(t, org.Admin)
		two, _ := s.joined(t, org.Admin)
		ok(t, s.DisablePerson(s.ctx, s.by, two.ID, true))
		_, removed := s.RemoveMember(s.ctx, s.by, one.ID, "", s.config.Now())
		_, changed := s.ChangeRole(s.ctx, s.by, one.ID, org.Accountant)
		for _, err := range []error{removed, changed, s.AddMembership(s.ctx, s.by, one.ID, org.ViewInvoice)} {
			if fault.CodeOf(err) != fault.LastAdmin {
				t.Errorf("error = %v, want last_admin", err)
			}
		}
		_, err := s.RemoveMember(s.ctx, s.by, two.ID, "", s.config.Now())
		ok(t, err)
	})
}

// A removed member has no sessions left and can create no further key.
func TestMembers_RemovedMember(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.joined(t, org.Admin)
		p, self := s.joined(t, org.Admin)
		key := sampleKey(s.config.NewID())
		key.CreatedBy = p.Email
		ok(t, s.AddKey(s.ctx, self, key, digestOf(1)))
		ok(t, s.AddSession(s.ctx, account.Opening{Person: p.ID, Digest: digestOf(2), From: s.config.Now(), Until: s.config.Now().Add(time.Hour)}))
		if _, err := s.RemoveMember(s.ctx, s.other, p.ID, account.RevokeKeys, s.config.Now()); fault.CodeOf(err) != fault.MemberNotFound {
			t.Errorf("removal by another organisation: %v, want member_not_found", err)
		}
		if _, err := s.RemoveMember(s.ctx, s.by, p.ID, "", s.config.Now()); fault.CodeOf(err) != fault.MemberHasKeys {
			t.Errorf("removal without a choice: %v, want member_has_keys", err)
		}
		_, err := s.Visitor(s.ctx, digestOf(2), s.config.Now())
		ok(t, err)
		keys, err := s.RemoveMember(s.ctx, s.by, p.ID, account.RevokeKeys, s.config.Now())
		ok(t, err)
		if len(keys) != 1 || keys[0].RevokedAt == nil {
			t.Errorf("keys = %+v, want one that is revoked", keys)
		}
		kept, err := s.Key(s.ctx, s.by.Tenant, key.ID)
		ok(t, err)
		if kept.RevokedAt == nil {
			t.Error("the key is not revoked")
		}
		if _, err := s.Visitor(s.ctx, digestOf(2), s.config.Now()); !errors.Is(err, account.ErrUnknown) {
			t.Errorf("session of the removed member: %v, want unknown", err)
		}
		late := sampleKey(s.config.NewID())
		if err := s.AddKey(s.ctx, self, late, digestOf(3)); fault.CodeOf(err) != fault.PermissionDenied {
			t.Errorf("key of the removed member: %v, want permission_denied", err)
		}
	})
}

// Of concurrent uses of an invitation one succeeds, and it does not lower a role.
func TestInvitationWorksOnce(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p := s.user(t)
		l, letter := sampleInvitation(s, s.by.Tenant, p.Email, 1)
		ok(t, s.AddInvitation(s.ctx, s.by, l, letter))
		ok(t, s.AddMembership(s.ctx, s.by, p.ID, org.Admin))
		self := org.Actor{Kind: org.PersonActor, ID: p.ID, Name: p.Email}
		errs := make([]error, 8)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() {
				errs[i] = s.AcceptInvitation(s.ctx, self, account.Acceptance{Digest: l.Digest, At: s.config.Now(), Person: p})
			})
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
		if used != 1 || s.admins(t) != 1 {
			t.Errorf("%d uses succeeded and %d Admins are left, want 1 and 1", used, s.admins(t))
		}
		if got := s.stateOf(t, letter); got != mail.Expired {
			t.Errorf("e-mail of the used invitation is %s, want expired", got)
		}
		again, letter := sampleInvitation(s, s.by.Tenant, p.Email, 2)
		if err := s.AddInvitation(s.ctx, s.by, again, letter); fault.CodeOf(err) != fault.AlreadyMember {
			t.Errorf("invitation of a member: %v, want already_member", err)
		}
	})
}
