package api_test

import (
	"maps"
	"net/http"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// wantUsage returns the usage of an organisation on the plan business that has
// used nothing, with some fields changed.
func wantUsage(changes servicetest.Record) servicetest.Record {
	want := servicetest.Record{
		"month": "2026-11-01", "subscribed_plan": "business", "plan_name": "Business",
		"invoices_used": servicetest.Number(0), "invoices_limit": servicetest.Number(5000), "api_calls_used": servicetest.Number(0), "api_calls_limit": servicetest.Number(0),
		"public_api_validations_used": servicetest.Number(0), "public_api_validations_limit": servicetest.Number(-1),
		"grace_used": false, "grace_exceeded": false, "invoices_allowed": true,
	}
	maps.Copy(want, changes)
	return want
}

// use stores the usage of an organisation in a month.
func use(h *servicetest.Instance, t testing.TB, o org.Organisation, month string, invoices, validations int) {
	t.Helper()
	h.Exec(t, `DELETE FROM usage WHERE org_id = $1 AND month = $2`, o.ID.String(), month)
	h.Exec(t, `INSERT INTO usage (org_id, month, invoices, validations) VALUES ($1, $2, $3, $4)`, o.ID.String(), month, invoices, validations)
}

func TestInterface_2_11_UsageHasTheseFieldsAndNoOther(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		a := h.Call(http.MethodGet, "/v1/api/usage/current/", "")
		servicetest.Same(t, "nothing used", a.Wants(t, http.StatusOK), wantUsage(nil))
		for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
			if a.Header.Get(name) == "" {
				t.Errorf("header %s is missing", name)
			}
		}
		other, _ := h.Stranger()
		use(h, t, other, "2026-11-01", 4000, 3)
		use(h, t, h.Org, "2026-10-01", 5500, 9)
		servicetest.Same(t, "another organisation, another month", h.Read(t, "/api/usage/current/"), wantUsage(nil))
		use(h, t, h.Org, "2026-11-01", 17, 4)
		servicetest.Same(t, "some used", h.Read(t, "/api/usage/current/"), wantUsage(servicetest.Record{"invoices_used": servicetest.Number(17), "public_api_validations_used": servicetest.Number(4)}))
		for range 25 {
			h.Read(t, "/api/items/")
		}
		servicetest.Same(t, "calls are not metered", h.Read(t, "/api/usage/current/")["api_calls_used"], any(servicetest.Number(0)))
		servicetest.Same(t, "any valid key", h.As(h.NewKey(h.Org, org.ViewInvoice, org.ItemGet), http.MethodGet, "/v1/api/usage/current/", "").Status, http.StatusOK)
	})
}

func TestInterface_2_11_GraceOfTenPercent(t *testing.T) {
	cases := []struct {
		used                     int
		grace, exceeded, allowed bool
	}{
		{4999, false, false, true},
		{5000, false, false, true},
		{5001, true, false, true},
		{5499, true, false, true},
		{5500, true, true, false},
		{6000, true, true, false},
	}
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for _, c := range cases {
			use(h, t, h.Org, "2026-11-01", c.used, 0)
			servicetest.Same(t, servicetest.Number(c.used).String(), h.Read(t, "/api/usage/current/"), wantUsage(servicetest.Record{
				"invoices_used": servicetest.Number(c.used), "grace_used": c.grace, "grace_exceeded": c.exceeded, "invoices_allowed": c.allowed,
			}))
		}
		unlimited := h.Organisation("Large Trading", "enterprise")
		use(h, t, unlimited, "2026-11-01", 1_000_000, 0)
		got := h.As(h.NewKey(unlimited, org.ViewInvoice), http.MethodGet, "/v1/api/usage/current/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "unlimited", got, wantUsage(servicetest.Record{
			"subscribed_plan": "enterprise", "plan_name": "Enterprise", "invoices_used": servicetest.Number(1_000_000), "invoices_limit": servicetest.Number(-1),
		}))
	})
}

func TestInterface_2_11_PlansWithoutKeysAreReadByPeople(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.PublicMonthly = 77 })
	for _, c := range []struct {
		plan, name         string
		limit, validations int
	}{{"free", "Free", 25, 77}, {"starter", "Starter", 300, -1}} {
		o := h.Organisation(c.name+" Trading", c.plan)
		use(h, t, o, "2026-11-01", 27, 5) // 25 plus ten percent, rounded down, is 27
		got := h.As(h.Session(org.Admin, o), http.MethodGet, "/v1/api/usage/current/", "").Wants(t, http.StatusOK)
		spent := c.plan == "free"
		servicetest.Same(t, c.plan, got, wantUsage(servicetest.Record{
			"subscribed_plan": c.plan, "plan_name": c.name, "invoices_used": servicetest.Number(27), "invoices_limit": servicetest.Number(c.limit),
			"public_api_validations_used": servicetest.Number(5), "public_api_validations_limit": servicetest.Number(c.validations),
			"grace_used": spent, "grace_exceeded": spent, "invoices_allowed": !spent,
		}))
	}
}

func TestInterface_2_11_MonthIsThatOfUTC(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		use(h, t, h.Org, "2026-11-01", 11, 0)
		use(h, t, h.Org, "2026-12-01", 12, 0)
		use(h, t, h.Org, "2027-01-01", 1, 0)
		for _, c := range []struct {
			at, month string
			used      int
		}{
			{"2026-11-30T21:00:00Z", "2026-11-01", 11}, // December in Riyadh
			{"2026-11-30T23:59:59Z", "2026-11-01", 11},
			{"2026-12-01T00:00:00Z", "2026-12-01", 12},
			{"2026-12-31T23:59:59Z", "2026-12-01", 12},
			{"2027-01-01T00:00:00Z", "2027-01-01", 1},
			{"2027-02-01T00:00:00Z", "2027-02-01", 0},
		} {
			at, err := time.Parse(time.RFC3339, c.at)
			if err != nil {
				t.Fatal(err)
			}
			h.Clock.Advance(at.Sub(h.Clock.Now()))
			servicetest.Same(t, c.at, h.Read(t, "/api/usage/current/"), wantUsage(servicetest.Record{"month": c.month, "invoices_used": servicetest.Number(c.used)}))
		}
	})
}
