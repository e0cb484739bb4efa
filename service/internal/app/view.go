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

// Views stores the saved views of people.
type Views interface {
	Views(ctx context.Context, of org.Tenant, person uuid.UUID, list string) ([]org.View, error)
	AddView(ctx context.Context, by org.Actor, v org.View) error
	ChangeView(ctx context.Context, by org.Actor, id uuid.UUID, change func(*org.View) error) (org.View, error)
	RemoveView(ctx context.Context, by org.Actor, id uuid.UUID) error
}

const tagViews = "Views"

func (s *Surface) viewRows() []wire.Route {
	const path, one = "/api/views/", "/api/views/{view_id}/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "list-views", Tag: tagViews, Access: wire.People, Scope: org.ViewManage,
			Summary: "List saved views", Doc: "Returns the views that you have saved in your organisation, by list and name. Other people do not see them.",
		}, s.listViews),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "create-view", Tag: tagViews, Access: wire.People, Scope: org.ViewManage, Status: http.StatusCreated,
			Codes:   []fault.Code{fault.TooManyViews, fault.AlreadyExists},
			Summary: "Save a view", Doc: "Saves filters of a list under a name. The name must be unique among your views of the list. You can save up to 50 views.",
			Example: `{"list": "invoices", "name": "Rejected", "query": "invoice_status=NOT_CLEARED,NOT_REPORTED"}`,
		}, s.createView),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: one, Name: "change-view", Tag: tagViews, Access: wire.People, Scope: org.ViewManage,
			Codes:   []fault.Code{fault.ViewNotFound, fault.AlreadyExists},
			Summary: "Change a saved view", Doc: "A field that is not sent keeps its value.",
			Example: `{"query": "invoice_status=NOT_CLEARED"}`,
		}, s.changeView),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: one, Name: "delete-view", Tag: tagViews, Access: wire.People, Scope: org.ViewManage,
			Codes:   []fault.Code{fault.ViewNotFound},
			Summary: "Delete a saved view",
		}, s.deleteView),
	}
}

// View is a saved view in a response.
type View struct {
	UUID      uuid.UUID `json:"uuid" doc:"UUID of the view."`
	List      string    `json:"list" enum:"invoices,clients,items,drafts,payments,devices,letters,trail" doc:"List that the view filters."`
	Name      string    `json:"name" example:"Rejected" doc:"Name of the view."`
	Query     string    `json:"query" example:"invoice_status=NOT_CLEARED,NOT_REPORTED" doc:"Parameters of the list, as in a URL; empty for all rows."`
	CreatedAt time.Time `json:"created_at" doc:"Time the view was saved."`
}

func viewOf(v org.View) *View { return &View{v.ID, v.List, v.Name, v.Query, v.CreatedAt} }

type listViews struct {
	List string `query:"list" optional:"true" enum:"invoices,clients,items,drafts,payments,devices,letters,trail" doc:"Only views of this list."`
}

type viewsList struct {
	Views []View `json:"views" doc:"Your saved views."`
}

func (s *Surface) listViews(ctx context.Context, c wire.Caller, in *listViews) (*viewsList, error) {
	found, err := s.Views.Views(ctx, c.Actor.Tenant, c.Actor.ID, in.List)
	if err != nil {
		return nil, err
	}
	out := &viewsList{}
	for _, v := range found {
		out.Views = append(out.Views, *viewOf(v))
	}
	return out, nil
}

type createView struct {
	Body struct {
		List  string `json:"list" enum:"invoices,clients,items,drafts,payments,devices,letters,trail" example:"invoices" doc:"List that the view filters."`
		Name  string `json:"name" minLength:"1" maxLength:"100" example:"Rejected" doc:"Name of the view."`
		Query string `json:"query" maxLength:"4000" example:"invoice_status=NOT_CLEARED,NOT_REPORTED" doc:"Parameters of the list, as in a URL; empty for all rows. They are not checked."`
	} `body:"json"`
}

func (s *Surface) createView(ctx context.Context, c wire.Caller, in *createView) (*View, error) {
	v := org.View{ID: s.NewID(), List: in.Body.List, Name: in.Body.Name, Query: in.Body.Query, CreatedAt: s.Now()}
	if problems := v.Check(); problems != nil {
		return nil, fault.Wrong(problems...)
	}
	if err := s.Views.AddView(ctx, c.Actor, v); err != nil {
		return nil, err
	}
	return viewOf(v), nil
}

type changeView struct {
	ID   uuid.UUID `path:"view_id" doc:"UUID of the view."`
	Body struct {
		Name  *string `json:"name" optional:"true" minLength:"1" maxLength:"100" example:"Rejected" doc:"New name."`
		Query *string `json:"query" optional:"true" maxLength:"4000" example:"invoice_status=NOT_CLEARED" doc:"New parameters of the list."`
	} `body:"json"`
}

func (s *Surface) changeView(ctx context.Context, c wire.Caller, in *changeView) (*View, error) {
	v, err := s.Views.ChangeView(ctx, c.Actor, in.ID, func(v *org.View) error {
		if in.Body.Name != nil {
			v.Name = *in.Body.Name
		}
		if in.Body.Query != nil {
			v.Query = *in.Body.Query
		}
		if problems := v.Check(); problems != nil {
			return fault.Wrong(problems...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return viewOf(v), nil
}

type oneView struct {
	ID uuid.UUID `path:"view_id" doc:"UUID of the view."`
}

func (s *Surface) deleteView(ctx context.Context, c wire.Caller, in *oneView) (*done, error) {
	if err := s.Views.RemoveView(ctx, c.Actor, in.ID); err != nil {
		return nil, err
	}
	return &done{"View deleted."}, nil
}
