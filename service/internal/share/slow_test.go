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

// slow returns a Sharer whose claim expires while it issues. It calls meanwhile
// after that.
func slow(d *servicetest.DraftSharing, meanwhile func() error) *share.Sharer {
	return withHooks(d, func() error {
		d.Clock.Advance(share.ClaimLife + time.Second)
		return meanwhile()
	}, nothing)
}

// issuedNothing checks that the organisation has no invoices.
func issuedNothing(d *servicetest.DraftSharing) {
	d.TB.Helper()
	list, err := d.Service.Store().Invoices(d.Ctx, d.Of(), ledger.Filter{}, org.Page{Size: 10, Number: 1})
	d.Must(err)
	servicetest.Equal(d.TB, "invoices", list.Total, 0)
}

// changedMeanwhile is part of the error that the slow request gets.
const changedMeanwhile = "changed while it was being issued"

// TestDraft_RemovedWhileItIsIssuedSlowly checks that a draft which was removed
// during a slow request is not issued.
func TestDraft_RemovedWhileItIsIssuedSlowly(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		_, err := slow(d, func() error { return d.Sharer().Remove(d.Ctx, d.By, draft.ID) }).Issue(d.Ctx, d.By, draft.ID)
		wantFault(t, "issued slowly", err, fault.Conflict, changedMeanwhile)
		issuedNothing(d)
		_, err = d.Sharer().Draft(d.Ctx, d.Of(), draft.ID)
		wantFault(t, "the draft", err, fault.NotFound)
		nextIsFirst(d)
	})
}

// TestDraft_SharedWhileItIsIssuedSlowly checks that a draft which was shared
// during a slow request waits for its recipient.
func TestDraft_SharedWhileItIsIssuedSlowly(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		_, err := slow(d, func() error { _, err := d.Sharer().Share(d.Ctx, d.By, draft.ID); return err }).Issue(d.Ctx, d.By, draft.ID)
		wantFault(t, "issued slowly", err, fault.Conflict, changedMeanwhile)
		issuedNothing(d)
		now := d.Again(draft)
		servicetest.Equal(t, "the draft", []any{now.State(), now.Claim}, []any{share.Shared, (*share.Claim)(nil)})
		token := d.Token(now)
		_, err = d.Sharer().Approve(d.Ctx, token, "Noura", d.Code(token), share.From{})
		d.Must(err)
		nextIsFirst(d)
	})
}

// TestDraft_ChangedWhileItIsIssuedSlowly checks that a draft which was changed
// during a slow request is not issued in its old form, and can be issued in its
// new form.
func TestDraft_ChangedWhileItIsIssuedSlowly(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		change := func() error {
			_, err := d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("9.00"), servicetest.Recipient)
			return err
		}
		_, err := slow(d, change).Issue(d.Ctx, d.By, draft.ID)
		wantFault(t, "issued slowly", err, fault.Conflict, changedMeanwhile)
		issuedNothing(d)
		now := d.Again(draft)
		servicetest.Equal(t, "the draft", []any{now.State(), now.Version, now.Claim}, []any{share.Open, 2, (*share.Claim)(nil)})
		i, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		servicetest.Equal(t, "its total", []string{i.Number, i.Record.Totals.WithoutVAT.Fixed2()}, []string{"INV-2026-000001", "18.00"})
	})
}

// nextIsFirst checks that no invoice number was used.
func nextIsFirst(d *servicetest.DraftSharing) {
	d.TB.Helper()
	i, err := d.Sharer().Issue(d.Ctx, d.By, d.Draft().ID)
	d.Must(err)
	servicetest.Equal(d.TB, "the next number", i.Number, "INV-2026-000001")
}

// TestDraft_IssuedByAnotherWhileItIsIssuedSlowly checks that a slow request
// gets the invoice that another request issued meanwhile.
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
		servicetest.Equal(t, "the invoice of the draft", *d.Again(draft).Invoice, first.ID)
	})
}

