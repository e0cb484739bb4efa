package share_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// slow gives a sharer whose issuing outlives its claim, and what happens then.
func slow(d *servicetest.DraftSharing, meanwhile func() error) *share.Sharer {
	return meddle(d, func() error {
		d.Clock.Advance(share.ClaimLife + time.Second)
		return meanwhile()
	}, nothing)
}

// issuedNothing demands that the organisation has no invoice.
func issuedNothing(d *servicetest.DraftSharing) {
	d.TB.Helper()
	list, err := d.Service.Store().Invoices(d.Ctx, d.Of(), ledger.Filter{}, org.Page{Size: 10, Number: 1})
	d.Must(err)
	servicetest.Equal(d.TB, "invoices", list.Total, 0)
}

// changedMeanwhile is what the slow one is told.
const changedMeanwhile = "changed while it was being issued"

// A draft that was thrown away while it was issued slowly is not issued.
func TestDraft_RemovedWhileItIsIssuedSlowly(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		_, err := slow(d, func() error { return d.Sharer().Remove(d.Ctx, d.By, draft.ID) }).Issue(d.Ctx, d.By, draft.ID)
		turnedAway(t, "issued slowly", err, fault.Conflict, changedMeanwhile)
		issuedNothing(d)
		_, err = d.Sharer().Draft(d.Ctx, d.Of(), draft.ID)
		turnedAway(t, "the draft", err, fault.NotFound)
		nextIsFirst(d)
	})
}

// A draft that was shared while it was issued slowly waits for its recipient.
func TestDraft_SharedWhileItIsIssuedSlowly(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		_, err := slow(d, func() error { _, err := d.Sharer().Share(d.Ctx, d.By, draft.ID); return err }).Issue(d.Ctx, d.By, draft.ID)
		turnedAway(t, "issued slowly", err, fault.Conflict, changedMeanwhile)
		issuedNothing(d)
		now := d.Again(draft)
		servicetest.Equal(t, "the draft", []any{now.State(), now.Claim}, []any{share.Shared, (*share.Claim)(nil)})
		token := d.Token(now)
		_, err = d.Sharer().Approve(d.Ctx, token, "Noura", d.Code(token), share.From{})
		d.Must(err)
		nextIsFirst(d)
	})
}

// A draft that was changed while it was issued slowly is not issued as it was,
// and is issued as it is when somebody asks for that.
func TestDraft_ChangedWhileItIsIssuedSlowly(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		change := func() error {
			_, err := d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("9.00"), servicetest.Recipient)
			return err
		}
		_, err := slow(d, change).Issue(d.Ctx, d.By, draft.ID)
		turnedAway(t, "issued slowly", err, fault.Conflict, changedMeanwhile)
		issuedNothing(d)
		now := d.Again(draft)
		servicetest.Equal(t, "the draft", []any{now.State(), now.Version, now.Claim}, []any{share.Open, 2, (*share.Claim)(nil)})
		i, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		servicetest.Equal(t, "its total", []string{i.Number, i.Record.Totals.WithoutVAT.Fixed2()}, []string{"INV-2026-000001", "18.00"})
	})
}

// nextIsFirst demands that no number was taken.
func nextIsFirst(d *servicetest.DraftSharing) {
	d.TB.Helper()
	i, err := d.Sharer().Issue(d.Ctx, d.By, d.Draft().ID)
	d.Must(err)
	servicetest.Equal(d.TB, "the next number", i.Number, "INV-2026-000001")
}

// Whoever is so slow that another issues the draft is given that invoice.
func TestDraft_IssuedByAnotherWhileItIsIssuedSlowly(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		var second ledger.Invoice
		first, err := slow(d, func() (err error) {
			second, err = d.Sharer().Issue(d.Ctx, d.By, draft.ID)
			return err
		}).Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		servicetest.Equal(t, "the invoice of both", first.ID, second.ID)
		issuedOnce(d, first.ID)
		servicetest.Equal(t, "what it became", *d.Again(draft).Invoice, first.ID)
	})
}

// Nobody else's claim is ended by whoever is refused late.
func TestDraft_LateRefusalReleasesNobodyElse(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		begun, end := make(chan struct{}), make(chan struct{})
		issued := make(chan error, 1)
		other := meddle(d, func() error { close(begun); <-end; return nil }, nothing)
		_, err := slow(d, func() error {
			go func() {
				_, err := other.Issue(d.Ctx, d.By, draft.ID)
				issued <- err
			}()
			<-begun
			return fault.New(fault.Conflict, "refused late")
		}).Issue(d.Ctx, d.By, draft.ID)
		turnedAway(t, "the slow one", err, fault.Conflict, "refused late")
		_, err = d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("9.00"), servicetest.Recipient)
		turnedAway(t, "a change", err, fault.Conflict, "being issued")
		close(end)
		d.Must(<-issued)
	})
}

