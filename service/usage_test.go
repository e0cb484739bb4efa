package service_test

import (
	"maps"
	"net/http"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

// wantUsage is the usage of an organisation on the plan business that has used
// nothing, changed by some fields.
func wantUsage(changes record) record {
	want := record{
		"month": "2026-11-01", "subscribed_plan": "business", "plan_name": "Business",
		"invoices_used": number(0), "invoices_limit": number(5000), "api_calls_used": number(0), "api_calls_limit": number(0),
		"public_api_validations_used": number(0), "public_api_validations_limit": number(-1),
		"grace_used": false, "grace_exceeded": false, "invoices_allowed": true,
	}
	maps.Copy(want, changes)
	return want
}

// use writes what an organisation has used in a month.
func (h *house) use(t testing.TB, o org.Organisation, month string, invoices, validations int) {
	t.Helper()
	h.exec(t, `DELETE FROM usage WHERE org_id = $1 AND month = $2`, o.ID.String(), month)
	h.exec(t, `INSERT INTO usage (org_id, month, invoices, validations) VALUES ($1, $2, $3, $4)`, o.ID.String(), month, invoices, validations)
}

func TestInterface_2_11_UsageHasTheseFieldsAndNoOther(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		a := h.call(http.MethodGet, "/v1/api/usage/current/", "")
		same(t, "nothing used", a.wants(t, http.StatusOK), wantUsage(nil))
		for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
			if a.header.Get(name) == "" {
				t.Errorf("no %s", name)
			}
		}
		other, _ := h.stranger()
		h.use(t, other, "2026-11-01", 4000, 3)
		h.use(t, h.org, "2026-10-01", 5500, 9)
		same(t, "another organisation, another month", h.read(t, "/api/usage/current/"), wantUsage(nil))
		h.use(t, h.org, "2026-11-01", 17, 4)
		same(t, "some used", h.read(t, "/api/usage/current/"), wantUsage(record{"invoices_used": number(17), "public_api_validations_used": number(4)}))
		for range 25 {
			h.read(t, "/api/items/")
		}
		same(t, "calls are not metered", h.read(t, "/api/usage/current/")["api_calls_used"], any(number(0)))
		same(t, "any valid key", h.as(h.newKey(h.org, org.ViewInvoice, org.ItemGet), http.MethodGet, "/v1/api/usage/current/", "").status, http.StatusOK)
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
	onSQLite(t, func(t *testing.T, h *house) {
		for _, c := range cases {
			h.use(t, h.org, "2026-11-01", c.used, 0)
			same(t, number(c.used).String(), h.read(t, "/api/usage/current/"), wantUsage(record{
				"invoices_used": number(c.used), "grace_used": c.grace, "grace_exceeded": c.exceeded, "invoices_allowed": c.allowed,
			}))
		}
		unlimited := h.organisation("Large Trading", "enterprise")
		h.use(t, unlimited, "2026-11-01", 1_000_000, 0)
		got := h.as(h.newKey(unlimited, org.ViewInvoice), http.MethodGet, "/v1/api/usage/current/", "").wants(t, http.StatusOK)
		same(t, "unlimited", got, wantUsage(record{
			"subscribed_plan": "enterprise", "plan_name": "Enterprise", "invoices_used": number(1_000_000), "invoices_limit": number(-1),
		}))
	})
}

func TestInterface_2_11_PlansWithoutKeysAreReadByPeople(t *testing.T) {
	h := open(t, func(c *server.Config) { c.Rates.PublicMonthly = 77 })
	for _, c := range []struct {
		plan, name         string
		limit, validations int
	}{{"free", "Free", 25, 77}, {"starter", "Starter", 300, -1}} {
		o := h.organisation(c.name+" Trading", c.plan)
		h.use(t, o, "2026-11-01", 27, 5) // 25 and ten percent is 27
		got := h.as(h.session(org.Admin, o), http.MethodGet, "/v1/api/usage/current/", "").wants(t, http.StatusOK)
		spent := c.plan == "free"
		same(t, c.plan, got, wantUsage(record{
			"subscribed_plan": c.plan, "plan_name": c.name, "invoices_used": number(27), "invoices_limit": number(c.limit),
			"public_api_validations_used": number(5), "public_api_validations_limit": number(c.validations),
			"grace_used": spent, "grace_exceeded": spent, "invoices_allowed": !spent,
		}))
	}
}

func TestInterface_2_11_MonthIsThatOfUTC(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		h.use(t, h.org, "2026-11-01", 11, 0)
		h.use(t, h.org, "2026-12-01", 12, 0)
		h.use(t, h.org, "2027-01-01", 1, 0)
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
			h.clock.Advance(at.Sub(h.clock.Now()))
			same(t, c.at, h.read(t, "/api/usage/current/"), wantUsage(record{"month": c.month, "invoices_used": number(c.used)}))
		}
	})
}
