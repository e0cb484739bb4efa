package api

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Sender sends invoices to the authority.
type Sender interface {
	// Ask queues an invoice to be sent again. It returns an error if the invoice
	// cannot be sent again.
	Ask(ctx context.Context, by org.Actor, invoice uuid.UUID) error
}

type resent struct {
	Message  string `json:"message" doc:"Human-readable result, such as Invoice queued for submission to the authority."`
	Location string `json:"location" header:"Location" example:"/api/invoices/01a1de6f-5280-7005-bc9e-9603932172b4/" doc:"Path of the invoice below the base URL."`
}

// resendInvoice queues an invoice for the authority again.
func (s *Surface) resendInvoice(ctx context.Context, c wire.Caller, in *oneInvoice) (*resent, error) {
	if err := s.Sender.Ask(ctx, c.Actor, in.ID); err != nil {
		return nil, err
	}
	return &resent{Message: "Invoice queued for submission to the authority.", Location: issue.Location(in.ID)}, nil
}
