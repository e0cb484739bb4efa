package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Links renews and revokes the links of invoices.
type Links interface {
	RenewInvoice(ctx context.Context, by org.Actor, invoice uuid.UUID) (link string, expires time.Time, err error)
	RevokeInvoice(ctx context.Context, by org.Actor, invoice uuid.UUID) error
}

func (s *Surface) linkRows() []wire.Route {
	const path = "/api/invoices/{invoice_id}/share/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "renew-invoice-link", Tag: tagLinks, Access: wire.People, Scope: org.InvoiceCreate,
			Summary: "Give an invoice a new link", Doc: "The new link works for 30 days from now; the one before is over at once. A standard invoice is shown once the authority has cleared it.",
		}, s.renewLink),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: path, Name: "revoke-invoice-link", Tag: tagLinks, Access: wire.People, Scope: org.InvoiceCreate,
			Summary: "Revoke the link of an invoice", Doc: "It is over at once. Revoking one that is over is no mistake.",
		}, s.revokeLink),
	}
}

type oneInvoice struct {
	ID uuid.UUID `path:"invoice_id" doc:"The invoice's uuid."`
}

func (s *Surface) renewLink(ctx context.Context, c wire.Caller, in *oneInvoice) (*shared, error) {
	link, expires, err := s.Links.RenewInvoice(ctx, c.Actor, in.ID)
	if err != nil {
		return nil, err
	}
	return &shared{link, expires}, nil
}

func (s *Surface) revokeLink(ctx context.Context, c wire.Caller, in *oneInvoice) (*done, error) {
	if err := s.Links.RevokeInvoice(ctx, c.Actor, in.ID); err != nil {
		return nil, err
	}
	return &done{"The link is over."}, nil
}
