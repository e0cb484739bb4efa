package service_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// meddled is an issuer while which something else happens.
type meddled struct {
	share.Issuer
	before, after func() error
}

func (m meddled) CreateIf(ctx context.Context, by org.Actor, r issue.Request, refuses func(ledger.Record) error) (ledger.Invoice, error) {
	if err := m.before(); err != nil {
		return ledger.Invoice{}, err
	}
	i, err := m.Issuer.CreateIf(ctx, by, r, refuses)
	if err == nil {
		err = m.after()
	}
	return i, err
}

func nothing() error { return nil }

// meddle gives the sharer of a desk, with something that happens while it issues.
func (d *desk) meddle(before, after func() error) *share.Sharer {
	c := d.sharer().Config
	c.Issuer = meddled{c.Issuer, before, after}
	return share.New(c)
}

// A draft that is being issued stays as it is: nothing that is done to it
// meanwhile is lost, because it is refused.
func TestDraft_StaysAsItIsWhileItIsIssued(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		verbs := map[string]func(id uuid.UUID) error{
			"change": func(id uuid.UUID) error {
				_, err := d.sharer().Change(d.ctx, d.by, id, 0, d.request("9.00"), recipient)
				return err
			},
			"share":   func(id uuid.UUID) error { _, err := d.sharer().Share(d.ctx, d.by, id); return err },
			"unshare": func(id uuid.UUID) error { _, err := d.sharer().Unshare(d.ctx, d.by, id); return err },
			"remove":  func(id uuid.UUID) error { return d.sharer().Remove(d.ctx, d.by, id) },
		}
		r := d.request("1.00")
		for what, verb := range verbs {
			for when, meddle := range map[string]func(func() error) *share.Sharer{
				"before": func(do func() error) *share.Sharer { return d.meddle(do, nothing) },
				"after":  func(do func() error) *share.Sharer { return d.meddle(nothing, do) },
			} {
				r.FormLines[0].Price = r.FormLines[0].Price.Add(r.FormLines[0].Price) // no two are the same
				draft, err := d.sharer().Create(d.ctx, d.by, r, recipient)
				d.must(err)
				happened := false
				sharer := meddle(func() error {
					happened = true
					turnedAway(t, what+" "+when, verb(draft.ID), fault.Conflict, "being issued")
					return nil
				})
				i, err := sharer.Issue(d.ctx, d.by, draft.ID)
				d.must(err)
				now := d.again(draft)
				equal(t, what+" "+when, happened, true)
				equal(t, "the draft", []any{now.Version, now.State(), *now.Invoice, now.Claim}, []any{1, share.Issued, i.ID, (*share.Claim)(nil)})
				turnedAway(t, what+" later", ignoreUnshare(what, verb(draft.ID)), fault.Conflict, "issued")
			}
		}
	})
}

// ignoreUnshare is that there was no link to withdraw.
func ignoreUnshare(what string, err error) error {
	if what == "unshare" && err == nil {
		return fault.New(fault.Conflict, "issued, without a link")
	}
	return err
}

// Whoever has the link of a draft that is being issued is told so, and whoever
// has approved it is told that.
func TestDraft_ApprovedWhileItIsIssued(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.approved()
		token := d.token(draft)
		var again share.Approval
		sharer := d.meddle(func() (err error) {
			_, err = d.sharer().AskCode(d.ctx, token, share.From{})
			turnedAway(t, "a code", err, fault.Invalid, "approved already")
			again, err = d.sharer().Approve(d.ctx, token, "Somebody", "123456", share.From{})
			return err
		}, nothing)
		_, err := sharer.Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		equal(t, "the approval", again, *draft.Approval)

		// One that is about to be an invoice cannot be approved, however it came to
		// be shared.
		waiting, link := d.shared()
		code := d.code(link)
		_, err = h.service.Store().ChangeDraft(d.ctx, d.by, waiting.ID, func(f *share.Folder) error {
			f.Claim = &share.Claim{By: "x", Since: h.clock.Now(), Until: h.clock.Now().Add(share.ClaimLife), Many: 1}
			return nil
		})
		d.must(err)
		_, err = d.sharer().AskCode(d.ctx, link, share.From{})
		turnedAway(t, "a code", err, fault.Invalid, "issued already")
		_, err = d.sharer().Approve(d.ctx, link, "Noura", code, share.From{})
		turnedAway(t, "approved", err, fault.Invalid, "issued already")
	})
}

