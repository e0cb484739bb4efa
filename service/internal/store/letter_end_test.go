package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// invited returns a shared draft with a code, and the two e-mails about it.
func (s *fixture) invited() (d share.Draft, invitation, code mail.Letter) {
	s.t.Helper()
	d = s.newDraft()
	invitation, code = sampleLetter(s.config.NewID(), s.by.Tenant), sampleLetter(s.config.NewID(), s.by.Tenant)
	invitation.About, code.About = share.AboutInvitation, share.AboutCode
	link := sampleLink(byte(len(s.idsOf("draft"))), 720)
	d = s.folder(d, func(f *share.Folder) {
		f.Share, f.Shown, f.Code = &link, sampleShown(f.Version), sampleCode(f.Version)
		f.Letters = []mail.Letter{invitation, code}
	})
	return d, invitation, code
}

// E-mails that a change of their draft makes useless are not sent, and their
// contents are deleted. E-mails about other drafts are not affected.
func TestLettersEndWithTheirDraft(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		_, others, othersCode := s.invited()
		var own uuid.UUID
		for what, c := range map[string]struct {
			change           func(*share.Folder)
			invitation, code mail.State
		}{
			"removed":   {func(f *share.Folder) { f.Removed, f.Share = true, nil }, mail.Expired, mail.Expired},
			"withdrawn": {func(f *share.Folder) { f.Share, f.Shown = nil, nil }, mail.Expired, mail.Expired},
			"shared again": {func(f *share.Folder) {
				link, l := sampleLink(0xee, 720), sampleLetter(s.config.NewID(), s.by.Tenant)
				f.Share, f.Code, f.Letters, own = &link, share.Code{}, []mail.Letter{l}, l.ID
			}, mail.Expired, mail.Expired},
			"another version": {func(f *share.Folder) { f.Version, f.Shown = f.Version+1, sampleShown(f.Version+1) }, mail.Queued, mail.Expired},
			"approved": {func(f *share.Folder) {
				f.Approval = &share.Approval{Name: "x", At: instantOf(1), Version: f.Version}
			}, mail.Queued, mail.Expired},
			"code tried": {func(f *share.Folder) { f.Code.Tries++ }, mail.Queued, mail.Queued},
			"unchanged":  {func(*share.Folder) {}, mail.Queued, mail.Queued},
		} {
			d, invitation, code := s.invited()
			_, err := s.ChangeDraft(s.ctx, s.by, d.ID, func(f *share.Folder) error { c.change(f); return nil })
			ok(t, err)
			for _, l := range []struct {
				was  mail.Letter
				want mail.State
			}{{invitation, c.invitation}, {code, c.code}} {
				got := s.letter(l.was.ID)
				if got.State != l.want || (got.Sealed != nil) != (l.want == mail.Queued) {
					t.Errorf("draft %s: e-mail %s has state %s and %d bytes, want state %s", what, l.was.About, got.State, len(got.Sealed), l.want)
				}
			}
		}
		same(t, mail.Queued)(s.letter(own).State, nil)
		same(t, mail.Queued)(s.letter(others.ID).State, nil)
		same(t, mail.Queued)(s.letter(othersCode.ID).State, nil)
	})
}

// An e-mail that is being sent while its link is withdrawn may arrive, but it
// is not tried again.
func TestLettersUnderWayAreNotTriedAgain(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		d, invitation, code := s.invited()
		now, later := instantOf(1), instantOf(2)
		same(t, 2)(len(s.due(now, 9)), nil)
		s.folder(d, func(f *share.Folder) { f.Share, f.Shown = nil, nil })
		ok(t, s.LetterFailed(s.ctx, invitation.ID, "try later", &later))
		ok(t, s.LetterSent(s.ctx, code.ID, now))
		for _, id := range []uuid.UUID{invitation.ID, code.ID} {
			got := s.letter(id)
			same(t, mail.Expired)(got.State, nil)
			same(t, []byte(nil))(got.Sealed, nil)
		}
		same(t, []uuid.UUID(nil))(s.due(later.Add(lease), 9), nil)
	})
}

// An approval proves that the code has arrived, so its e-mail can still be
// recorded as sent.
func TestLettersUnderWayAreRecordedAfterAnApproval(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		d, _, code := s.invited()
		same(t, 2)(len(s.due(instantOf(1), 9)), nil)
		s.folder(d, func(f *share.Folder) { f.Approval = &share.Approval{Name: "x", At: instantOf(1), Version: f.Version} })
		ok(t, s.LetterSent(s.ctx, code.ID, instantOf(1)))
		same(t, mail.Sent)(s.letter(code.ID).State, nil)
	})
}

// E-mails of an inactive organisation are not sent. They wait until it is
// active again, or expire.
func TestLettersOfAnInactiveOrganisationWait(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		now := instantOf(1)
		theirs := s.posted(s.other, 1, nil)
		mine := s.posted(s.by, 2, func(i int, l *mail.Letter) { l.Expires = now.Add(time.Duration(1+i) * time.Hour) })
		for _, status := range []org.Status{org.Suspended, org.Deactivated} {
			ok(t, s.SetStatus(s.ctx, s.by, status))
			same(t, idsOfLetters(theirs))(s.due(now, 9), nil)
			same(t, 0)(s.letter(mine[0].ID).Attempts, nil)
			_, err := s.ChangeDraft(s.ctx, s.by, s.newDraft().ID, func(f *share.Folder) error { same(t, true)(f.Inactive, nil); return nil })
			ok(t, err)
			now = now.Add(lease)
		}
		ok(t, s.ExpireLetters(s.ctx, mine[0].Expires))
		same(t, mail.Expired)(s.letter(mine[0].ID).State, nil)
		ok(t, s.SetStatus(s.ctx, s.by, org.Active))
		same(t, idsOfLetters(mine[1:]))(s.due(now.Add(-time.Millisecond), 9), nil)
	})
}
