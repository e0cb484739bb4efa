package app

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/remedy"
	"khatm/service/internal/share"
	"khatm/service/internal/wire"
)

// Corrections creates drafts that correct rejected invoices.
type Corrections interface {
	// Correction returns what an invoice needs and what replaces it. The plan of
	// an invoice that is not rejected is empty.
	Correction(ctx context.Context, of org.Tenant, invoice uuid.UUID) (share.Correction, remedy.Plan, error)
	// Plan returns what a rejected invoice needs. It is empty if the invoice is
	// damaged.
	Plan(ctx context.Context, of org.Tenant, invoice uuid.UUID) (remedy.Plan, error)
	// Correct returns the draft that corrects a rejected invoice, and creates it
	// if necessary.
	Correct(ctx context.Context, by org.Actor, invoice uuid.UUID) (share.Draft, remedy.Plan, error)
}

const tagCorrections = "Corrections"

func (s *Surface) correctionRows() []wire.Route {
	const path = "/api/invoices/{invoice_id}/correct/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "get-correction", Tag: tagCorrections, Access: wire.People, Scope: org.InvoiceGet, Whole: true,
			Codes:   []fault.Code{fault.InvoiceNotFound, fault.InvoiceDamaged},
			Summary: "Read what a rejected invoice needs",
			Doc: "Returns why the authority rejected the invoice, the values that would be accepted, and the draft and invoice that replace it. " +
				"An invoice that was issued to replace another names that one.",
		}, s.getCorrection),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "correct-invoice", Tag: tagCorrections, Access: wire.People, Scope: org.InvoiceCreate, Whole: true,
			Codes:   []fault.Code{fault.InvoiceNotFound, fault.InvoiceDamaged, fault.InvoiceNotRejected, fault.InvoiceReplaced, fault.DraftVersion},
			Summary: "Correct a rejected invoice",
			Doc: "Creates a draft with the content of the rejected invoice and the suggested values. Check the draft, enter what `causes` with `needs_person` ask for, and issue it. " +
				"A repeated request returns the same draft until it is deleted. Returns 409 if the invoice is not rejected or is replaced already.",
			Status: http.StatusCreated,
		}, s.correctInvoice),
	}
}

// cause is why an invoice was rejected.
type cause struct {
	RuleID        string  `json:"rule_id" example:"BR-KSA-84" doc:"Code of the authority."`
	Source        string  `json:"source" enum:"request,record,service,person" doc:"Where the cause is. request: a value of the invoice; record: the client, an item or your company; service: a value that we write, so issue the draft as it is; person: a value or decision that only a person has."`
	NeedsPerson   bool    `json:"needs_person" doc:"Whether a person must enter or decide something before the draft is issued."`
	Message       string  `json:"message" doc:"What the rule requires."`
	MessageArabic string  `json:"message_ar" doc:"What the rule requires, in Arabic."`
	Fix           string  `json:"fix" doc:"What to do."`
	FixArabic     string  `json:"fix_ar" doc:"What to do, in Arabic."`
	Path          *string `json:"path" example:"invoice.form_lines.0.vat_rate" doc:"Path of the field in the draft; null if there is no single field."`
}

// suggestion is a value that replaces a rejected one.
type suggestion struct {
	RuleID string `json:"rule_id" example:"BR-KSA-84" doc:"Code of the authority."`
	Path   string `json:"path" example:"invoice.form_lines.0.vat_rate" doc:"Path of the field in the draft."`
	From   string `json:"from" example:"10" doc:"Value in the rejected invoice; may be empty."`
	To     string `json:"to" example:"15" doc:"Suggested value; empty if the field is removed."`
}

type findings struct {
	Causes  []cause      `json:"causes" doc:"Why the authority rejected the invoice, one for each error; empty if it is not rejected."`
	Changes []suggestion `json:"changes" doc:"Suggested values, which the draft has when it is created."`
}

func findingsOf(p remedy.Plan) findings {
	out := findings{Causes: []cause{}, Changes: []suggestion{}}
	for _, m := range p.Remedies {
		one := cause{
			RuleID: m.Code, Source: string(m.Source), NeedsPerson: m.NeedsPerson(),
			Message: m.Cause.EN, MessageArabic: m.Cause.AR, Fix: m.Fix.EN, FixArabic: m.Fix.AR,
		}
		if m.Path != "" {
			path := pathInDraft(m.Path)
			one.Path = &path
		}
		out.Causes = append(out.Causes, one)
		for _, c := range m.Changes {
			out.Changes = append(out.Changes, suggestion{m.Code, pathInDraft(c.Path), c.From, c.To})
		}
	}
	return out
}

// pathInDraft returns the path of a field of an invoice in the body of a draft.
func pathInDraft(path string) string { return "invoice." + strings.TrimPrefix(path, issue.Root+".") }

// Correction is what an invoice needs, in a response.
type Correction struct {
	InvoiceID  uuid.UUID  `json:"invoice_uuid" doc:"UUID of the invoice."`
	Draft      *uuid.UUID `json:"draft_uuid" doc:"UUID of the draft that corrects the invoice; null without a draft."`
	ReplacedBy *uuid.UUID `json:"replaced_by_uuid" doc:"UUID of the invoice that replaces this one; null if it was not replaced."`
	Replaces   *uuid.UUID `json:"replaces_uuid" doc:"UUID of the rejected invoice that this one replaces; null if it replaces none."`
	findings
}

// CorrectingDraft is a draft that corrects an invoice, in a response.
type CorrectingDraft struct {
	Draft
	findings
}

func (s *Surface) getCorrection(ctx context.Context, c wire.Caller, in *oneInvoice) (*Correction, error) {
	linked, plan, err := s.Corrects.Correction(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	return &Correction{InvoiceID: in.ID, Draft: linked.Draft, ReplacedBy: linked.ReplacedBy, Replaces: linked.Replaces, findings: findingsOf(plan)}, nil
}

func (s *Surface) correctInvoice(ctx context.Context, c wire.Caller, in *oneInvoice) (*CorrectingDraft, error) {
	d, plan, err := s.Corrects.Correct(ctx, c.Actor, in.ID)
	if err != nil {
		return nil, err
	}
	draft, err := s.draftOf(d)
	if err != nil {
		return nil, err
	}
	return &CorrectingDraft{Draft: *draft, findings: findingsOf(plan)}, nil
}
