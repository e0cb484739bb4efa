package share

import (
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// RenewInvoice creates a new link to an invoice, valid for Life. Earlier links
// stop working.
func (s *Sharer) RenewInvoice(ctx context.Context, by org.Actor, invoice uuid.UUID) (link string, expires time.Time, err error) {
	i, err := s.Keeper.Invoice(ctx, by.Tenant, invoice)
	if err != nil {
		return "", time.Time{}, err
	}
	if i.Status.Final() && !i.Status.Accepted() {
		return "", time.Time{}, fault.New(fault.InvoiceRejected, "The authority has rejected this invoice, so it cannot be shared. Correct it and issue a new one.")
	}
	token, made, err := s.newLink(invoice)
	if err != nil {
		return "", time.Time{}, err
	}
	if err := s.Keeper.RenewShare(ctx, by, invoice, made); err != nil {
		return "", time.Time{}, err
	}
	return s.address(token), made.Expires, nil
}

// RevokeInvoice revokes the links of an invoice.
func (s *Sharer) RevokeInvoice(ctx context.Context, by org.Actor, invoice uuid.UUID) error {
	return s.Keeper.RevokeShares(ctx, by, invoice)
}
