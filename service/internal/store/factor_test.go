package store_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/org"
)

// withoutFactor is the id of a user without a second factor.
const withoutFactor = "01000000-0000-7000-8000-0000000000fa"

func (s *fixture) plainPerson(id string) {
	s.t.Helper()
	p := samplePerson(uuid.MustParse(id))
	p.Disabled = false
	ok(s.t, s.AddPerson(s.ctx, s.by, p, ""))
}

// proves returns a check that accepts a code.
func proves(step int64, recovery []byte) account.Prove {
	return func(account.Factor) (account.Proof, error) { return account.Proof{Step: step, Recovery: recovery}, nil }
}

// opening returns a session of one hour.
func (s *fixture) opening(person uuid.UUID, mark byte) account.Opening {
	return account.Opening{Person: person, Digest: digestOf(mark), From: s.config.Now(), Until: s.config.Now().Add(time.Hour)}
}

// sampleFactor returns a second factor that is not active.
func (s *fixture) sampleFactor(person uuid.UUID) account.Factor {
	return account.Factor{Person: person, Sealed: sealedSample(1), CreatedAt: s.config.Now(), Expires: s.config.Now().Add(time.Hour)}
}

// factored adds a user with an active second factor and two recovery codes, of
// which the first is used.
func (s *fixture) factored() org.Person {
	s.t.Helper()
	p, _ := s.signedIn()
	ok(s.t, s.AddFactor(s.ctx, s.sampleFactor(p.ID)))
	ok(s.t, s.ActivateFactor(s.ctx, s.by, proves(5, nil), [][]byte{digestOf(0xf1), digestOf(0xf2)}, s.opening(p.ID, 0xf3)))
	o := s.opening(p.ID, 0xf4)
	o.Prove = proves(0, digestOf(0xf1))
	ok(s.t, s.AddSession(s.ctx, o))
	return p
}

func TestFactorIsReadAsItWasWritten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p, session := s.signedIn()
		now := s.config.Now()
		if _, err := s.Factor(s.ctx, p.ID); !errors.Is(err, account.ErrUnknown) {
			t.Errorf("error without a factor = %v, want %v", err, account.ErrUnknown)
		}
		want := s.sampleFactor(p.ID)
		ok(t, s.AddFactor(s.ctx, want))
		same(t, want)(s.Factor(s.ctx, p.ID))
		want.Sealed = sealedSample(2)
		ok(t, s.AddFactor(s.ctx, want)) // replaces the one that is not active
		same(t, want)(s.Factor(s.ctx, p.ID))
		ok(t, s.AddSession(s.ctx, s.opening(p.ID, 1))) // needs no code yet

		late := s.opening(p.ID, 2)
		late.From = now.Add(time.Hour)
		for name, err := range map[string]error{
			"expired factor":          s.ActivateFactor(s.ctx, s.by, proves(5, nil), nil, late),
			"factor of another":       s.ActivateFactor(s.ctx, s.by, proves(5, nil), nil, s.opening(uuid.Max, 2)),
			"codes before activation": s.ReplaceRecovery(s.ctx, s.by, p.ID, proves(5, nil), nil),
			"removal before it":       s.RemoveFactor(s.ctx, s.by, p.ID, nil),
		} {
			if !errors.Is(err, account.ErrUnknown) {
				t.Errorf("%s: error = %v, want %v", name, err, account.ErrUnknown)
			}
		}
		refuse := func(account.Factor) (account.Proof, error) { return account.Proof{}, account.ErrWrongCode }
		if err := s.ActivateFactor(s.ctx, s.by, refuse, nil, s.opening(p.ID, 2)); !errors.Is(err, account.ErrWrongCode) {
			t.Errorf("error of a wrong code = %v, want %v", err, account.ErrWrongCode)
		}
		same(t, want)(s.Factor(s.ctx, p.ID))

		seen := func(f account.Factor) (account.Proof, error) {
			same(t, want)(f, nil)
			return account.Proof{Step: 5}, nil
		}
		ok(t, s.ActivateFactor(s.ctx, s.by, seen, [][]byte{digestOf(0xf1), digestOf(0xf2)}, s.opening(p.ID, 3)))
		want.Expires, want.ActiveAt, want.LastStep, want.Recovery = time.Time{}, now, 5, 2
		same(t, want)(s.Factor(s.ctx, p.ID))
		for _, ended := range [][]byte{session, digestOf(1)} {
			if _, err := s.Visitor(s.ctx, ended, now); !errors.Is(err, account.ErrUnknown) {
				t.Errorf("error of a session before the activation = %v, want %v", err, account.ErrUnknown)
			}
		}
		if _, err := s.Visitor(s.ctx, digestOf(3), now); err != nil {
			t.Errorf("session of the activation: %v", err)
		}
		if err := s.AddFactor(s.ctx, s.sampleFactor(p.ID)); !errors.Is(err, account.ErrFactor) {
			t.Errorf("error of a second one = %v, want %v", err, account.ErrFactor)
		}
	})
}

