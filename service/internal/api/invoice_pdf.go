package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/render"
	"khatm/service/internal/wire"
)

// Renderer renders invoices as PDF/A-3: PDF accepted ones only, Printed also
// simplified ones that the authority has not answered.
type Renderer interface {
	PDF(ctx context.Context, of org.Tenant, invoice uuid.UUID, f render.Form) (render.PDF, error)
	Printed(ctx context.Context, of org.Tenant, invoice uuid.UUID, f render.Form) (render.PDF, error)
}

func (s *Surface) pdfRows() []wire.Route {
	const path = "/api/invoices/{invoice_id}/pdf-a3/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "get-invoice-pdf", Tag: tagInvoices, Scope: org.InvoiceGet,
			Codes:   []fault.Code{fault.InvoiceNotFound, fault.PDFNotFound, fault.InvoiceDamaged},
			Summary: "Download an invoice as PDF/A-3",
			Doc:     "Returns the invoice in Arabic and English on A4 with the signed XML embedded, as soon as `invoice_pdf_url` is set. Before that, and for a rejected invoice, the response is 404. To print a simplified invoice at once, use POST.",
		}, s.invoicePDF),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "draw-invoice-pdf", Tag: tagInvoices, Scope: org.InvoiceGet, Free: true,
			Codes:   []fault.Code{fault.InvoiceNotFound, fault.PDFNotFound, fault.InvoiceDamaged},
			Summary: "Download an invoice as PDF/A-3 in another language or paper size",
			Doc:     "Returns the same document in one language or in the format of a receipt printer. The invoice itself is not changed. A simplified invoice is valid when it is issued, so its receipt with the QR code is returned before the authority has answered, for example while the authority is unavailable. For a standard invoice without an answer, and for a rejected invoice, the response is 404.",
			Example: `{"language":"ar","paper":"80mm"}`,
		}, s.drawPDF),
	}
}

// pdfFile is a PDF download.
type pdfFile struct {
	wire.File `media:"application/pdf"`
}

func (s *Surface) invoicePDF(ctx context.Context, c wire.Caller, in *oneInvoice) (*pdfFile, error) {
	return pdfOf(s.Renderer.PDF(ctx, c.Actor.Tenant, in.ID, render.Form{}))
}

type drawnPDF struct {
	oneInvoice
	Body formBody `body:"json" optional:"true"`
}

type formBody struct {
	Language string `json:"language" optional:"true" enum:"ar_en,ar,en" example:"ar" doc:"Language of the PDF: ar_en (default) Arabic with English beside it, ar Arabic, en English."`
	Paper    string `json:"paper" optional:"true" enum:"a4,80mm" example:"80mm" doc:"Paper size: a4 (default), or 80mm for the roll of a receipt printer."`
}

func (s *Surface) drawPDF(ctx context.Context, c wire.Caller, in *drawnPDF) (*pdfFile, error) {
	return pdfOf(s.Renderer.Printed(ctx, c.Actor.Tenant, in.ID, render.Form{Language: in.Body.Language, Paper: in.Body.Paper}))
}

// pdfOf returns a PDF as a download.
func pdfOf(pdf render.PDF, err error) (*pdfFile, error) {
	if err != nil {
		return nil, err
	}
	return &pdfFile{wire.File{Type: "application/pdf", Name: pdf.Name, Bytes: pdf.Data}}, nil
}

// pdfURL returns the URL of the PDF of an invoice, or nil while there is none.
func (s *Surface) pdfURL(i ledger.Invoice) *string {
	if !i.Status.Accepted() {
		return nil
	}
	at := s.URL + Base + "/api/invoices/" + i.ID.String() + "/pdf-a3/"
	return &at
}
