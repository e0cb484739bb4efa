package server

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/remedy"
	"khatm/service/internal/share"
)

// corrections creates drafts that correct rejected invoices.
type corrections struct{ *Server }

// Correction returns what an invoice needs and what replaces it. The plan of an
// invoice that is not rejected is empty.
func (s corrections) Correction(ctx context.Context, of org.Tenant, id uuid.UUID) (share.Correction, remedy.Plan, error) {
	i, err := s.store.Invoice(ctx, of, id)
	if err != nil {
		return share.Correction{}, remedy.Plan{}, err
	}
	plan, err := s.plan(ctx, of, i)
	if err != nil {
		return share.Correction{}, remedy.Plan{}, err
	}
	linked, err := s.sharer.Correction(ctx, of, id)
	return linked, plan, err
}

// Plan returns what a rejected invoice needs. It is empty if the invoice is
// damaged.
func (s corrections) Plan(ctx context.Context, of org.Tenant, id uuid.UUID) (plan remedy.Plan, err error) {
	i, err := s.store.Invoice(ctx, of, id)
	if err == nil {
		plan, err = s.plan(ctx, of, i)
	}
	var damage *ledger.Damage
	if errors.As(err, &damage) {
		return remedy.Plan{}, nil
	}
	return plan, err
}

// Correct returns the draft that corrects a rejected invoice, and creates it if
// necessary.
func (s corrections) Correct(ctx context.Context, by org.Actor, id uuid.UUID) (share.Draft, remedy.Plan, error) {
	i, err := s.store.Invoice(ctx, by.Tenant, id)
	if err != nil {
		return share.Draft{}, remedy.Plan{}, err
	}
	plan, err := s.plan(ctx, by.Tenant, i)
	if err != nil {
		return share.Draft{}, remedy.Plan{}, err
	}
	d, err := s.sharer.Correct(ctx, by, i, plan.Request)
	return d, plan, err
}

// plan returns what a rejected invoice needs.
func (s corrections) plan(ctx context.Context, of org.Tenant, i ledger.Invoice) (remedy.Plan, error) {
	if !i.Status.Final() || i.Status.Accepted() {
		return remedy.Plan{}, nil
	}
	answer, err := s.store.Verdict(ctx, of, i.ID)
	if err != nil {
		return remedy.Plan{}, err
	}
	signed, err := s.store.SignedXML(ctx, of, i.ID)
	if err != nil {
		return remedy.Plan{}, err
	}
	var ids []string
	for _, m := range answer.Errors {
		ids = append(ids, m.Code)
	}
	return remedy.For(i, ids, issue.Explain(i, signed, ids, s.config.Now())), nil
}
