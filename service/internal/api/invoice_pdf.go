package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/render"
	"khatm/service/internal/wire"
)

// Renderer gives invoices out as PDF/A-3.
type Renderer interface {
	PDF(ctx context.Context, of org.Tenant, invoice uuid.UUID, f render.Form) (render.PDF, error)
}

func (s *Surface) pdfRows() []wire.Route {
	const path = "/api/invoices/{invoice_id}/pdf-a3/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "get-invoice-pdf", Tag: tagInvoices, Scope: org.InvoiceGet,
			Summary: "Download an invoice as PDF/A-3",
			Doc:     "The invoice in Arabic and English on A4, with the signed XML embedded, once `invoice_pdf_url` is set. Before that, and for a rejected invoice, 404.",
		}, s.invoicePDF),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "draw-invoice-pdf", Tag: tagInvoices, Scope: org.InvoiceGet, Free: true,
			Summary: "Download an invoice as PDF/A-3 in another form",
			Doc:     "The same document in one language or on the paper of a till. It changes nothing.",
			Example: `{"language":"ar","paper":"80mm"}`,
		}, s.drawPDF),
	}
}

// pdfFile is a PDF to be saved.
type pdfFile struct {
	wire.File `media:"application/pdf"`
}

func (s *Surface) invoicePDF(ctx context.Context, c wire.Caller, in *oneInvoice) (*pdfFile, error) {
	return s.pdf(ctx, c, in.ID, render.Form{})
}

type drawnPDF struct {
	oneInvoice
	Body formBody `body:"json" optional:"true"`
}

type formBody struct {
	Language string `json:"language" optional:"true" enum:"ar_en,ar,en" example:"ar" doc:"ar_en, which is taken if it is not sent: Arabic with English beside it; ar: Arabic; en: English."`
	Paper    string `json:"paper" optional:"true" enum:"a4,80mm" example:"80mm" doc:"a4, which is taken if it is not sent, or 80mm: the roll of a till."`
}

func (s *Surface) drawPDF(ctx context.Context, c wire.Caller, in *drawnPDF) (*pdfFile, error) {
	return s.pdf(ctx, c, in.ID, render.Form{Language: in.Body.Language, Paper: in.Body.Paper})
}

func (s *Surface) pdf(ctx context.Context, c wire.Caller, id uuid.UUID, f render.Form) (*pdfFile, error) {
	pdf, err := s.Renderer.PDF(ctx, c.Actor.Tenant, id, f)
	if err != nil {
		return nil, err
	}
	return &pdfFile{wire.File{Type: "application/pdf", Name: pdf.Name, Bytes: pdf.Data}}, nil
}

// pdfURL is where an invoice can be had as PDF; nil while it cannot.
func (s *Surface) pdfURL(i ledger.Invoice) *string {
	if !i.Status.Accepted() {
		return nil
	}
	at := s.URL + Base + "/api/invoices/" + i.ID.String() + "/pdf-a3/"
	return &at
}
