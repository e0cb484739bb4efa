package api

import (
	"context"
	"net/http"

	"khatm/service/internal/codec"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

func (s *Surface) usageRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/usage/current/", Name: "get-usage", Tag: tagUsage,
			Summary: "Read the usage of this month",
			Doc:     "Returns what your organisation has used of its plan this month. Check `invoices_allowed` before creating an invoice. API calls are not metered: `api_calls_used` and `api_calls_limit` are always 0.",
		}, s.usage),
	}
}

// Usage is the usage of the plan in a response.
type Usage struct {
	Month            codec.Date `json:"month" example:"2026-11-01" doc:"First day of the current month in UTC."`
	Plan             string     `json:"subscribed_plan" example:"business" doc:"Slug of your plan, such as business."`
	PlanName         string     `json:"plan_name" example:"Business" doc:"Name of your plan, such as Business."`
	InvoicesUsed     int        `json:"invoices_used" example:"1432" doc:"Number of invoices created this month."`
	InvoicesLimit    int        `json:"invoices_limit" example:"5000" doc:"Number of invoices allowed per month; -1 if unlimited."`
	CallsUsed        int        `json:"api_calls_used" deprecated:"true" doc:"Always 0, because API calls are not metered."`
	CallsLimit       int        `json:"api_calls_limit" deprecated:"true" doc:"Always 0, because API calls are not metered."`
	ValidationsUsed  int        `json:"public_api_validations_used" doc:"Calls of the public tools by signed-in people of your organisation this month, on the free plan."`
	ValidationsLimit int        `json:"public_api_validations_limit" doc:"Calls of the public tools allowed per month; -1 if unlimited."`
	GraceUsed        bool       `json:"grace_used" doc:"Whether the limit is exceeded and the 10 percent grace is in use."`
	GraceExceeded    bool       `json:"grace_exceeded" doc:"Whether the 10 percent grace is used up too."`
	InvoicesAllowed  bool       `json:"invoices_allowed" example:"true" doc:"Whether another invoice can be created."`
}

type nothing struct{}

func (s *Surface) usage(ctx context.Context, c wire.Caller, _ *nothing) (*Usage, error) {
	return s.UsageOf(ctx, c)
}

// UsageOf returns the usage of the caller's organisation this month.
func (s *Surface) UsageOf(ctx context.Context, c wire.Caller) (*Usage, error) {
	u, err := s.used(ctx, c)
	if err != nil {
		return nil, err
	}
	validations := org.Unlimited
	if u.Plan.Slug == org.FreePlan {
		validations = s.Validations
	}
	return &Usage{
		Month: codec.DateOf(u.Month), Plan: u.Plan.Slug, PlanName: u.Plan.Name,
		InvoicesUsed: u.Invoices, InvoicesLimit: u.Plan.Invoices,
		ValidationsUsed: u.Validations, ValidationsLimit: validations,
		GraceUsed: u.GraceUsed(), GraceExceeded: u.GraceExceeded(), InvoicesAllowed: u.InvoicesAllowed(),
	}, nil
}

// used returns the usage that was read with the key, or reads it now.
func (s *Surface) used(ctx context.Context, c wire.Caller) (org.Usage, error) {
	if c.Used != nil {
		return *c.Used, nil
	}
	u, err := s.Keeper.Used(ctx, c.Actor.Tenant, s.Now())
	u.Plan = c.Plan
	return u, err
}
