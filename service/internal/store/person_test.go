package store_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
)

func TestPersonIsReadAsItWasWritten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p := samplePerson(s.config.NewID())
		filled(t, p)
		ok(t, s.AddPerson(s.ctx, s.by, p, "$argon2id$kept"))
		got, password, err := s.PersonByEmail(s.ctx, p.Email)
		same(t, p)(got, err)
		if password != "$argon2id$kept" {
			t.Errorf("stored password hash = %q, want %q", password, "$argon2id$kept")
		}
		again := samplePerson(s.config.NewID())
		again.Email = p.Email
		refused(t, s.AddPerson(s.ctx, s.by, again, ""), fault.Invalid, "An account with this e-mail address already exists.")
		if _, _, err := s.PersonByEmail(s.ctx, "nobody@example.com"); !errors.Is(err, account.ErrUnknown) {
			t.Errorf("unknown e-mail address: %v, want %v", err, account.ErrUnknown)
		}
		const missing = "Person not found"
		refused(t, s.SetPassword(s.ctx, s.by, s.config.NewID(), "x"), fault.NotFound, missing)
		refused(t, s.DisablePerson(s.ctx, s.by, s.config.NewID(), true), fault.NotFound, missing)
	})
}

func TestMembersAreThoseOfOneOrganisation(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		first, second := samplePerson(s.config.NewID()), samplePerson(s.config.NewID())
		for _, p := range []org.Person{first, second} {
			ok(t, s.AddPerson(s.ctx, s.by, p, ""))
			ok(t, s.AddMembership(s.ctx, s.by, p.ID, org.Accountant))
		}
		ok(t, s.AddMembership(s.ctx, s.other, first.ID, org.Admin))
		ok(t, s.AddMembership(s.ctx, s.by, first.ID, org.ViewInvoice)) // changes the role
		same(t, []store.Member{{Person: first, Role: org.ViewInvoice}, {Person: second, Role: org.Accountant}})(s.Members(s.ctx, s.by.Tenant))
		same(t, []store.Member{{Person: first, Role: org.Admin}})(s.Members(s.ctx, s.other.Tenant))
		if err := s.AddMembership(s.ctx, s.by, s.config.NewID(), org.Admin); err == nil {
			t.Error("AddMembership of an unknown user succeeded, want an error")
		}
	})
}

// A new user and the membership are written together, each with an entry in the
// audit trail.
func TestAddMember(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p := samplePerson(s.config.NewID())
		ok(t, s.AddMember(s.ctx, s.by, p, "$argon2id$kept", org.Accountant))
		same(t, []store.Member{{Person: p, Role: org.Accountant}})(s.Members(s.ctx, s.by.Tenant))
		got, password, err := s.PersonByEmail(s.ctx, p.Email)
		same(t, p)(got, err)
		same(t, "$argon2id$kept")(password, nil)
		events, err := s.Events(s.ctx, s.by.Tenant, 2)
		ok(t, err)
		var actions []string
		for _, e := range events {
			actions = append(actions, e.Action)
		}
		same(t, []string{"member.add", "person.create"})(actions, nil)
		again := samplePerson(s.config.NewID())
		again.Email = p.Email
		refused(t, s.AddMember(s.ctx, s.by, again, "", org.Admin), fault.Invalid, "An account with this e-mail address already exists.")
	})
}

// signedIn adds a user with a session of one hour. It returns the user and the
// digest of the session token.
func (s *fixture) signedIn() (org.Person, []byte) {
	s.t.Helper()
	p := samplePerson(s.config.NewID())
	p.Disabled = false
	ok(s.t, s.AddPerson(s.ctx, s.by, p, ""))
	digest := bytes.Repeat([]byte{p.ID[15], p.ID[14]}, 16)
	network := bytes.Repeat([]byte{p.ID[15], p.ID[13]}, 16)
	ok(s.t, s.AddSession(s.ctx, account.Opening{Person: p.ID, Digest: digest, From: s.config.Now(), Until: s.config.Now().Add(time.Hour), Network: network, Networks: 3}))
	return p, digest
}

func TestVisitor(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p, digest := s.signedIn()
		now := s.config.Now()
		until := now.Add(time.Hour)
		same(t, org.Visitor{Person: p, Memberships: []org.Membership{}, Until: until})(s.Visitor(s.ctx, digest, now))
		third := s.register("third")
		for by, role := range map[*org.Actor]org.Role{&s.by: org.Admin, &s.other: org.ViewInvoice, &third: org.Accountant} {
			ok(t, s.AddMembership(s.ctx, *by, p.ID, role))
		}
		ok(t, s.SetStatus(s.ctx, s.by, org.Suspended))
		ok(t, s.SetStatus(s.ctx, s.other, org.Deactivated)) // not returned by Visitor
		ok(t, s.Subscribe(s.ctx, third, "business"))
		plans := org.FirstPlans()
		want := org.Visitor{Person: p, Until: until, Memberships: []org.Membership{
			{Organisation: s.by.Tenant.ID(), OrganisationName: "first", ArabicName: "ختم وأبناؤه", Status: org.Suspended, Plan: plans[1], Role: org.Admin},
			{Organisation: third.Tenant.ID(), OrganisationName: "third", ArabicName: "ختم وأبناؤه", Status: org.Active, Plan: plans[2], Role: org.Accountant},
		}}
		same(t, want)(s.Visitor(s.ctx, digest, now.Add(time.Hour-time.Millisecond)))
	})
}

