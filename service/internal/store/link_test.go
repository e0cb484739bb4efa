package store_test

import (
	"crypto/rand"
	"crypto/sha256"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/fault"
	"khatm/service/internal/share"
)

func TestLinkOfAnInvoice(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		i := s.seller(s.by).issue(asIs)
		same(t, share.Link{Digest: i.Share.Digest, Of: s.by.Tenant, Invoice: i.ID, Expires: i.Share.Expires})(s.Link(s.ctx, i.Share.Digest))

		renewed := sampleLink(0xa1, 720)
		ok(t, s.RenewShare(s.ctx, s.by, i.ID, renewed))
		same(t, share.Link{Digest: i.Share.Digest, Of: s.by.Tenant, Invoice: i.ID, Expires: i.Share.Expires, Revoked: true})(s.Link(s.ctx, i.Share.Digest))
		same(t, share.Link{Digest: renewed.Digest, Of: s.by.Tenant, Invoice: i.ID, Expires: renewed.Expires})(s.Link(s.ctx, renewed.Digest))
		kept, err := s.Invoice(s.ctx, s.by.Tenant, i.ID)
		same(t, renewed)(kept.Share, err)

		refused(t, s.RenewShare(s.ctx, s.other, i.ID, sampleLink(0xa2, 720)), fault.NotFound, "Invoice not found")
		refused(t, s.RevokeShares(s.ctx, s.other, i.ID), fault.NotFound, "Invoice not found")
		ok(t, s.RevokeShares(s.ctx, s.by, i.ID))
		entries := s.count(`SELECT count(*) FROM event`)
		ok(t, s.RevokeShares(s.ctx, s.by, i.ID)) // no link left: nothing changes
		same(t, entries)(s.count(`SELECT count(*) FROM event`), nil)
		kept, err = s.Invoice(s.ctx, s.by.Tenant, i.ID)
		same(t, 0)(len(kept.Share.Sealed), err)
		same(t, 2)(s.count(`SELECT count(*) FROM share WHERE revoked = 1`), nil)
	})
}

// Link returns share.ErrGone for 400 random tokens, for 2,000 under testtool.All, or
// for 100,000 with KHATM_TORTURE=1.
func TestK7_UnknownTokens(t *testing.T) {
	tokens := testtool.Scale(400, 2_000, 100_000)
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		for range 20 {
			seller.issue(asIs)
			d := s.newDraft()
			s.folder(d, func(f *share.Folder) {
				link := sampleLink(0, 720)
				_, _ = rand.Read(link.Digest)
				f.Share, f.Shown = &link, sampleShown(f.Version)
			})
		}
		want := share.ErrGone().Error()
		for range tokens {
			var token [32]byte
			_, _ = rand.Read(token[:])
			digest := sha256.Sum256(token[:])
			if l, err := s.Link(s.ctx, digest[:]); err == nil || err.Error() != want {
				t.Fatalf("link of an unknown token = %v, %v, want only the error %q", l, err, want)
			}
		}
	})
}