// interrupted is an Issuer that calls after once it has looked up a key.
type interrupted struct {
	share.Issuer
	after func()
}

func (i interrupted) Earlier(ctx context.Context, of org.Tenant, key string) (issue.Issued, bool, error) {
	issued, known, err := i.Issuer.Earlier(ctx, of, key)
	i.after()
	return issued, known, err
}

// That a draft was not issued holds from when it was asked for: whoever still
// had a claim has it no more.
func TestDraft_NotIssuedAfterItWasAskedFor(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		begun, end := make(chan struct{}), make(chan struct{})
		issued := make(chan error, 1)
		go func() {
			_, err := slow(d, func() error { close(begun); <-end; return nil }).Issue(d.Ctx, d.By, draft.ID)
			issued <- err
		}()
		<-begun
		var late error
		c := d.Sharer().Config
		c.Issuer = interrupted{c.Issuer, func() { close(end); late = <-issued }}
		changed, err := share.New(c).Change(d.Ctx, d.By, draft.ID, 0, d.Request("9.00"), servicetest.Recipient)
		d.Must(err)
		turnedAway(t, "the slow one", late, fault.Conflict, changedMeanwhile)
		servicetest.Equal(t, "the version", changed.Version, 2)
		issuedNothing(d)
	})
}

// A claim of a program that gave them no id holds a draft, and is shared by
// whoever issues with it.
func TestDraft_ClaimOfAnOlderProgram(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		_, err := h.Service.Store().ChangeDraft(d.Ctx, d.By, draft.ID, func(f *share.Folder) error {
			f.Claim = &share.Claim{By: "x", Since: h.Clock.Now(), Until: h.Clock.Now().Add(share.ClaimLife), Many: 1}
			return nil
		})
		d.Must(err)
		turnedAway(t, "removed", d.Sharer().Remove(d.Ctx, d.By, draft.ID), fault.Conflict, "being issued by x")
		i, err := meddle(d, func() error {
			now := d.Again(draft).Claim
			servicetest.Equal(t, "claimed by", []any{now.By, now.Many, now.ID == uuid.Nil}, []any{"x", 2, false})
			return nil
		}, nothing).Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		issuedOnce(d, i.ID)
	})
}

// Nobody is told of success with something else than the draft says, also when a
// program that asks for no claim has changed or removed it.
func TestDraft_ChangedBehindWhoeverIssuesIt(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		for what, change := range map[string]func(*share.Folder){
			"changed": func(f *share.Folder) { f.Claim, f.Version = nil, f.Version+1 },
			"removed": func(f *share.Folder) { f.Removed = true },
		} {
			draft := d.Draft()
			_, err := meddle(d, nothing, func() error {
				_, err := h.Service.Store().ChangeDraft(d.Ctx, d.By, draft.ID, func(f *share.Folder) error { change(f); return nil })
				return err
			}).Issue(d.Ctx, d.By, draft.ID)
			turnedAway(t, what, err, fault.Conflict, "issued before it was changed, as INV-2026-")
		}
	})
}

// What certainly was not written releases the draft at once, also when it can be
// tried again; what may have been does not.
func TestDraft_ReleasedWhenNothingWasWritten(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, err := d.Sharer().Issue(d.Ctx, d.By, d.Draft().ID)
		d.Must(err)
		away := fault.New(fault.Unavailable, "The database did not say.")
		for _, one := range []struct {
			what, says string
			sharer     *share.Sharer
			before     func()
			released   bool
		}{
			{"no answer", "did not say", meddle(d, func() error { return away }, nothing), func() {}, false},
			{"no room in the lane", "Too many invoices", d.Sharer(), h.Service.Issuer().Close, true},
		} {
			draft := d.Draft()
			one.before()
			_, err = one.sharer.Issue(d.Ctx, d.By, draft.ID)
			turnedAway(t, one.what, err, fault.Unavailable, one.says)
			servicetest.Equal(t, one.what+" releases", d.Again(draft).Claim == nil, one.released)
		}
	})
}

// A clock that is behind the last invoice releases the draft too. Whether the
// service has noticed the clock by itself decides what it says.
func TestDraft_ReleasedWhenTheClockIsBehind(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, err := d.Sharer().Issue(d.Ctx, d.By, d.Draft().ID)
		d.Must(err)
		draft := d.Draft()
		h.Clock.Advance(-time.Hour)
		_, err = d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		turnedAway(t, "a clock that is behind", err, fault.Unavailable)
		servicetest.Equal(t, "released", d.Again(draft).Claim == nil, true)
	})
}
