package share_test

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
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// hooked is an Issuer that calls a function before and after it issues.
type hooked struct {
	share.Issuer
	before, after func() error
}

func (m hooked) CreateIf(ctx context.Context, by org.Actor, r issue.Request, refuses func(ledger.Record) error) (ledger.Invoice, error) {
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

// withHooks returns a Sharer that calls before and after while it issues.
func withHooks(d *servicetest.DraftSharing, before, after func() error) *share.Sharer {
	c := d.Sharer().Config
	c.Issuer = hooked{c.Issuer, before, after}
	return share.New(c)
}

// TestDraft_StaysAsItIsWhileItIsIssued checks that changes to a draft are
// refused while it is being issued.
func TestDraft_StaysAsItIsWhileItIsIssued(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		verbs := map[string]func(id uuid.UUID) error{
			"change": func(id uuid.UUID) error {
				_, err := d.Sharer().Change(d.Ctx, d.By, id, 0, d.Request("9.00"), servicetest.Recipient)
				return err
			},
			"share":   func(id uuid.UUID) error { _, err := d.Sharer().Share(d.Ctx, d.By, id); return err },
			"unshare": func(id uuid.UUID) error { _, err := d.Sharer().Unshare(d.Ctx, d.By, id); return err },
			"remove":  func(id uuid.UUID) error { return d.Sharer().Remove(d.Ctx, d.By, id) },
		}
		r := d.Request("1.00")
		for what, verb := range verbs {
			for when, withHooks := range map[string]func(func() error) *share.Sharer{
				"before": func(do func() error) *share.Sharer { return withHooks(d, do, nothing) },
				"after":  func(do func() error) *share.Sharer { return withHooks(d, nothing, do) },
			} {
				r.FormLines[0].Price = r.FormLines[0].Price.Add(r.FormLines[0].Price) // so that no two drafts are the same
				draft, err := d.Sharer().Create(d.Ctx, d.By, r, servicetest.Recipient)
				d.Must(err)
				happened := false
				sharer := withHooks(func() error {
					happened = true
					wantFault(t, what+" "+when, verb(draft.ID), fault.Conflict, "being issued")
					return nil
				})
				i, err := sharer.Issue(d.Ctx, d.By, draft.ID)
				d.Must(err)
				now := d.Again(draft)
				servicetest.Equal(t, what+" "+when, happened, true)
				servicetest.Equal(t, "the draft", []any{now.Version, now.State(), *now.Invoice, now.Claim}, []any{1, share.Issued, i.ID, (*share.Claim)(nil)})
				wantFault(t, what+" later", ignoreUnshare(what, verb(draft.ID)), fault.Conflict, "issued")
			}
		}
	})
}

// ignoreUnshare replaces the success of unsharing a draft without a link.
func ignoreUnshare(what string, err error) error {
	if what == "unshare" && err == nil {
		return fault.New(fault.StateConflict, "issued, without a link")
	}
	return err
}

// TestDraft_ApprovedWhileItIsIssued checks what holders of the link can do while
// the draft is being issued.
func TestDraft_ApprovedWhileItIsIssued(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Approved()
		token := d.Token(draft)
		var again share.Approval
		sharer := withHooks(d, func() (err error) {
			_, err = d.Sharer().AskCode(d.Ctx, token, share.From{})
			wantFault(t, "a code", err, fault.Invalid, "already approved")
			again, err = d.Sharer().Approve(d.Ctx, token, "Somebody", "123456", share.From{})
			return err
		}, nothing)
		_, err := sharer.Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		servicetest.Equal(t, "the approval", again, *draft.Approval)

		// A draft that is being issued cannot be approved.
		waiting, link := d.Shared()
		code := d.Code(link)
		_, err = h.Service.Store().ChangeDraft(d.Ctx, d.By, waiting.ID, func(f *share.Folder) error {
			f.Claim = &share.Claim{By: "x", Since: h.Clock.Now(), Until: h.Clock.Now().Add(share.ClaimLife), Many: 1}
			return nil
		})
		d.Must(err)
		_, err = d.Sharer().AskCode(d.Ctx, link, share.From{})
		wantFault(t, "a code", err, fault.Invalid, "already been issued")
		_, err = d.Sharer().Approve(d.Ctx, link, "Noura", code, share.From{})
		wantFault(t, "approved", err, fault.Invalid, "already been issued")
	})
}

