package app_test

import (
	"net/http"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

func TestPlan_ShowsTheUsageOfTheMonth(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user, large := h.Session(org.ViewInvoice, h.Org), h.Organisation("Large", "enterprise")
		const path = "/app/api/plan/"
		business := servicetest.Record{
			"slug": "business", "name": "Business", "name_ar": "الأعمال", "invoices_limit": servicetest.Number(5000), "fair_use_limit": servicetest.Number(100_000), "api_access": true,
		}
		for used, left := range map[int]int{0: 5500, 17: 5483, 5499: 1, 5500: 0, 5501: 0} {
			use(h, t, h.Org, "2026-11-01", used)
			got := h.As(user, http.MethodGet, path, "").Wants(t, http.StatusOK)
			servicetest.Same(t, "plan", got["plan"], any(business))
			servicetest.Same(t, "usage", got["usage"], any(h.As(user, http.MethodGet, servicetest.UsagePath, "").Wants(t, http.StatusOK)))
			servicetest.Same(t, "invoices left", got["invoices_left"], any(servicetest.Number(left)))
			plans := servicetest.List(t, got, "plans")
			servicetest.Same(t, "number of plans", len(plans), len(org.FirstPlans()))
			servicetest.Same(t, "the third plan", plans[2], any(business))
		}
		unlimited := h.As(h.Session(org.Admin, large), http.MethodGet, path, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "invoices left of an unlimited plan", unlimited["invoices_left"], any(servicetest.Number(-1)))
	})
}
