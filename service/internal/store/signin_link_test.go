package store_test

import (
	"errors"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/org"
)

func sampleSignInLink(s *fixture, p org.Person, digest byte) account.AccessLink {
	now := s.config.Now()
	return account.AccessLink{
		ID: s.config.NewID(), Digest: digestOf(digest), Purpose: account.SignInLink, Person: p.ID, Email: p.Email,
		CreatedBy: "test", CreatedAt: now, Expires: now.Add(account.SignInLife),
	}
}

// A link signs in only the person it was created for.
func TestSignInLinkOfAnotherPerson(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		noura, sara := samplePerson(s.config.NewID()), samplePerson(s.config.NewID())
		noura.Disabled, sara.Disabled = false, false
		ok(t, s.AddPerson(s.ctx, s.by, noura, "hash"))
		ok(t, s.AddPerson(s.ctx, s.by, sara, "hash"))
		ok(t, s.AddSignInLink(s.ctx, s.by, sampleSignInLink(s, noura, 0xe5)))
		o := account.Opening{Person: sara.ID, Digest: digestOf(0xe6), From: s.config.Now(), Until: s.config.Now().Add(time.Hour)}
		if err := s.UseSignInLink(s.ctx, s.by, digestOf(0xe5), o); !errors.Is(err, account.ErrUnknown) {
			t.Errorf("link of another person = %v, want %v", err, account.ErrUnknown)
		}
		o.Person = noura.ID
		ok(t, s.UseSignInLink(s.ctx, s.by, digestOf(0xe5), o))
	})
}
