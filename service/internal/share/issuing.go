package share

import (
	"context"
	"crypto/sha256"
	"errors"
	"strconv"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Issue issues the invoice of a draft, once. Repeated calls return the same
// invoice, even if an earlier call ended after the invoice was issued but
// before the draft was updated.
func (s *Sharer) Issue(ctx context.Context, by org.Actor, id uuid.UUID) (ledger.Invoice, error) {
	d, err := s.Keeper.Draft(ctx, by.Tenant, id)
	if err != nil {
		return ledger.Invoice{}, err
	}
	var issued issue.Issued
	var known bool
	if d.Invoice == nil {
		if issued, known, err = s.Issuer.Earlier(ctx, by.Tenant, issue.DraftKey(id)); err == nil && !known {
			d, err = s.claim(ctx, by, id)
		}
	}
	switch {
	case err != nil:
		return ledger.Invoice{}, err
	case d.Invoice != nil:
		return s.Keeper.Invoice(ctx, by.Tenant, *d.Invoice)
	}
	// From here on the work is finished even if the client disconnects. Each
	// step has its own time limit.
	ctx = context.WithoutCancel(ctx)
	if !known {
		if issued, err = s.issue(ctx, by, d); err != nil {
			return ledger.Invoice{}, err
		}
	}
	// Use the draft as it is now: other requests may have changed it.
	if d, err = s.recordInvoice(ctx, by, id, issued.Invoice); err != nil {
		return ledger.Invoice{}, err
	}
	if issued.Digest != digestOfDraft(d) {
		return ledger.Invoice{}, fault.New(fault.DraftIssued, "The draft was issued before it was changed, as %s.", issued.Invoice.Number)
	}
	return s.Keeper.Invoice(ctx, by.Tenant, issued.Invoice.ID)
}

// digestOfDraft identifies a version of a draft.
func digestOfDraft(d Draft) [sha256.Size]byte {
	return sha256.Sum256([]byte("draft " + d.ID.String() + " " + strconv.Itoa(d.Version)))
}

// issue issues a claimed draft. Of several requests at once, one succeeds; the
// others may be refused because the invoice exists already, and return that
// one.
func (s *Sharer) issue(ctx context.Context, by org.Actor, d Draft) (issue.Issued, error) {
	r := d.Request
	r.IdempotencyKey, r.Digest = issue.DraftKey(d.ID), digestOfDraft(d)
	r.Claim = issue.Claim{Draft: d.ID, ID: d.Claim.ID}
	created, refusal := s.Issuer.CreateIf(ctx, by, r, d.asApproved)
	if refusal == nil {
		return issue.Issued{Digest: r.Digest, Invoice: created}, nil
	}
	issued, known, err := s.Issuer.Earlier(ctx, by.Tenant, issue.DraftKey(d.ID))
	if err == nil && known {
		return issued, nil
	}
	if err == nil && certain(refusal) {
		s.release(ctx, by, d.ID, d.Claim.ID)
	}
	return issue.Issued{}, refusal
}

// certain reports whether a refused invoice was certainly not written. If it
// may have been written, the draft stays claimed until the claim expires.
func certain(refusal error) bool {
	switch fault.KindOf(refusal) {
	case fault.Internal:
		return false
	case fault.Unavailable:
		return errors.Is(refusal, issue.ErrUnwritten)
	default:
		return true
	}
}

// asApproved returns an error if the invoice differs from what was approved:
// prices, parties and advances may have changed since.
func (d Draft) asApproved(would ledger.Record) error {
	if d.Approval == nil {
		return nil
	}
	return difference(d.Shown.Invoice.Record, would)
}

// recordInvoice records the invoice of a draft and returns the draft as it is
// now. If the draft was removed meanwhile, it returns an empty draft.
func (s *Sharer) recordInvoice(ctx context.Context, by org.Actor, id uuid.UUID, i ledger.Invoice) (Draft, error) {
	d, err := s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
		if f.Invoice != nil {
			return errUnchanged
		}
		f.Invoice, f.Claim = &i.ID, nil
		f.Action, f.Details = "draft.issued", map[string]any{"invoice": i.ID, "number": i.Number}
		return nil
	})
	if errors.Is(err, errUnchanged) {
		d, err = s.Keeper.Draft(ctx, by.Tenant, id)
	}
	if fault.KindOf(err) == fault.NotFound {
		return Draft{}, nil
	}
	return d, err
}
