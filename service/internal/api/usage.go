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
			Summary: "Read this month's usage",
			Doc:     "What your organisation has used of its plan this month. Branch on `invoices_allowed` before a create. Calls are not metered: `api_calls_used` and `api_calls_limit` are always 0.",
		}, s.usage),
	}
}

// Usage is what was used of the plan.
type Usage struct {
	Month            codec.Date `json:"month" example:"2026-11-01" doc:"First day of the current month, UTC."`
	Plan             string     `json:"subscribed_plan" example:"business" doc:"Code of your plan."`
	PlanName         string     `json:"plan_name" example:"Business" doc:"Name of your plan."`
	InvoicesUsed     int        `json:"invoices_used" example:"1432" doc:"Invoices created this month."`
	InvoicesLimit    int        `json:"invoices_limit" example:"5000" doc:"-1 is unlimited."`
	CallsUsed        int        `json:"api_calls_used" deprecated:"true" doc:"Always 0: calls are not metered."`
	CallsLimit       int        `json:"api_calls_limit" deprecated:"true" doc:"Always 0: calls are not metered."`
	ValidationsUsed  int        `json:"public_api_validations_used" doc:"Calls of your people on the public tools this month, on the free plan."`
	ValidationsLimit int        `json:"public_api_validations_limit" doc:"-1 is unlimited."`
	GraceUsed        bool       `json:"grace_used" doc:"The ten percent above the limit are in use."`
	GraceExceeded    bool       `json:"grace_exceeded" doc:"The ten percent are spent too."`
	InvoicesAllowed  bool       `json:"invoices_allowed" example:"true" doc:"One more invoice can be created."`
}

type nothing struct{}

func (s *Surface) usage(ctx context.Context, c wire.Caller, _ *nothing) (*Usage, error) {
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

// used is what was read with the key, or is read now.
func (s *Surface) used(ctx context.Context, c wire.Caller) (org.Usage, error) {
	if c.Used != nil {
		return *c.Used, nil
	}
	u, err := s.Keeper.Used(ctx, c.Actor.Tenant, s.Now())
	u.Plan = c.Plan
	return u, err
}
