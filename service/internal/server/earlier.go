package server

import (
	"bytes"
	"context"

	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
	"khatm/service/internal/intake"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
)

// earlier stores the invoices of older systems.
type earlier struct {
	*store.Store
	s *Server
}

// RegisterFile registers the invoices of a file.
func (e earlier) RegisterFile(ctx context.Context, by org.Actor, file []byte, o intake.InvoiceOptions) (intake.Registered, error) {
	work, err := e.s.limits.Process(ctx, intake.InvoiceMemory)
	if capacity.IsBusy(err) {
		return intake.Registered{}, capacity.Busy(fault.UploadsBusy, "Too many files are being uploaded at the moment. Try again shortly.")
	}
	if err != nil {
		return intake.Registered{}, err
	}
	defer work.End()
	return intake.RegisterInvoices(ctx, e.Store, by, bytes.NewReader(file), int64(len(file)), o, e.s.config.Now())
}
