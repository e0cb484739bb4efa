package share

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Correction links a rejected invoice and the invoice that replaces it.
type Correction struct {
	Draft      *uuid.UUID // the draft that corrects the invoice; nil if none
	ReplacedBy *uuid.UUID // the invoice issued from the draft; nil if none
	Replaces   *uuid.UUID // the rejected invoice that the invoice itself replaces; nil if none
}

// ErrCorrected means that a rejected invoice has a draft that corrects it.
var ErrCorrected = errors.New("another draft corrects the invoice")

// Correction returns what replaces an invoice, and what it replaces.
func (s *Sharer) Correction(ctx context.Context, of org.Tenant, invoice uuid.UUID) (Correction, error) {
	return s.Keeper.Correction(ctx, of, invoice)
}

// Correct returns the draft that corrects a rejected invoice. If the invoice has
// none, Correct creates it with the request.
func (s *Sharer) Correct(ctx context.Context, by org.Actor, rejected ledger.Invoice, r issue.Request) (Draft, error) {
	if !rejected.Status.Final() || rejected.Status.Accepted() {
		return Draft{}, fault.New(fault.InvoiceNotRejected, "Only an invoice that the authority rejected can be corrected by a new one.")
	}
	if r.CashSale() {
		r.PaidOnIssue = new(bool) // what was received for the rejected one moves
	}
	for range changeTries {
		d, err := s.corrected(ctx, by, rejected.ID, r)
		// Another request created a draft or deleted it meanwhile.
		if !errors.Is(err, ErrCorrected) && fault.KindOf(err) != fault.NotFound {
			return d, err
		}
	}
	return Draft{}, fault.New(fault.DraftVersion, "Others are correcting the invoice at the same time. Try again.")
}

func (s *Sharer) corrected(ctx context.Context, by org.Actor, rejected uuid.UUID, r issue.Request) (Draft, error) {
	known, err := s.Keeper.Correction(ctx, by.Tenant, rejected)
	switch {
	case err != nil:
		return Draft{}, err
	case known.ReplacedBy != nil:
		return Draft{}, fault.New(fault.InvoiceReplaced, "The invoice was replaced by another one.")
	case known.Draft != nil:
		return s.Keeper.Draft(ctx, by.Tenant, *known.Draft)
	}
	r = plain(r)
	now := s.now()
	d := Draft{ID: s.NewID(), Version: 1, Request: r, CreatedBy: by.Name, CreatedAt: now, ChangedAt: now, Corrects: &rejected, Summary: s.summary(ctx, by, r)}
	if err := s.Keeper.AddDraft(ctx, by, d); err != nil {
		return Draft{}, err
	}
	return d, nil
}
