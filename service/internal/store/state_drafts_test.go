package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/mail"
	"khatm/service/internal/share"
	"khatm/service/internal/store/storetest"
)

// beingIssued returns a draft that is claimed for issuing.
func (s *fixture) beingIssued(claim uuid.UUID) share.Draft {
	s.t.Helper()
	return s.folder(s.newDraft(), func(f *share.Folder) {
		f.Claim = &share.Claim{ID: claim, By: "mona@example.com", Since: instantOf(4), Until: instantOf(5), Many: 1}
	})
}

// waitForLock waits until a transaction of the database waits for a lock.
func (s *fixture) waitForLock() {
	s.t.Helper()
	for end := time.Now().Add(10 * time.Second); s.count(`SELECT count(*) FROM pg_locks WHERE NOT granted`) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Error("no transaction waits for a lock, want one")
			return
		}
	}
}

// frees removes the claim of a draft and adds everything that a change can add:
// a link, a code, e-mails and an entry of the audit trail.
func (s *fixture) frees(f *share.Folder) {
	link := sampleLink(0xd7, 720)
	f.Claim, f.Share, f.Shown, f.Code = nil, &link, sampleShown(f.Version), sampleCode(f.Version)
	f.Letters = []mail.Letter{sampleLetter(s.config.NewID(), s.by.Tenant)}
	f.Action = "draft.shared"
}

// An Append that waits for a draft sees the change of the draft. Meanwhile the
// book is locked, but the change does not need it.
func TestAppendAfterAChangeOfItsDraft(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	seller, draft := s.seller(s.by), s.beingIssued(uuid.Max)
	wants := issue.Wants{At: s.config.Now(), Devices: []uuid.UUID{seller.device}, Drafts: []uuid.UUID{draft.ID}}
	laid := make(chan map[uuid.UUID]uuid.UUID, 1)
	failed := make(chan error, 1)
	_, err := s.ChangeDraft(s.ctx, s.by, draft.ID, func(f *share.Folder) error {
		go func() {
			failed <- s.Append(s.ctx, s.by.Tenant, wants, func(d *issue.State) (*issue.Entries, error) {
				laid <- d.Claims
				return &issue.Entries{}, nil
			})
		}()
		s.waitForLock()
		s.frees(f)
		return nil
	})
	ok(t, err)
	ok(t, <-failed)
	same(t, map[uuid.UUID]uuid.UUID{})(<-laid, nil)
}

// A change of a draft waits until the Append that issues the draft has
// finished.
func TestAppendBeforeAChangeOfItsDraft(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	seller, draft := s.seller(s.by), s.beingIssued(uuid.Max)
	wants := issue.Wants{At: s.config.Now(), Devices: []uuid.UUID{seller.device}, Drafts: []uuid.UUID{draft.ID}}
	issued := make(chan int, 1)
	failed := make(chan error, 1)
	ok(t, s.Append(s.ctx, s.by.Tenant, wants, func(d *issue.State) (*issue.Entries, error) {
		same(t, map[uuid.UUID]uuid.UUID{draft.ID: uuid.Max})(d.Claims, nil)
		go func() {
			_, err := s.ChangeDraft(s.ctx, s.by, draft.ID, func(f *share.Folder) error {
				issued <- s.count(`SELECT count(*) FROM invoice`)
				s.frees(f)
				return nil
			})
			failed <- err
		}()
		s.waitForLock()
		chain, numbers := d.Devices[seller.device], issue.Series{Prefix: "INV", First: 1, Year: 2026, Last: 1}
		e := sampleEntry(s, s.by, chain, numbers)
		chain.Counter, chain.LastHash, chain.LastIssuedAt = e.Invoice.Counter, e.Invoice.Hash, e.Invoice.IssuedAt
		return &issue.Entries{
			Invoices: []issue.Entry{e}, Devices: []*issue.Chain{chain}, Series: map[string]issue.Series{"INV": numbers}, Month: d.Usage.Month,
		}, nil
	}))
	ok(t, <-failed)
	same(t, 1)(<-issued, nil)
}
