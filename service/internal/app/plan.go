package app

import (
	"context"
	"net/http"

	"khatm/service/internal/api"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Plans stores the plans of the installation.
type Plans interface {
	Plans(ctx context.Context) ([]org.Plan, error)
}

const tagPlan = "Plan"

func (s *Surface) planRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/plan/", Name: "get-plan", Tag: tagPlan, Access: wire.People, Scope: org.CompanyGet,
			Summary: "Read the plan and its usage",
			Doc:     "Returns the plan of your organisation, what it has used of the plan this month, and all plans. The operator of the service changes the plan of an organisation.",
		}, s.getPlan),
	}
}

// PlanUsage is the plan of an organisation and its usage.
type PlanUsage struct {
	Plan  Plan      `json:"plan" doc:"Plan of your organisation."`
	Usage api.Usage `json:"usage" doc:"Usage of this month, as in GET /v1/api/usage/current/."`
	Left  int       `json:"invoices_left" doc:"Number of invoices that can still be issued this month, the grace included; -1 if unlimited."`
	Plans []Plan    `json:"plans" doc:"All plans, the smallest first."`
}

// Plan is a plan in a response.
type Plan struct {
	Slug       string `json:"slug" example:"business" doc:"Slug of the plan."`
	Name       string `json:"name" example:"Business" doc:"Name of the plan in English."`
	NameArabic string `json:"name_ar" example:"الأعمال" doc:"Name of the plan in Arabic."`
	Invoices   int    `json:"invoices_limit" example:"5000" doc:"Number of invoices allowed per month; -1 if unlimited."`
	Writes     int    `json:"fair_use_limit" example:"100000" doc:"Writes per month under the fair-use limit; -1 if unlimited."`
	API        bool   `json:"api_access" doc:"Whether the plan includes API keys."`
}

func planOf(p org.Plan) Plan {
	return Plan{p.Slug, p.Name, p.NameArabic, p.Invoices, p.Writes, p.API}
}

func (s *Surface) getPlan(ctx context.Context, c wire.Caller, _ *nothing) (*PlanUsage, error) {
	usage, err := s.Usage(ctx, c)
	if err != nil {
		return nil, err
	}
	plans, err := s.Plans.Plans(ctx)
	if err != nil {
		return nil, err
	}
	out := &PlanUsage{Plan: planOf(c.Plan), Usage: *usage, Left: org.Unlimited}
	if c.Plan.Invoices >= 0 {
		out.Left = max(0, c.Plan.InvoiceCeiling()-usage.InvoicesUsed)
	}
	for _, p := range plans {
		out.Plans = append(out.Plans, planOf(p))
	}
	return out, nil
}
