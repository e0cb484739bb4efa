package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// slow gives a sharer whose issuing outlives its claim, and what happens then.
func (d *desk) slow(meanwhile func() error) *share.Sharer {
	return d.meddle(func() error {
		d.clock.Advance(share.ClaimLife + time.Second)
		return meanwhile()
	}, nothing)
}

// issuedNothing demands that the organisation has no invoice.
func (d *desk) issuedNothing() {
	d.t.Helper()
	list, err := d.service.Store().Invoices(d.ctx, d.of(), ledger.Filter{}, org.Page{Size: 10, Number: 1})
	d.must(err)
	equal(d.t, "invoices", list.Total, 0)
}

// changedMeanwhile is what the slow one is told.
const changedMeanwhile = "changed while it was being issued"

// A draft that was thrown away while it was issued slowly is not issued.
func TestDraft_RemovedWhileItIsIssuedSlowly(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.draft()
		_, err := d.slow(func() error { return d.sharer().Remove(d.ctx, d.by, draft.ID) }).Issue(d.ctx, d.by, draft.ID)
		turnedAway(t, "issued slowly", err, fault.Conflict, changedMeanwhile)
		d.issuedNothing()
		_, err = d.sharer().Draft(d.ctx, d.of(), draft.ID)
		turnedAway(t, "the draft", err, fault.NotFound)
		d.nextIsFirst()
	})
}

// A draft that was shared while it was issued slowly waits for its recipient.
func TestDraft_SharedWhileItIsIssuedSlowly(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.draft()
		_, err := d.slow(func() error { _, err := d.sharer().Share(d.ctx, d.by, draft.ID); return err }).Issue(d.ctx, d.by, draft.ID)
		turnedAway(t, "issued slowly", err, fault.Conflict, changedMeanwhile)
		d.issuedNothing()
		now := d.again(draft)
		equal(t, "the draft", []any{now.State(), now.Claim}, []any{share.Shared, (*share.Claim)(nil)})
		token := d.token(now)
		_, err = d.sharer().Approve(d.ctx, token, "Noura", d.code(token), share.From{})
		d.must(err)
		d.nextIsFirst()
	})
}

// A draft that was changed while it was issued slowly is not issued as it was,
// and is issued as it is when somebody asks for that.
func TestDraft_ChangedWhileItIsIssuedSlowly(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.draft()
		change := func() error {
			_, err := d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("9.00"), recipient)
			return err
		}
		_, err := d.slow(change).Issue(d.ctx, d.by, draft.ID)
		turnedAway(t, "issued slowly", err, fault.Conflict, changedMeanwhile)
		d.issuedNothing()
		now := d.again(draft)
		equal(t, "the draft", []any{now.State(), now.Version, now.Claim}, []any{share.Open, 2, (*share.Claim)(nil)})
		i, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		equal(t, "its total", []string{i.Number, i.Record.Totals.WithoutVAT.Fixed2()}, []string{"INV-2026-000001", "18.00"})
	})
}

// nextIsFirst demands that no number was taken.
func (d *desk) nextIsFirst() {
	d.t.Helper()
	i, err := d.sharer().Issue(d.ctx, d.by, d.draft().ID)
	d.must(err)
	equal(d.t, "the next number", i.Number, "INV-2026-000001")
}

// Whoever is so slow that another issues the draft is given that invoice.
func TestDraft_IssuedByAnotherWhileItIsIssuedSlowly(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.draft()
		var second ledger.Invoice
		first, err := d.slow(func() (err error) {
			second, err = d.sharer().Issue(d.ctx, d.by, draft.ID)
			return err
		}).Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		equal(t, "the invoice of both", first.ID, second.ID)
		d.issuedOnce(first.ID)
		equal(t, "what it became", *d.again(draft).Invoice, first.ID)
	})
}