// TestDraft_LateRefusalReleasesNobodyElse checks that a late refusal does not
// release the claim of another request.
func TestDraft_LateRefusalReleasesNobodyElse(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		begun, end := make(chan struct{}), make(chan struct{})
		issued := make(chan error, 1)
		other := withHooks(d, func() error { close(begun); <-end; return nil }, nothing)
		_, err := slow(d, func() error {
			go func() {
				_, err := other.Issue(d.Ctx, d.By, draft.ID)
				issued <- err
			}()
			<-begun
			return fault.New(fault.StateConflict, "refused late")
		}).Issue(d.Ctx, d.By, draft.ID)
		wantFault(t, "the slow one", err, fault.Conflict, "refused late")
		_, err = d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("9.00"), servicetest.Recipient)
		wantFault(t, "a change", err, fault.Conflict, "being issued")
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

// TestDraft_NotIssuedAfterItWasAskedFor checks that a draft found not to be
// issued cannot be issued later under the expired claim.
func TestDraft_NotIssuedAfterItWasAskedFor(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
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
		wantFault(t, "the slow one", late, fault.Conflict, changedMeanwhile)
		servicetest.Equal(t, "the version", changed.Version, 2)
		issuedNothing(d)
	})
}

// TestDraft_ClaimOfAnOlderProgram checks that a claim without an ID, written by
// an older version, protects a draft and can be shared.
func TestDraft_ClaimOfAnOlderProgram(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		_, err := h.Service.Store().ChangeDraft(d.Ctx, d.By, draft.ID, func(f *share.Folder) error {
			f.Claim = &share.Claim{By: "x", Since: h.Clock.Now(), Until: h.Clock.Now().Add(share.ClaimLife), Many: 1}
			return nil
		})
		d.Must(err)
		wantFault(t, "removed", d.Sharer().Remove(d.Ctx, d.By, draft.ID), fault.Conflict, "being issued by x")
		i, err := withHooks(d, func() error {
			now := d.Again(draft).Claim
			servicetest.Equal(t, "claimed by", []any{now.By, now.Many, now.ID == uuid.Nil}, []any{"x", 2, false})
			return nil
		}, nothing).Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		issuedOnce(d, i.ID)
	})
}

// TestDraft_ChangedBehindWhoeverIssuesIt checks that a request fails if a
// program that ignores claims changed or removed the draft meanwhile.
func TestDraft_ChangedBehindWhoeverIssuesIt(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		for what, change := range map[string]func(*share.Folder){
			"changed": func(f *share.Folder) { f.Claim, f.Version = nil, f.Version+1 },
			"removed": func(f *share.Folder) { f.Removed = true },
		} {
			draft := d.Draft()
			_, err := withHooks(d, nothing, func() error {
				_, err := h.Service.Store().ChangeDraft(d.Ctx, d.By, draft.ID, func(f *share.Folder) error { change(f); return nil })
				return err
			}).Issue(d.Ctx, d.By, draft.ID)
			wantFault(t, what, err, fault.Conflict, "issued before it was changed, as INV-2026-")
		}
	})
}

// TestDraft_ReleasedWhenNothingWasWritten checks that the draft is released at
// once if certainly nothing was written, and stays claimed otherwise.
func TestDraft_ReleasedWhenNothingWasWritten(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, err := d.Sharer().Issue(d.Ctx, d.By, d.Draft().ID)
		d.Must(err)
		away := fault.New(fault.DatabaseUnavailable, "The database did not say.")
		for _, one := range []struct {
			what, says string
			sharer     *share.Sharer
			before     func()
			released   bool
		}{
			{"no answer", "did not say", withHooks(d, func() error { return away }, nothing), func() {}, false},
			{"too many invoices queued", "Too many invoices", d.Sharer(), h.Service.Issuer().Close, true},
		} {
			draft := d.Draft()
			one.before()
			_, err = one.sharer.Issue(d.Ctx, d.By, draft.ID)
			wantFault(t, one.what, err, fault.Unavailable, one.says)
			servicetest.Equal(t, one.what+" releases", d.Again(draft).Claim == nil, one.released)
		}
	})
}

// TestDraft_ReleasedWhenTheClockIsBehind checks that a clock behind the last
// invoice releases the draft too. The message depends on whether the service
// has already noticed the clock.
func TestDraft_ReleasedWhenTheClockIsBehind(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, err := d.Sharer().Issue(d.Ctx, d.By, d.Draft().ID)
		d.Must(err)
		draft := d.Draft()
		h.Clock.Advance(-time.Hour)
		_, err = d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		wantFault(t, "a clock that is behind", err, fault.Unavailable)
		servicetest.Equal(t, "released", d.Again(draft).Claim == nil, true)
	})
}