// A server that ends while it issues leaves a claim. It ends by itself, and then
// the draft knows what became of it.
func TestDraft_ClaimsEnd(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		power := errors.New("the power went")
		change := func(id uuid.UUID) error {
			_, err := d.sharer().Change(d.ctx, d.by, id, 0, d.request("9.00"), recipient)
			return err
		}
		before := d.draft()
		_, err := d.meddle(func() error { return power }, nothing).Issue(d.ctx, d.by, before.ID)
		if !errors.Is(err, power) {
			t.Fatal(err)
		}
		turnedAway(t, "changed too early", change(before.ID), fault.Conflict, "being issued")
		h.clock.Advance(share.ClaimLife - time.Millisecond)
		turnedAway(t, "changed too early", change(before.ID), fault.Conflict, "being issued")
		h.clock.Advance(time.Millisecond)
		d.must(change(before.ID))
		equal(t, "the claim", d.again(before).Claim, (*share.Claim)(nil))

		// Here the invoice was written. Another asks for the draft, and finds it.
		for what, late := range map[string]func(id uuid.UUID) error{
			"change": change,
			"share":  func(id uuid.UUID) error { _, err := d.sharer().Share(d.ctx, d.by, id); return err },
			"remove": func(id uuid.UUID) error { return d.sharer().Remove(d.ctx, d.by, id) },
		} {
			r := d.request("4200.00")
			r.FormLines[0].Name = "Laptop to " + what
			draft, err := d.sharer().Create(d.ctx, d.by, r, recipient)
			d.must(err)
			ctx, leave := context.WithCancel(d.ctx)
			c := d.sharer().Config
			c.Keeper = forgetful{c.Keeper, ctx}
			c.Issuer = meddled{c.Issuer, nothing, func() error { leave(); return nil }}
			if _, err := share.New(c).Issue(d.ctx, d.by, draft.ID); err == nil {
				t.Fatal("the draft was told: the test proves nothing")
			}
			equal(t, "the draft before", d.again(draft).State(), share.Open)
			turnedAway(t, what+" too early", late(draft.ID), fault.Conflict, "being issued")
			h.clock.Advance(share.ClaimLife)
			turnedAway(t, what, late(draft.ID), fault.Conflict, "has been issued")
			equal(t, "the draft", d.again(draft).State(), share.Issued)
		}
	})
}

// forgetful is a keeper whose server ends at some time.
type forgetful struct {
	share.Keeper
	alive context.Context //nolint:containedctx // says whether the server lives
}

func (f forgetful) ChangeDraft(ctx context.Context, by org.Actor, id uuid.UUID, change func(*share.Folder) error) (share.Draft, error) {
	if err := f.alive.Err(); err != nil {
		return share.Draft{}, err
	}
	return f.Keeper.ChangeDraft(ctx, by, id, change)
}

// A refusal leaves no claim, also with several who ask.
func TestDraft_RefusalsReleaseTheDraft(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		wrong := d.request("1.00")
		wrong.PaymentMeans = "30" // without a reason
		draft, err := d.sharer().Create(d.ctx, d.by, wrong, recipient)
		d.must(err)
		second := func() error {
			_, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
			turnedAway(t, "the second", err, fault.Invalid)
			equal(t, "claims of the first", d.again(draft).Claim.Many, 1)
			return nil
		}
		_, err = d.meddle(second, nothing).Issue(d.ctx, d.by, draft.ID)
		turnedAway(t, "the first", err, fault.Invalid)
		equal(t, "the claim", d.again(draft).Claim, (*share.Claim)(nil))
		_, err = d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("1.00"), recipient)
		d.must(err)
	})
}
