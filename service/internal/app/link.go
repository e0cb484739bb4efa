package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Links renews and revokes the share links of invoices.
type Links interface {
	RenewInvoice(ctx context.Context, by org.Actor, invoice uuid.UUID) (link string, expires time.Time, err error)
	RevokeInvoice(ctx context.Context, by org.Actor, invoice uuid.UUID) error
}

const tagLinks = "Links"

func (s *Surface) linkRows() []wire.Route {
	const path = "/api/invoices/{invoice_id}/share/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "renew-invoice-link", Tag: tagLinks, Access: wire.People, Scope: org.InvoiceCreate, Whole: true,
			Codes:   []fault.Code{fault.InvoiceNotFound, fault.InvoiceRejected, fault.InvoiceDamaged},
			Summary: "Create a new link for an invoice", Doc: "The new link works for 30 days; the previous one stops working at once. A standard invoice is shown only after the authority has cleared it.",
		}, s.renewLink),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: path, Name: "revoke-invoice-link", Tag: tagLinks, Access: wire.People, Scope: org.InvoiceCreate, Whole: true,
			Codes:   []fault.Code{fault.InvoiceNotFound, fault.InvoiceDamaged},
			Summary: "Revoke the link of an invoice", Doc: "The link stops working at once. Revoking a link that no longer works is not an error.",
		}, s.revokeLink),
	}
}

type oneInvoice struct {
	ID uuid.UUID `path:"invoice_id" doc:"UUID of the invoice."`
}

func (s *Surface) renewLink(ctx context.Context, c wire.Caller, in *oneInvoice) (*shared, error) {
	link, expires, err := s.Links.RenewInvoice(ctx, c.Actor, in.ID)
	if err != nil {
		return nil, err
	}
	return sharedLink(link, expires, ""), nil
}

func (s *Surface) revokeLink(ctx context.Context, c wire.Caller, in *oneInvoice) (*done, error) {
	if err := s.Links.RevokeInvoice(ctx, c.Actor, in.ID); err != nil {
		return nil, err
	}
	return &done{"The link no longer works."}, nil
}
