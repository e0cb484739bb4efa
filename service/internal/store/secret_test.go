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

// sealedSample is as long as something that the vault has sealed.
func sealedSample(mark byte) []byte { return bytes.Repeat([]byte{mark, 0, 0xff}, 30) }

func TestSecretIsReadAsItWasWritten(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		put := func(purpose, owner string, mark byte) {
			t.Helper()
			ok(t, s.PutSecret(s.ctx, s.by, purpose, owner, sealedSample(mark)))
		}
		put("device-key", "first", 1)
		put("device-key", "second", 2)
		put("share-token", "first", 3)
		ok(t, s.PutSecret(s.ctx, s.other, "device-key", "first", sealedSample(4)))
		put("device-key", "first", 5) // in place of the older one
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

// keepMany writes so many secrets of both organisations, as the old key seals.
func (s *shop) keepMany(n int) {
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

// rewrapper seals anew what the old key sealed, and stops at a secret of its
// choice.
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

var errStopped = errors.New("the power went")

func TestRewrapGoesOnAfterAnInterruption(t *testing.T) {
	const n = 1000
	each(t, func(t *testing.T, s *shop) {
		s.keepMany(n)
		rewrapped := func() int { return s.count(`SELECT count(*) FROM secret WHERE sealed = $1`, sealedSample(2)) }

		rewrap, _ := rewrapper(551)
		_, changed, err := s.RewrapSecrets(s.ctx, rewrap)
		if !errors.Is(err, errStopped) {
			t.Fatalf("got %v", err)
		}
		kept := rewrapped()
		if changed != kept || kept == 0 || kept >= 551 {
			t.Errorf("it says %d were changed; %d are", changed, kept)
		}

		rewrap, seen := rewrapper(0)
		total, changed, err := s.RewrapSecrets(s.ctx, rewrap)
		if err != nil || total != n || changed != n-kept || len(seen) != n || rewrapped() != n {
			t.Errorf("then: %d seen (%d different), %d changed, %d sealed anew, %v; %d were done", total, len(seen), changed, rewrapped(), err, kept)
		}

		rewrap, _ = rewrapper(0)
		total, changed, err = s.RewrapSecrets(s.ctx, rewrap)
		if err != nil || total != n || changed != 0 {
			t.Errorf("once more: %d, %d, %v", total, changed, err)
		}
	})
}

// Links, codes and letters are sealed too. Those that are over are left alone.
func TestRewrapMovesLinksCodesAndLetters(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
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
			t.Errorf("%d seen, %d changed, %v", total, changed, err)
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
				t.Errorf("%d rows of %s are sealed anew", n, table)
			}
		}
		rewrap, _ = rewrapper(3)
		if _, _, err := s.RewrapSecrets(s.ctx, rewrap); !errors.Is(err, errStopped) {
			t.Errorf("got %v", err)
		}
	})
}

// A secret that a server replaces while it is being rewrapped stays replaced,
// and is not counted as changed. (On SQLite the rewrapping writes alone.)
func TestRewrapLeavesWhatWasReplacedMeanwhile(t *testing.T) {
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
		t.Errorf("seen %d, changed %d, %v", seen, changed, err)
	}
	same(t, sealedSample(3))(s.Secret(s.ctx, s.by.Tenant, "device-key", "first"))
	same(t, sealedSample(2))(s.Secret(s.ctx, s.by.Tenant, "device-key", "second"))
}