func TestSessionNeedsTheFactor(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p := s.factored()
		try := func(mark byte, prove account.Prove, want error) {
			t.Helper()
			o := s.opening(p.ID, mark)
			o.Prove = prove
			if err := s.AddSession(s.ctx, o); !errors.Is(err, want) {
				t.Errorf("AddSession = %v, want %v", err, want)
			}
			if _, err := s.Visitor(s.ctx, o.Digest, o.From); (err == nil) != (want == nil) {
				t.Errorf("session after %v: %v", want, err)
			}
		}
		try(1, nil, account.ErrFactor)
		try(2, proves(4, nil), account.ErrWrongCode)
		try(3, proves(5, nil), account.ErrWrongCode)
		try(4, proves(6, nil), nil)
		try(5, proves(6, nil), account.ErrWrongCode)
		try(6, proves(0, digestOf(0xf1)), account.ErrWrongCode) // used
		try(7, proves(0, digestOf(0xff)), account.ErrWrongCode) // unknown
		try(8, proves(0, digestOf(0xf2)), nil)
		o := s.opening(p.ID, 9)
		o.Proven = true
		ok(t, s.AddSession(s.ctx, o))

		ok(t, s.ReplaceRecovery(s.ctx, s.by, p.ID, proves(7, nil), [][]byte{digestOf(0xf1)}))
		try(10, proves(0, digestOf(0xf2)), account.ErrWrongCode)
		try(11, proves(0, digestOf(0xf1)), nil)
		if err := s.RemoveFactor(s.ctx, s.by, p.ID, proves(7, nil)); !errors.Is(err, account.ErrWrongCode) {
			t.Errorf("removal with a used code: %v, want %v", err, account.ErrWrongCode)
		}
		ok(t, s.RemoveFactor(s.ctx, s.by, p.ID, proves(8, nil)))
		if _, err := s.Visitor(s.ctx, digestOf(11), s.config.Now()); err != nil {
			t.Errorf("session after the removal: %v", err)
		}
		try(12, nil, nil)
		same(t, 0)(s.count(`SELECT count(*) FROM recovery_code`)+s.count(`SELECT count(*) FROM second_factor`), nil)
	})
}

// The entries about an account are in the trail of each organisation of the user,
// or of the installation.
func TestFactorIsInTheTrail(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		alone := s.factored()
		p, _ := s.signedIn()
		for _, by := range []org.Actor{s.by, s.other} {
			ok(t, s.AddMembership(s.ctx, by, p.ID, org.Admin))
		}
		operator := org.Operator(org.Tenant{}, "test")
		ok(t, s.AddFactor(s.ctx, s.sampleFactor(p.ID)))
		ok(t, s.ActivateFactor(s.ctx, operator, proves(5, nil), nil, s.opening(p.ID, 1)))
		ok(t, s.ReplaceRecovery(s.ctx, operator, p.ID, proves(6, nil), nil))
		ok(t, s.RemoveFactor(s.ctx, operator, p.ID, nil))
		if _, err := s.Visitor(s.ctx, digestOf(1), s.config.Now()); !errors.Is(err, account.ErrUnknown) {
			t.Errorf("session after the operator removed the factor: %v, want %v", err, account.ErrUnknown)
		}
		for _, of := range []org.Tenant{s.by.Tenant, s.other.Tenant} {
			events, err := s.Events(s.ctx, of, 3)
			ok(t, err)
			var actions []string
			for _, e := range events {
				actions = append(actions, e.Action+" "+e.Subject)
			}
			same(t, []string{"second_factor.remove " + p.ID.String(), "second_factor.codes " + p.ID.String(), "second_factor.add " + p.ID.String()})(actions, nil)
		}
		ok(t, s.RemoveFactor(s.ctx, operator, alone.ID, nil))
		same(t, 1)(s.count(`SELECT count(*) FROM event WHERE org_id IS NULL AND action = 'second_factor.remove' AND subject = $1`, alone.ID.String()), nil)
	})
}

// Second factors are rewrapped, unless they have expired before they were active.
func TestRewrapMovesFactors(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		active := s.factored()
		waiting, _ := s.signedIn()
		ok(t, s.AddFactor(s.ctx, s.sampleFactor(waiting.ID)))
		expired, _ := s.signedIn()
		old := s.sampleFactor(expired.ID)
		old.CreatedAt, old.Expires = old.CreatedAt.Add(-time.Hour), s.config.Now()
		ok(t, s.AddFactor(s.ctx, old))
		rewrap, seen := rewrapper(0)
		total, changed, err := s.RewrapSecrets(s.ctx, rewrap)
		if err != nil || total != 2 || changed != 2 {
			t.Errorf("rewrap: %d seen, %d changed, %v, want 2", total, changed, err)
		}
		zero := uuid.Nil.String() + account.FactorPurpose
		same(t, map[string]int{zero + active.ID.String(): 1, zero + waiting.ID.String(): 1})(seen, nil)
		for _, p := range []org.Person{active, waiting} {
			if f, err := s.Factor(s.ctx, p.ID); err != nil || !bytes.Equal(f.Sealed, sealedSample(2)) {
				t.Errorf("factor of %s is not sealed with the new key: %v", p.ID, err)
			}
		}
	})
}
