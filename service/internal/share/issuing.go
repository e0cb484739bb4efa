package share

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
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
	if d.Invoice != nil {
		return s.Keeper.Invoice(ctx, by.Tenant, *d.Invoice)
	}
	r := d.Request
	r.IdempotencyKey, r.Digest = "draft-"+d.ID.String(), digestOfDraft(d)
	issued, known, err := s.issuedBefore(ctx, by.Tenant, r)
	if err != nil {
		return ledger.Invoice{}, err
	}
	if !known {
		if issued, err = s.issue(ctx, by, d, r); err != nil {
			return ledger.Invoice{}, err
		}
	}
	if err := s.became(ctx, by, d.ID, issued.Invoice); err != nil {
		return ledger.Invoice{}, err
	}
	if issued.Digest != r.Digest {
		return ledger.Invoice{}, fault.New(fault.Conflict, "The draft was issued before it was changed, as %s.", issued.Invoice.Number)
	}
	return s.Keeper.Invoice(ctx, by.Tenant, issued.Invoice.ID)
}

// digestOfDraft names a draft as it stands: another version is other data.
func digestOfDraft(d Draft) [sha256.Size]byte {
	return sha256.Sum256([]byte("draft " + d.ID.String() + " " + strconv.Itoa(d.Version)))
}

// issuedBefore finds what a draft became already.
func (s *Sharer) issuedBefore(ctx context.Context, of org.Tenant, r issue.Request) (issue.Issued, bool, error) {
	desk, err := s.Keeper.Look(ctx, of, issue.Wants{At: s.Now(), Keys: []string{r.IdempotencyKey}})
	if err != nil {
		return issue.Issued{}, false, err
	}
	issued, known := desk.Keys[r.IdempotencyKey]
	return issued, known, nil
}

// issue issues a draft that may be issued. One of several who do so at once
// does; the others may find that it cannot be issued any more, because it is.
func (s *Sharer) issue(ctx context.Context, by org.Actor, d Draft, r issue.Request) (issue.Issued, error) {
	created, refusal := s.issueNow(ctx, by, d, r)
	if refusal == nil {
		return issue.Issued{Digest: r.Digest, Invoice: created}, nil
	}
	issued, known, err := s.issuedBefore(ctx, by.Tenant, r)
	if err != nil || !known {
		return issue.Issued{}, refusal
	}
	return issued, nil
}

func (s *Sharer) issueNow(ctx context.Context, by org.Actor, d Draft, r issue.Request) (ledger.Invoice, error) {
	switch d.State() {
	case Shared:
		return ledger.Invoice{}, fault.New(fault.Conflict, "The draft waits for its recipient's approval. Wait for it, or withdraw the link.")
	case Approved:
		if err := s.asApproved(ctx, by, d); err != nil {
			return ledger.Invoice{}, err
		}
		// A price that changes at this very moment must not slip through.
		if r.ExpectedPayable == nil {
			r.ExpectedPayable = &d.Shown.Invoice.Record.Totals.Payable
		}
	case Open, Issued:
	}
	return s.Issuer.Create(ctx, by, r)
}

// asApproved refuses to issue something else than what was approved: prices and
// advances may have changed since.
func (s *Sharer) asApproved(ctx context.Context, by org.Actor, d Draft) error {
	now, err := s.Issuer.Preview(ctx, by, d.Request)
	if err != nil {
		return err
	}
	approved, would := d.Shown.Invoice.Record, now.Record
	if approved.Totals.Payable.Equal(would.Totals.Payable) && approved.Totals.VAT.Equal(would.Totals.VAT) && len(approved.Lines) == len(would.Lines) {
		return nil
	}
	return fault.New(fault.Conflict, "The draft was approved with %s and would now be issued with %s. Write a new one.", amounts(approved), amounts(would))
}

func amounts(r ledger.Record) string {
	return fmt.Sprintf("%s %s (VAT %s, lines %d)", r.Totals.Payable.Fixed2(), r.Currency, r.Totals.VAT.Fixed2(), len(r.Lines))
}

// became notes what a draft became. One that was removed meanwhile need not
// know.
func (s *Sharer) became(ctx context.Context, by org.Actor, id uuid.UUID, i ledger.Invoice) error {
	_, err := s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
		if f.Invoice != nil {
			return errUnchanged
		}
		f.Invoice = &i.ID
		f.Deed, f.Details = "draft.issued", map[string]any{"invoice": i.ID, "number": i.Number}
		return nil
	})
	if errors.Is(err, errUnchanged) || fault.KindOf(err) == fault.NotFound {
		return nil
	}
	return err
}
