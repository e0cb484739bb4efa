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

// Issue makes an invoice of a draft, once. Who asks again is given the same
// invoice, also when the first time ended between the invoice and the draft.
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
	// From here on it is finished also when the caller has left, and however long
	// the book was waited for: each step has its own bound.
	ctx = context.WithoutCancel(ctx)
	if !known {
		if issued, err = s.issue(ctx, by, d); err != nil {
			return ledger.Invoice{}, err
		}
	}
	// The draft as it stands, not as it was read: others may have changed it.
	if d, err = s.became(ctx, by, id, issued.Invoice); err != nil {
		return ledger.Invoice{}, err
	}
	if issued.Digest != digestOfDraft(d) {
		return ledger.Invoice{}, fault.New(fault.Conflict, "The draft was issued before it was changed, as %s.", issued.Invoice.Number)
	}
	return s.Keeper.Invoice(ctx, by.Tenant, issued.Invoice.ID)
}

// digestOfDraft names a draft as it stands: another version is other data.
func digestOfDraft(d Draft) [sha256.Size]byte {
	return sha256.Sum256([]byte("draft " + d.ID.String() + " " + strconv.Itoa(d.Version)))
}

// issue issues a draft that is claimed. One of several who do so at once does;
// the others may find that it cannot be issued any more, because it is.
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

// certain says whether what was refused was certainly not written. What may have
// been all the same leaves the draft as it is until the claim ends.
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

// asApproved refuses to issue something else than what was approved: prices,
// parties and advances may have changed since.
func (d Draft) asApproved(would ledger.Record) error {
	if d.Approval == nil {
		return nil
	}
	return difference(d.Shown.Invoice.Record, would)
}

// became notes what a draft became, and gives the draft as it stands. One that
// was removed meanwhile need not know, and is none.
func (s *Sharer) became(ctx context.Context, by org.Actor, id uuid.UUID, i ledger.Invoice) (Draft, error) {
	d, err := s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
		if f.Invoice != nil {
			return errUnchanged
		}
		f.Invoice, f.Claim = &i.ID, nil
		f.Deed, f.Details = "draft.issued", map[string]any{"invoice": i.ID, "number": i.Number}
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
