package server

import (
	"bytes"
	"context"

	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
	"khatm/service/internal/intake"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// earlier stores the invoices of older systems.
type earlier struct {
	issue.Register
	s *Server
}

// EarlierPage returns a page of the invoices, by number.
func (e earlier) EarlierPage(ctx context.Context, of org.Tenant, number string, page org.Page) (org.List[issue.Earlier], error) {
	return e.s.store.EarlierPage(ctx, of, number, page)
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
	return intake.RegisterInvoices(ctx, e.s.store, by, bytes.NewReader(file), int64(len(file)), o, e.s.config.Now())
}
