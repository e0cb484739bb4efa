package share

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Create stores a new draft. The draft may still contain errors; Preview
// reports them.
func (s *Sharer) Create(ctx context.Context, by org.Actor, r issue.Request, to Recipient) (Draft, error) {
	if err := to.check(); err != nil {
		return Draft{}, err
	}
	r = plain(r)
	now := s.now()
	d := Draft{ID: s.NewID(), Version: 1, Request: r, Recipient: to, CreatedBy: by.Name, CreatedAt: now, ChangedAt: now, Summary: s.summary(ctx, by, r)}
	if err := s.Keeper.AddDraft(ctx, by, d); err != nil {
		return Draft{}, err
	}
	return d, nil
}

// plain returns a request without the fields that belong to a single call. A
// draft is issued with its own idempotency key.
func plain(r issue.Request) issue.Request {
	r.IdempotencyKey, r.Digest, r.Claim = "", [sha256.Size]byte{}, issue.Claim{}
	return r
}

// Draft returns one draft.
func (s *Sharer) Draft(ctx context.Context, of org.Tenant, id uuid.UUID) (Draft, error) {
	return s.Keeper.Draft(ctx, of, id)
}

// Drafts lists drafts that match a filter, newest first, without Request and
// Shown, which may be large.
func (s *Sharer) Drafts(ctx context.Context, of org.Tenant, f Filter, page org.Page) (org.List[Draft], error) {
	return s.Keeper.Drafts(ctx, of, f, page)
}

// Preview returns the invoice as it would be issued now.
func (s *Sharer) Preview(ctx context.Context, by org.Actor, id uuid.UUID) (ledger.Invoice, error) {
	d, err := s.Keeper.Draft(ctx, by.Tenant, id)
	if err != nil {
		return ledger.Invoice{}, err
	}
	return s.Issuer.Preview(ctx, by, d.Request)
}

// errChanged means that the draft was changed by another request while this
// change was prepared.
var errChanged = errors.New("the draft was changed meanwhile")

// changeTries is how often a change is attempted.
const changeTries = 3

// retryChange prepares a change of a draft and applies it. If another request
// changed the draft meanwhile, it starts again.
func (s *Sharer) retryChange(ctx context.Context, by org.Actor, id uuid.UUID, prepare func(Draft) (func(*Folder) error, error)) (Draft, error) {
	for range changeTries {
		d, err := s.Keeper.Draft(ctx, by.Tenant, id)
		if err != nil {
			return Draft{}, err
		}
		change, err := prepare(d)
		if err != nil {
			return Draft{}, err
		}
		state := d.State()
		changed, err := s.change(ctx, by, id, func(f *Folder) error {
			if f.Version != d.Version || f.State() != state {
				return errChanged
			}
			return change(f)
		})
		if !errors.Is(err, errChanged) {
			return changed, err
		}
	}
	return Draft{}, fault.New(fault.DraftVersion, "Others are changing the draft at the same time. Reload it and try again.")
}

// Change replaces the contents of a draft. If it is shared, the recipient sees
// the new version and a code sent for the old one stops working. The link of a
// declined draft stops working. If seen is not 0 and not the current version, the
// change is refused.
func (s *Sharer) Change(ctx context.Context, by org.Actor, id uuid.UUID, seen int, r issue.Request, to Recipient) (Draft, error) {
	if err := to.check(); err != nil {
		return Draft{}, err
	}
	r = plain(r)
	return s.retryChange(ctx, by, id, func(d Draft) (func(*Folder) error, error) {
		if seen != 0 && seen != d.Version {
			return nil, fault.New(fault.DraftVersion, "The draft is now at version %d, not %d: someone else changed it. Reload it and try again.", d.Version, seen)
		}
		var shown *Shown
		var sum *Summary
		switch d.State() {
		case Approved:
			return nil, fault.New(fault.DraftApproved, "The draft is approved and cannot be changed. Create a new draft.")
		case Issued:
			return nil, errIssued()
		case Shared:
			if to.Email != d.Recipient.Email {
				return nil, fault.New(fault.DraftShared, "The draft is shared with %s. Withdraw the link before you change the recipient.", d.Recipient.Email)
			}
			var err error
			if shown, err = s.computeShown(ctx, by, d.ID, r, d.Version+1); err != nil {
				return nil, err
			}
			sum = summaryOf(r, shown.Invoice.Record)
		case Open, Declined:
			sum = s.summary(ctx, by, r)
		}
		return func(f *Folder) error {
			f.Version++
			if f.Decline != nil {
				f.Share = nil // the recipient gets a new link when it is shared again
			}
			f.Request, f.Recipient, f.Shown, f.Summary, f.ChangedAt = r, to, shown, sum, s.now()
			f.Action, f.Details = "draft.changed", map[string]any{"version": f.Version}
			return nil
		}, nil
	})
}

// computeShown computes what the recipient of a draft sees.
func (s *Sharer) computeShown(ctx context.Context, by org.Actor, id uuid.UUID, r issue.Request, version int) (*Shown, error) {
	i, xml, err := s.Issuer.PreviewXML(ctx, by, r, numberOf(id))
	if err != nil {
		return nil, err
	}
	return &Shown{Version: version, Invoice: i, XML: xml}, nil
}

// numberOf returns the text shown in place of an invoice number. It uses the
// end of the ID, because the beginning is a timestamp, which drafts created at
// the same time share.
func numberOf(id uuid.UUID) string {
	text := id.String()
	return "DRAFT-" + text[len(text)-12:]
}

// Remove deletes a draft that was not issued, with its contents and its link.
func (s *Sharer) Remove(ctx context.Context, by org.Actor, id uuid.UUID) error {
	_, err := s.change(ctx, by, id, func(f *Folder) error {
		if f.State() == Issued {
			return errIssued()
		}
		f.Removed, f.Share, f.ChangedAt = true, nil, s.now()
		f.Action = "draft.removed"
		return nil
	})
	return err
}

func errIssued() error {
	return fault.New(fault.DraftIssued, "The draft has been issued and cannot be changed.")
}
