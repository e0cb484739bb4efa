package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

func (s *Surface) remarkRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/invoices/{invoice_id}/notes/", Name: "list-invoice-notes", Tag: tagInvoices, Scope: org.InvoiceGet,
			Codes:   []fault.Code{fault.InvoiceNotFound, fault.InvoiceDamaged},
			Summary: "List the notes on an invoice", Doc: "Returns the notes on an invoice: free text for your own records. They have no effect on VAT and are never sent to the authority.",
		}, s.listRemarks),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/invoices/{invoice_id}/notes/", Name: "create-invoice-note", Tag: tagInvoices, Scope: org.NoteCreate,
			Codes:   []fault.Code{fault.InvoiceNotFound, fault.InvoiceDamaged},
			Summary: "Add a note to an invoice", Doc: "Adds a note for your own records. It is not a credit or debit note, which are created as invoices.",
			Example: `{"title": "Delivery", "details": "Left at the gate."}`,
			Status:  http.StatusCreated,
		}, s.addRemark),
	}
}

// InvoiceNote is a note on an invoice in a response.
type InvoiceNote struct {
	UUID      uuid.UUID `json:"uuid" doc:"UUID of the note."`
	Title     string    `json:"title" example:"Delivery" doc:"Title of the note."`
	Details   string    `json:"details" example:"Left at the gate." doc:"Text of the note."`
	CreatedAt time.Time `json:"created_at" doc:"Time the note was created."`
	CreatedBy string    `json:"created_by" doc:"Author: the public name of the API key or the e-mail address of the person."`
}

func noteOf(r ledger.Remark) InvoiceNote {
	return InvoiceNote{r.ID, r.Title, r.Details, r.CreatedAt, r.CreatedBy}
}

type notesList struct {
	Notes []InvoiceNote `json:"notes" doc:"Notes on the invoice."`
}

func (s *Surface) listRemarks(ctx context.Context, c wire.Caller, in *oneInvoice) (*notesList, error) {
	found, err := s.Keeper.Remarks(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	out := &notesList{}
	for _, r := range found {
		out.Notes = append(out.Notes, noteOf(r))
	}
	return out, nil
}

type remarkBody struct {
	Title   string `json:"title" minLength:"1" maxLength:"200" example:"Delivery" doc:"Title of the note."`
	Details string `json:"details" minLength:"1" maxLength:"5000" example:"Left at the gate." doc:"Text of the note."`
}

type addRemark struct {
	oneInvoice
	Body remarkBody `body:"json"`
}

func (s *Surface) addRemark(ctx context.Context, c wire.Caller, in *addRemark) (*InvoiceNote, error) {
	r := ledger.Remark{ID: s.NewID(), Title: strings.TrimSpace(in.Body.Title), Details: strings.TrimSpace(in.Body.Details), CreatedAt: s.Now(), CreatedBy: c.Actor.Name}
	var problems []fault.Problem
	for _, f := range []struct{ path, text string }{{"title", r.Title}, {"details", r.Details}} {
		if f.text == "" {
			problems = append(problems, fault.Problem{Path: f.path, Message: "must not be blank"})
		}
	}
	if err := wrong("", problems); err != nil {
		return nil, err
	}
	if err := s.Keeper.AddRemark(ctx, c.Actor, in.ID, r); err != nil {
		return nil, err
	}
	out := noteOf(r)
	return &out, nil
}
