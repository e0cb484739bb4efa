package store_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/share"
)

// countSet returns how many of the ids are set.
func countSet(ids ...*uuid.UUID) (n int) {
	for _, id := range ids {
		if id != nil {
			n++
		}
	}
	return n
}

// A rejected invoice has one draft that corrects it. Both ends of the link are
// found, by the same organisation only.
func TestCorrectionIsFoundFromBothEnds(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.seller(s.by)
		rejected, replacement := shop.issue(func(*issue.Entry) {}).ID, shop.issue(func(*issue.Entry) {}).ID
		ok(t, s.Answer(s.ctx, s.by.Tenant, rejected, ledger.NotCleared, instantOf(40)))
		correcting := func() share.Draft {
			d := sampleDraft(s.config.NewID())
			d.Corrects = &rejected
			return d
		}
		first, second := correcting(), correcting()
		ok(t, s.AddDraft(s.ctx, s.by, first))
		same(t, first)(s.Draft(s.ctx, s.by.Tenant, first.ID))
		if err := s.AddDraft(s.ctx, s.by, second); !errors.Is(err, share.ErrCorrected) {
			t.Errorf("a second draft: %v, want %v", err, share.ErrCorrected)
		}
		same(t, share.Correction{Draft: &first.ID})(s.Correction(s.ctx, s.by.Tenant, rejected))
		s.folder(first, func(f *share.Folder) { f.Invoice = &replacement })
		same(t, share.Correction{Draft: &first.ID, ReplacedBy: &replacement})(s.Correction(s.ctx, s.by.Tenant, rejected))
		same(t, share.Correction{Replaces: &rejected})(s.Correction(s.ctx, s.by.Tenant, replacement))
		same(t, share.Correction{})(s.Correction(s.ctx, s.other.Tenant, rejected))
	})
}

// After its draft was removed an invoice can have another one.
func TestRemovedCorrectionIsForgotten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		rejected := s.seller(s.by).issue(func(*issue.Entry) {}).ID
		ok(t, s.Answer(s.ctx, s.by.Tenant, rejected, ledger.NotReported, instantOf(40)))
		for range 2 {
			d := sampleDraft(s.config.NewID())
			d.Corrects = &rejected
			ok(t, s.AddDraft(s.ctx, s.by, d))
			same(t, share.Correction{Draft: &d.ID})(s.Correction(s.ctx, s.by.Tenant, rejected))
			_, err := s.ChangeDraft(s.ctx, s.by, d.ID, func(f *share.Folder) error { f.Removed = true; return nil })
			ok(t, err)
			same(t, share.Correction{})(s.Correction(s.ctx, s.by.Tenant, rejected))
		}
	})
}