func TestSessionEnds(t *testing.T) {
	cases := []struct {
		name string
		end  func(s *fixture, p org.Person, digest []byte) error
		at   time.Duration
	}{
		{"when it expires", func(*fixture, org.Person, []byte) error { return nil }, time.Hour},
		{"sign-out", func(s *fixture, _ org.Person, digest []byte) error { return s.EndSession(s.ctx, digest) }, 0},
		{"sign-out of all sessions", func(s *fixture, p org.Person, _ []byte) error { return s.EndSessions(s.ctx, p.ID) }, 0},
		{"new password", func(s *fixture, p org.Person, _ []byte) error { return s.SetPassword(s.ctx, s.by, p.ID, "new") }, 0},
		{"disabled account", func(s *fixture, p org.Person, _ []byte) error { return s.DisablePerson(s.ctx, s.by, p.ID, true) }, 0},
	}
	each(t, func(t *testing.T, s *fixture) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				p, digest := s.signedIn()
				_, others := s.signedIn()
				ok(t, c.end(s, p, digest))
				at := s.config.Now().Add(c.at)
				if _, err := s.Visitor(s.ctx, digest, at); !errors.Is(err, account.ErrUnknown) {
					t.Errorf("visitor of an ended session: %v, want %v", err, account.ErrUnknown)
				}
				if _, err := s.Visitor(s.ctx, others, s.config.Now()); err != nil {
					t.Errorf("session of another user: %v, want it still valid", err)
				}
			})
		}
	})
}

func TestDisabledPersonHasNoSession(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p, _ := s.signedIn()
		ok(t, s.DisablePerson(s.ctx, s.by, p.ID, true))
		digest := bytes.Repeat([]byte{0xcc}, 32)
		ok(t, s.AddSession(s.ctx, account.Opening{Person: p.ID, Digest: digest, From: s.config.Now(), Until: s.config.Now().Add(time.Hour)}))
		if _, err := s.Visitor(s.ctx, digest, s.config.Now()); !errors.Is(err, account.ErrUnknown) {
			t.Errorf("visitor with a disabled account: %v, want %v", err, account.ErrUnknown)
		}
		ok(t, s.DisablePerson(s.ctx, s.by, p.ID, false))
		got, _, err := s.PersonByEmail(s.ctx, p.Email)
		same(t, p)(got, err)
	})
}

// Expired sessions are deleted at the next sign-in.
func TestExpiredSessionsAreDeleted(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p, _ := s.signedIn()
		later := s.config.Now().Add(time.Hour)
		ok(t, s.AddSession(s.ctx, account.Opening{Person: p.ID, Digest: bytes.Repeat([]byte{1}, 32), From: later, Until: later.Add(time.Hour)}))
		if got := s.count(`SELECT count(*) FROM session`); got != 1 {
			t.Errorf("%d sessions are stored, want 1", got)
		}
	})
}

// Of each person the newest networks are kept, and for a limited time.
func TestKnownNetworks(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p, _ := s.signedIn()
		s.signedIn() // another person, whose network stays
		start := s.config.Now()
		sign := func(n int, forget time.Time) {
			t.Helper()
			at := start.Add(time.Duration(n) * time.Minute)
			ok(t, s.AddSession(s.ctx, account.Opening{
				Person: p.ID, Digest: digestOf(byte(100 + n)), From: at, Until: at.Add(time.Hour), Network: digestOf(byte(n % 10)), Forget: forget, Networks: 3,
			}))
		}
		want := func(name string, after time.Time, known ...bool) {
			t.Helper()
			for n, want := range known {
				if got, err := s.KnowsNetwork(s.ctx, digestOf(byte(n)), after); err != nil || got != want {
					t.Errorf("%s: network %d is known: %t, %v; want %t", name, n, got, err, want)
				}
			}
		}
		for n := range 4 {
			sign(n, time.Time{})
		}
		want("four sign-ins", start.Add(-time.Hour), false, true, true, true)
		want("at a later time", start.Add(2*time.Minute), false, false, false, true)
		sign(11, time.Time{}) // again from network 1
		sign(4, time.Time{})
		want("the oldest of four", start.Add(-time.Hour), false, true, false, true, true)
		if got := s.count(`SELECT count(*) FROM known_network`); got != 4 {
			t.Errorf("%d networks are stored, want 3 and one of another person", got)
		}
		sign(15, start.Add(4*time.Minute))
		if got := s.count(`SELECT count(*) FROM known_network`); got != 2 {
			t.Errorf("%d networks are stored, want those seen after the given time: 2", got)
		}
		ok(t, s.DisablePerson(s.ctx, s.by, p.ID, true))
		if got := s.count(`SELECT count(*) FROM known_network`); got != 0 {
			t.Errorf("%d networks of a disabled account are stored, want 0", got)
		}
	})
}
