package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/mail"
	"khatm/service/internal/share"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// sealedSample returns bytes as long as a sealed secret.
func sealedSample(mark byte) []byte { return bytes.Repeat([]byte{mark, 0, 0xff}, 30) }

func TestSecretIsReadAsItWasWritten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		put := func(purpose, owner string, mark byte) {
			t.Helper()
			ok(t, s.PutSecret(s.ctx, s.by, purpose, owner, sealedSample(mark)))
		}
		put("device-key", "first", 1)
		put("device-key", "second", 2)
		put("share-token", "first", 3)
		ok(t, s.PutSecret(s.ctx, s.other, "device-key", "first", sealedSample(4)))
		put("device-key", "first", 5) // replaces the older one
		same(t, sealedSample(5))(s.Secret(s.ctx, s.by.Tenant, "device-key", "first"))
		same(t, sealedSample(2))(s.Secret(s.ctx, s.by.Tenant, "device-key", "second"))
		same(t, sealedSample(3))(s.Secret(s.ctx, s.by.Tenant, "share-token", "first"))
		same(t, sealedSample(4))(s.Secret(s.ctx, s.other.Tenant, "device-key", "first"))
		for _, of := range []struct{ purpose, owner string }{{"device-key", "third"}, {"share-token", "second"}, {"", ""}} {
			_, err := s.Secret(s.ctx, s.by.Tenant, of.purpose, of.owner)
			refused(t, err, fault.NotFound, "Secret not found")
		}
	})
}

// keepMany inserts n secrets of both organisations, sealed with the old key.
func (s *fixture) keepMany(n int) {
	s.t.Helper()
	sealed := sealedSample(1)
	tx, err := s.raw.Begin()
	ok(s.t, err)
	for i := range n {
		of := s.by.Tenant
		if i%3 == 0 {
			of = s.other.Tenant
		}
		_, err := tx.Exec(`INSERT INTO secret (org_id, purpose, owner, sealed) VALUES ($1, $2, $3, $4)`,
			of.ID().String(), fmt.Sprintf("purpose %d", i%2), fmt.Sprintf("owner %d", i), sealed)
		ok(s.t, err)
	}
	ok(s.t, tx.Commit())
}

// rewrapper returns a function that seals secrets of the old key with the new
// one and fails at the secret number stopAt.
func rewrapper(stopAt int) (rewrap func(store.Secret) ([]byte, bool, error), seen map[string]int) {
	seen = map[string]int{}
	return func(one store.Secret) ([]byte, bool, error) {
		seen[one.Tenant.ID().String()+one.Purpose+one.Owner]++
		if len(seen) == stopAt {
			return nil, false, errStopped
		}
		if bytes.Equal(one.Sealed, sealedSample(2)) {
			return nil, false, nil
		}
		return sealedSample(2), true, nil
	}, seen
}

var errStopped = errors.New("interrupted")

func TestRewrapContinuesAfterInterruption(t *testing.T) {
	const n = 1000
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.keepMany(n)
		rewrapped := func() int { return s.count(`SELECT count(*) FROM secret WHERE sealed = $1`, sealedSample(2)) }

		rewrap, _ := rewrapper(551)
		_, changed, err := s.RewrapSecrets(s.ctx, rewrap)
		if !errors.Is(err, errStopped) {
			t.Fatalf("error of an interrupted rewrap = %v, want %v", err, errStopped)
		}
		kept := rewrapped()
		if changed != kept || kept == 0 || kept >= 551 {
			t.Errorf("interrupted rewrap returned %d changed secrets, want the %d that were changed, 1 to 550", changed, kept)
		}

		rewrap, seen := rewrapper(0)
		total, changed, err := s.RewrapSecrets(s.ctx, rewrap)
		if err != nil || total != n || changed != n-kept || len(seen) != n || rewrapped() != n {
			t.Errorf("second rewrap: %d seen (%d different), %d changed, %d sealed with the new key, %v; want %d and %d changed", total, len(seen), changed, rewrapped(), err, n, n-kept)
		}

		rewrap, _ = rewrapper(0)
		total, changed, err = s.RewrapSecrets(s.ctx, rewrap)
		if err != nil || total != n || changed != 0 {
			t.Errorf("third rewrap: %d seen, %d changed, %v, want none changed", total, changed, err)
		}
	})
}

// Links, codes and e-mails are rewrapped too, unless they have expired.
func TestRewrapMovesLinksCodesAndLetters(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		live, over := s.seller(s.by).issue(asIs), s.seller(s.by).issue(asIs)
		s.execute(`UPDATE share SET revoked = 1 WHERE digest = $1`, over.Share.Digest)
		d := s.newDraft()
		s.folder(d, func(f *share.Folder) {
			fillFolder(f, s.by.Tenant, s.config.NewID)
			f.Letters[1].Expires = f.Letters[1].CreatedAt.Add(time.Millisecond)
		})
		letter := s.idsOf("letter")[0].String()
		ok(t, s.ExpireLetters(s.ctx, instantOf(1)))

		rewrap, seen := rewrapper(0)
		total, changed, err := s.RewrapSecrets(s.ctx, rewrap)
		if err != nil || total != 4 || changed != 4 {
			t.Errorf("rewrap: %d seen, %d changed, %v, want 4", total, changed, err)
		}
		of := s.by.Tenant.ID().String()
		same(t, map[string]int{
			of + issue.SharePurpose + live.ID.String():               1,
			of + issue.SharePurpose + d.ID.String():                  1,
			of + share.CodePurpose + share.CodeOwner(digestOf(0xd1)): 1,
			of + mail.Purpose + letter:                               1,
		})(seen, nil)
		for _, table := range []string{"share", "draft_link", "draft_code", "letter"} {
			if n := s.count(`SELECT count(*) FROM `+table+` WHERE sealed = $1`, sealedSample(2)); n != 1 {
				t.Errorf("%d rows of %s are sealed with the new key, want 1", n, table)
			}
		}
		rewrap, _ = rewrapper(3)
		if _, _, err := s.RewrapSecrets(s.ctx, rewrap); !errors.Is(err, errStopped) {
			t.Errorf("error of an interrupted rewrap = %v, want %v", err, errStopped)
		}
	})
}

// A secret that a server replaces during the rewrap stays replaced and is not
// counted as changed. On SQLite this cannot happen, because there is one
// writer.
func TestRewrapKeepsReplacedSecrets(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	ok(t, s.PutSecret(s.ctx, s.by, "device-key", "first", sealedSample(1)))
	ok(t, s.PutSecret(s.ctx, s.by, "device-key", "second", sealedSample(1)))
	seen, changed, err := s.RewrapSecrets(s.ctx, func(one store.Secret) ([]byte, bool, error) {
		if one.Owner == "first" {
			ok(t, s.PutSecret(s.ctx, s.by, "device-key", "first", sealedSample(3)))
		}
		return sealedSample(2), true, nil
	})
	if err != nil || seen != 2 || changed != 1 {
		t.Errorf("rewrap: %d seen, %d changed, %v, want 2 and 1", seen, changed, err)
	}
	same(t, sealedSample(3))(s.Secret(s.ctx, s.by.Tenant, "device-key", "first"))
	same(t, sealedSample(2))(s.Secret(s.ctx, s.by.Tenant, "device-key", "second"))
}
