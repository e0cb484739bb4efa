package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// Reasons stores the reasons of an organisation.
type Reasons interface {
	ReasonPage(ctx context.Context, of org.Tenant, page org.Page) (org.List[trade.Reason], error)
	AddReason(ctx context.Context, by org.Actor, r trade.Reason) error
	ChangeReason(ctx context.Context, by org.Actor, id uuid.UUID, change func(*trade.Reason) error) (trade.Reason, error)
}

const tagReasons = "Reasons"

func (s *Surface) reasonRows() []wire.Route {
	const path = "/api/reasons/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "list-reasons", Tag: tagReasons, Access: wire.People, Scope: org.ReasonGet,
			Summary: "List reasons", Doc: "Returns the reasons of your organisation, newest first. An invoice names one in `reason_id`.",
		}, s.listReasons),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "create-reason", Tag: tagReasons, Access: wire.People, Scope: org.ReasonManage, Status: http.StatusCreated,
			Summary: "Create a reason", Doc: "Creates an active reason.",
			Example: `{"description": "Payment within 45 days", "due_days": 45}`,
		}, s.createReason),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: path + "{reason_id}/", Name: "change-reason", Tag: tagReasons, Access: wire.People, Scope: org.ReasonManage,
			Codes:   []fault.Code{fault.ReasonNotFound},
			Summary: "Change a reason", Doc: "A field that is not sent keeps its value. Issued invoices have a copy of the text and do not change. A new invoice cannot name a reason that is not active.",
			Example: `{"is_active": false}`,
		}, s.changeReason),
	}
}

// Reason is a reason in a response.
type Reason struct {
	UUID        uuid.UUID `json:"uuid" doc:"UUID of the reason, for reason_id of an invoice."`
	Description string    `json:"description" example:"Payment within 45 days" doc:"Text on the document: payment terms, or why a note is issued."`
	Active      bool      `json:"is_active" doc:"Whether new invoices can name the reason."`
	DueDays     *int      `json:"due_days" doc:"Days from the issue until an invoice with this reason is due, 0 to print no due date; null if the setting of the organisation applies."`
	CreatedAt   time.Time `json:"created_at" doc:"Time the reason was created."`
}

func reasonOf(r trade.Reason) *Reason {
	return &Reason{UUID: r.ID, Description: r.Description, Active: r.Active, DueDays: r.DueDays, CreatedAt: r.CreatedAt}
}

type listReasons struct{ api.PageQuery }

type reasonsList struct {
	Reasons []Reason `json:"reasons" doc:"Reasons on this page."`
	api.Envelope
}

func (s *Surface) listReasons(ctx context.Context, c wire.Caller, in *listReasons) (*reasonsList, error) {
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, s.Reasons.ReasonPage, valueOf(reasonOf))
	return &reasonsList{rows, envelope}, err
}

type createReason struct {
	Body struct {
		Description string `json:"description" minLength:"1" maxLength:"1000" example:"Payment within 45 days" doc:"Text on the document: payment terms, or why a note is issued."`
		DueDays     *int   `json:"due_days" optional:"true" minimum:"0" maximum:"365" example:"45" doc:"Days from the issue until an invoice with this reason is due, 0 to print no due date; null if the setting of the organisation applies."`
	} `body:"json"`
}

func (s *Surface) createReason(ctx context.Context, c wire.Caller, in *createReason) (*Reason, error) {
	r := trade.Reason{ID: s.NewID(), Description: in.Body.Description, Active: true, DueDays: in.Body.DueDays, CreatedAt: s.Now()}
	if problems := r.Check(); problems != nil {
		return nil, fault.Wrong(problems...)
	}
	if err := s.Reasons.AddReason(ctx, c.Actor, r); err != nil {
		return nil, err
	}
	return reasonOf(r), nil
}

type changeReason struct {
	ID   uuid.UUID `path:"reason_id" doc:"UUID of the reason."`
	Body struct {
		Description *string         `json:"description" optional:"true" minLength:"1" maxLength:"1000" example:"Payment within 45 days" doc:"New text for new documents."`
		Active      *bool           `json:"is_active" optional:"true" doc:"Whether new invoices can name the reason."`
		DueDays     codec.Sent[int] `json:"due_days" minimum:"0" maximum:"365" example:"45" doc:"Days from the issue until an invoice with this reason is due, 0 to print no due date; null if the setting of the organisation applies."`
	} `body:"json"`
}

func (s *Surface) changeReason(ctx context.Context, c wire.Caller, in *changeReason) (*Reason, error) {
	r, err := s.Reasons.ChangeReason(ctx, c.Actor, in.ID, func(r *trade.Reason) error {
		if in.Body.Description != nil {
			r.Description = *in.Body.Description
		}
		if in.Body.Active != nil {
			r.Active = *in.Body.Active
		}
		if in.Body.DueDays.Given {
			r.DueDays = nil
			if !in.Body.DueDays.Null {
				r.DueDays = &in.Body.DueDays.Value
			}
		}
		if problems := r.Check(); problems != nil {
			return fault.Wrong(problems...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reasonOf(r), nil
}