// Nobody else's claim is ended by whoever is refused late.
func TestDraft_LateRefusalReleasesNobodyElse(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.draft()
		begun, end := make(chan struct{}), make(chan struct{})
		issued := make(chan error, 1)
		other := d.meddle(func() error { close(begun); <-end; return nil }, nothing)
		_, err := d.slow(func() error {
			go func() {
				_, err := other.Issue(d.ctx, d.by, draft.ID)
				issued <- err
			}()
			<-begun
			return fault.New(fault.Conflict, "refused late")
		}).Issue(d.ctx, d.by, draft.ID)
		turnedAway(t, "the slow one", err, fault.Conflict, "refused late")
		_, err = d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("9.00"), recipient)
		turnedAway(t, "a change", err, fault.Conflict, "being issued")
		close(end)
		d.must(<-issued)
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
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.draft()
		begun, end := make(chan struct{}), make(chan struct{})
		issued := make(chan error, 1)
		go func() {
			_, err := d.slow(func() error { close(begun); <-end; return nil }).Issue(d.ctx, d.by, draft.ID)
			issued <- err
		}()
		<-begun
		var late error
		c := d.sharer().Config
		c.Issuer = interrupted{c.Issuer, func() { close(end); late = <-issued }}
		changed, err := share.New(c).Change(d.ctx, d.by, draft.ID, 0, d.request("9.00"), recipient)
		d.must(err)
		turnedAway(t, "the slow one", late, fault.Conflict, changedMeanwhile)
		equal(t, "the version", changed.Version, 2)
		d.issuedNothing()
	})
}

// A claim of a program that gave them no id holds a draft, and is shared by
// whoever issues with it.
func TestDraft_ClaimOfAnOlderProgram(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.draft()
		_, err := h.service.Store().ChangeDraft(d.ctx, d.by, draft.ID, func(f *share.Folder) error {
			f.Claim = &share.Claim{By: "x", Since: h.clock.Now(), Until: h.clock.Now().Add(share.ClaimLife), Many: 1}
			return nil
		})
		d.must(err)
		turnedAway(t, "removed", d.sharer().Remove(d.ctx, d.by, draft.ID), fault.Conflict, "being issued by x")
		i, err := d.meddle(func() error {
			now := d.again(draft).Claim
			equal(t, "claimed by", []any{now.By, now.Many, now.ID == uuid.Nil}, []any{"x", 2, false})
			return nil
		}, nothing).Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		d.issuedOnce(i.ID)
	})
}

// Nobody is told of success with something else than the draft says, also when a
// program that asks for no claim has changed or removed it.
func TestDraft_ChangedBehindWhoeverIssuesIt(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		for what, change := range map[string]func(*share.Folder){
			"changed": func(f *share.Folder) { f.Claim, f.Version = nil, f.Version+1 },
			"removed": func(f *share.Folder) { f.Removed = true },
		} {
			draft := d.draft()
			_, err := d.meddle(nothing, func() error {
				_, err := h.service.Store().ChangeDraft(d.ctx, d.by, draft.ID, func(f *share.Folder) error { change(f); return nil })
				return err
			}).Issue(d.ctx, d.by, draft.ID)
			turnedAway(t, what, err, fault.Conflict, "issued before it was changed, as INV-2026-")
		}
	})
}

// What certainly was not written releases the draft at once, also when it can be
// tried again; what may have been does not.
func TestDraft_ReleasedWhenNothingWasWritten(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		_, err := d.sharer().Issue(d.ctx, d.by, d.draft().ID)
		d.must(err)
		away := fault.New(fault.Unavailable, "The database did not say.")
		for _, one := range []struct {
			what, says string
			sharer     *share.Sharer
			before     func()
			released   bool
		}{
			{"no answer", "did not say", d.meddle(func() error { return away }, nothing), func() {}, false},
			{"no room in the lane", "Too many invoices", d.sharer(), h.service.Issuer().Close, true},
		} {
			draft := d.draft()
			one.before()
			_, err = one.sharer.Issue(d.ctx, d.by, draft.ID)
			turnedAway(t, one.what, err, fault.Unavailable, one.says)
			equal(t, one.what+" releases", d.again(draft).Claim == nil, one.released)
		}
	})
}

// A clock that is behind the last invoice releases the draft too. Whether the
// service has noticed the clock by itself decides what it says.
func TestDraft_ReleasedWhenTheClockIsBehind(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		_, err := d.sharer().Issue(d.ctx, d.by, d.draft().ID)
		d.must(err)
		draft := d.draft()
		h.clock.Advance(-time.Hour)
		_, err = d.sharer().Issue(d.ctx, d.by, draft.ID)
		turnedAway(t, "a clock that is behind", err, fault.Unavailable)
		equal(t, "released", d.again(draft).Claim == nil, true)
	})
}