// TestDraft_ClaimsEnd checks that the claim of a crashed server expires, and
// that the invoice of the draft is then found.
func TestDraft_ClaimsEnd(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		power := errors.New("the power went")
		change := func(id uuid.UUID) error {
			_, err := d.Sharer().Change(d.Ctx, d.By, id, 0, d.Request("9.00"), servicetest.Recipient)
			return err
		}
		before := d.Draft()
		_, err := withHooks(d, func() error { return power }, nothing).Issue(d.Ctx, d.By, before.ID)
		if !errors.Is(err, power) {
			t.Fatal(err)
		}
		wantFault(t, "changed too early", change(before.ID), fault.Conflict, "being issued")
		h.Clock.Advance(share.ClaimLife - time.Millisecond)
		wantFault(t, "changed too early", change(before.ID), fault.Conflict, "being issued")
		h.Clock.Advance(time.Millisecond)
		d.Must(change(before.ID))
		servicetest.Equal(t, "the claim", d.Again(before).Claim, (*share.Claim)(nil))

		// In these cases the invoice was written. The next operation on the
		// draft finds it.
		for what, late := range map[string]func(id uuid.UUID) error{
			"change": change,
			"share":  func(id uuid.UUID) error { _, err := d.Sharer().Share(d.Ctx, d.By, id); return err },
			"remove": func(id uuid.UUID) error { return d.Sharer().Remove(d.Ctx, d.By, id) },
		} {
			r := d.Request("4200.00")
			r.FormLines[0].Name = "Laptop to " + what
			draft, err := d.Sharer().Create(d.Ctx, d.By, r, servicetest.Recipient)
			d.Must(err)
			ctx, leave := context.WithCancel(d.Ctx)
			c := d.Sharer().Config
			c.Keeper = forgetful{c.Keeper, ctx}
			c.Issuer = hooked{c.Issuer, nothing, func() error { leave(); return nil }}
			if _, err := share.New(c).Issue(d.Ctx, d.By, draft.ID); err == nil {
				t.Fatal("the draft was updated, so the test proves nothing")
			}
			servicetest.Equal(t, "the draft before", d.Again(draft).State(), share.Open)
			wantFault(t, what+" too early", late(draft.ID), fault.Conflict, "being issued")
			h.Clock.Advance(share.ClaimLife)
			wantFault(t, what, late(draft.ID), fault.Conflict, "has been issued")
			servicetest.Equal(t, "the draft", d.Again(draft).State(), share.Issued)
		}
	})
}

// forgetful is a Keeper that fails once its server has stopped.
type forgetful struct {
	share.Keeper
	alive context.Context //nolint:containedctx // done once the server has stopped
}

func (f forgetful) ChangeDraft(ctx context.Context, by org.Actor, id uuid.UUID, change func(*share.Folder) error) (share.Draft, error) {
	if err := f.alive.Err(); err != nil {
		return share.Draft{}, err
	}
	return f.Keeper.ChangeDraft(ctx, by, id, change)
}

// TestDraft_RefusalsReleaseTheDraft checks that a refused invoice leaves no
// claim, also with concurrent requests.
func TestDraft_RefusalsReleaseTheDraft(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		wrong := d.Request("1.00")
		wrong.PaymentMeans = "30" // without a reason
		draft, err := d.Sharer().Create(d.Ctx, d.By, wrong, servicetest.Recipient)
		d.Must(err)
		second := func() error {
			_, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
			wantFault(t, "the second", err, fault.Invalid)
			servicetest.Equal(t, "claims of the first", d.Again(draft).Claim.Many, 1)
			return nil
		}
		_, err = withHooks(d, second, nothing).Issue(d.Ctx, d.By, draft.ID)
		wantFault(t, "the first", err, fault.Invalid)
		servicetest.Equal(t, "the claim", d.Again(draft).Claim, (*share.Claim)(nil))
		_, err = d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("1.00"), servicetest.Recipient)
		d.Must(err)
	})
}
