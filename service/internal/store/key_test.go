package store_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

func digestOf(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }

// addKey adds a key that is not revoked.
func (s *fixture) addKey(by org.Actor, change func(*org.Key)) org.Key {
	s.t.Helper()
	k := sampleKey(s.config.NewID())
	k.RevokedAt = nil
	if change != nil {
		change(&k)
	}
	ok(s.t, s.AddKey(s.ctx, by, k, digestOf(7)))
	return k
}

func TestKeyIsReadAsItWasWritten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		same(t, []org.Key{})(s.Keys(s.ctx, s.by.Tenant))
		full := s.addKey(s.by, nil)
		bare := s.addKey(s.by, func(k *org.Key) { k.Scopes = nil })
		foreign := s.addKey(s.other, nil)
		revoked := sampleKey(full.ID)
		filled(t, revoked)
		ok(t, s.RevokeKey(s.ctx, s.by, full.Name, *revoked.RevokedAt))
		same(t, []org.Key{bare, revoked})(s.Keys(s.ctx, s.by.Tenant))
		same(t, []org.Key{foreign})(s.Keys(s.ctx, s.other.Tenant))
	})
}

func TestKeyWithATakenName(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		first := s.addKey(s.by, nil)
		second := sampleKey(s.config.NewID())
		second.Name = first.Name
		if err := s.AddKey(s.ctx, s.other, second, digestOf(1)); !errors.Is(err, account.ErrNameTaken) {
			t.Errorf("error of a taken name = %v, want %v", err, account.ErrNameTaken)
		}
	})
}

func TestKeyHolder(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		k := s.addKey(s.by, nil)
		ok(t, s.SetStatus(s.ctx, s.by, org.Suspended))
		want := account.KeyHolder{Digest: digestOf(7)}
		want.Actor = org.Actor{Kind: org.KeyActor, Tenant: s.by.Tenant, ID: k.ID, Name: k.Name, Role: k.Role, Scopes: k.Scopes}
		want.Status, want.Used = org.Suspended, org.Usage{Month: org.UsageMonth(instantOf(0)), Plan: org.FirstPlans()[1]}
		lookup := account.KeyLookup{Name: k.Name, Digest: digestOf(7), At: instantOf(0)}
		same(t, want)(s.KeyHolder(s.ctx, lookup))

		ok(t, s.SetStatus(s.ctx, s.by, org.Active))
		ok(t, s.Subscribe(s.ctx, s.by, "business"))
		ok(t, s.RevokeKey(s.ctx, s.by, k.ID.String(), instantOf(0)))
		want.Status, want.Used.Plan, want.Revoked = org.Active, org.FirstPlans()[2], true
		same(t, want)(s.KeyHolder(s.ctx, lookup))

		if _, err := s.KeyHolder(s.ctx, account.KeyLookup{Name: "svc_nobody1_"}); !errors.Is(err, account.ErrUnknown) {
			t.Errorf("holder of an unknown key: %v, want %v", err, account.ErrUnknown)
		}
	})
}

// PostgreSQL counts a call of a known key in the same statement. Calls with a
// wrong digest or a revoked key are not counted.
func TestKeyHolderCountsCalls(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		k := s.addKey(s.by, nil)
		lookup := account.KeyLookup{Name: k.Name, Digest: digestOf(7), At: instantOf(0), From: instantOf(0), Until: instantOf(60)}
		calls := func(k account.KeyLookup) int {
			holder, err := s.KeyHolder(s.ctx, k)
			ok(t, err)
			return holder.Calls
		}
		wrong, uncounted := lookup, lookup
		wrong.Digest, uncounted.From = digestOf(8), time.Time{}
		got := []int{calls(lookup), calls(wrong), calls(uncounted), calls(lookup)}
		ok(t, s.RevokeKey(s.ctx, s.by, k.Name, instantOf(1)))
		got = append(got, calls(lookup))
		want := []int{1, 0, 0, 2, 0}
		if s.config.URL == "" {
			want = make([]int, 5)
		}
		same(t, want)(got, nil)
	})
}

func TestInterface_7_4_RevokingNoSuchKey(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		foreign := s.addKey(s.other, nil)
		for name, key := range map[string]string{
			"unknown name": "svc_nobody1_", "unknown id": s.config.NewID().String(), "empty": "",
			"name of another organisation's key": foreign.Name, "id of another organisation's key": foreign.ID.String(),
		} {
			err := s.RevokeKey(s.ctx, s.by, key, instantOf(0))
			refused(t, err, fault.NotFound, "API key not found")
			var got *fault.Error
			if errors.As(err, &got) && got.Code() != fault.KeyNotFound {
				t.Errorf("%s: code = %q, want not_found", name, got.Code())
			}
		}
		same(t, []org.Key{foreign})(s.Keys(s.ctx, s.other.Tenant))
	})
}

func TestKeyIsRevokedOnce(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		k := s.addKey(s.by, nil)
		before := s.count(`SELECT count(*) FROM event`)
		for i := range 3 {
			ok(t, s.RevokeKey(s.ctx, s.by, k.Name, instantOf(i)))
		}
		at := instantOf(0)
		k.RevokedAt = &at
		same(t, []org.Key{k})(s.Keys(s.ctx, s.by.Tenant))
		if got := s.count(`SELECT count(*) FROM event`) - before; got != 1 {
			t.Errorf("%d entries in the audit trail, want 1", got)
		}
	})
}
