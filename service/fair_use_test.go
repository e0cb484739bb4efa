package service_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

func fairUse(c *server.Config) { c.FairUse = true }

// allow sets how many writes a month the house's plan has.
func (h *house) allow(writes int) {
	h.t.Helper()
	h.plan(func(p *org.Plan) { p.Writes = writes })
}

// plan changes the house's plan.
func (h *house) plan(change func(*org.Plan)) {
	h.t.Helper()
	_, err := h.service.Store().ChangePlan(h.t.Context(), h.operator(h.org), "business", func(p *org.Plan) error { change(p); return nil })
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) newItem(key string) answer {
	return h.send(http.MethodPost, "/v1/api/items/", bearer(key), formBody(h.t, part{"item_data", "", goodItem()}))
}

func spent(limit string) refusal {
	return refusal{http.StatusForbidden, `{"code":"fair_use_limit","detail":"Your organisation has used its fair-use allowance of writes for this month. ` +
		`Reading goes on; writing goes on next month or on a larger plan.","limit":` + limit + "}\n"}
}

func TestInterface_8_FairUseIsOffByDefault(t *testing.T) {
	if server.Defaults().FairUse {
		t.Error("it is on")
	}
	h := open(t, nil)
	h.allow(0)
	for range 5 {
		if got := h.newItem(h.key); got.status != http.StatusCreated {
			t.Errorf("got %d %s", got.status, got.body)
		}
	}
}

func TestInterface_8_FairUseAllowanceAndTenPercentRoundedUp(t *testing.T) {
	eachWith(t, fairUse, func(t *testing.T, h *house) {
		for _, c := range []struct {
			allowance, passes int
			limit             string
		}{{0, 0, "0"}, {1, 2, "1"}, {5, 6, "5"}, {10, 11, "10"}, {11, 13, "11"}} {
			h.allow(c.allowance)
			h.clock.Advance(31 * 24 * time.Hour) // a month of its own
			for i := range c.passes {
				if got := h.newItem(h.key); got.status != http.StatusCreated {
					t.Errorf("allowance %d, write %d: got %d %s", c.allowance, i+1, got.status, got.body)
				}
			}
			spent(c.limit).wants(t, "beyond the allowance", h.newItem(h.key))
		}
		unlimited := h.organisation("Large", "enterprise")
		key := h.newKey(unlimited, org.CreateInvoice)
		for range 20 {
			if got := h.newItem(key); got.status != http.StatusCreated {
				t.Errorf("an unlimited plan: got %d %s", got.status, got.body)
			}
		}
	})
}

func TestInterface_8_FairUseCountsSuccessfulWritesOnly(t *testing.T) {
	eachWith(t, fairUse, func(t *testing.T, h *house) {
		own := h.stock(h.key) // on the plan as it is
		h.allow(2)
		h.clock.Advance(31 * 24 * time.Hour)
		viewer, patch := h.newKey(h.org, org.ViewInvoice), own.path("/api/items/{item_id}/")
		failed := func() {
			t.Helper()
			for name, got := range map[string]answer{
				"not a form":       h.call("POST", "/v1/api/items/", "{}"),
				"wrong input":      h.call("PATCH", patch, `{"item_name":"abc"}`),
				"no record":        h.call("PATCH", "/v1/api/items/00000000-0000-4000-8000-000000000000/", `{"description":"x"}`),
				"no right":         h.as(viewer, "PATCH", patch, `{}`),
				"no method":        h.call("PUT", patch, `{}`),
				"no path":          h.call("POST", "/v1/api/nothing/", `{}`),
				"a broken picture": h.form("/v1/api/items/", part{"item_data", "", goodItem()}, part{"image", "x.png", "no picture"}),
			} {
				if got.status < 400 || strings.Contains(got.body, "fair_use") {
					t.Errorf("%s: got %d %s", name, got.status, got.body)
				}
			}
		}
		reads := func() {
			t.Helper()
			for _, path := range []string{"/v1/api/items/", patch, "/v1/api/buyers/", usagePath, "/v1/api/plans/", "/v1/api/invoices/vat/"} {
				if got := h.call("GET", path, ""); got.status != http.StatusOK {
					t.Errorf("GET %s: got %d %s", path, got.status, got.body)
				}
			}
		}
		failed()
		reads()
		for i := range 3 {
			if got := h.call("PATCH", patch, `{"description":"x"}`); got.status != http.StatusOK {
				t.Errorf("write %d: got %d %s", i+1, got.status, got.body)
			}
			reads()
		}
		spent("2").wants(t, "a fourth write", h.call("PATCH", patch, `{"description":"x"}`))
		spent("2").wants(t, "a write that would fail", h.call("PATCH", patch, `{"item_name":"abc"}`))
		spent("2").wants(t, "a write of a person", h.as(h.session(org.Admin, h.org), "PATCH", patch, `{"description":"x"}`))
		noRight.wants(t, "a write of who may not", h.as(viewer, "PATCH", patch, `{}`))
		reads()
		other := h.newKey(h.organisation("Other", "business"), org.CreateInvoice)
		if got := h.newItem(other); got.status != http.StatusCreated {
			t.Errorf("another organisation: got %d %s", got.status, got.body)
		}
	})
}

// The month of fair use is Riyadh's; that of usage is UTC's.
func TestC11_MonthsEndAtTwoInstants(t *testing.T) {
	eachWith(t, fairUse, func(t *testing.T, h *house) {
		h.allow(1)
		at := func(text string) {
			t.Helper()
			when, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			h.clock.Advance(when.Sub(h.clock.Now()))
		}
		month := func() any { return h.call("GET", usagePath, "").json(t)["month"] }
		writes := func(want int) {
			t.Helper()
			for i := range want {
				if got := h.newItem(h.key); got.status != http.StatusCreated {
					t.Errorf("write %d: got %d %s", i+1, got.status, got.body)
				}
			}
			spent("1").wants(t, "one write more", h.newItem(h.key))
		}
		at("2026-11-30T23:59:59+03:00")
		writes(2)
		at("2026-12-01T00:00:00+03:00")
		if got := month(); got != "2026-11-01" {
			t.Errorf("the month of usage is %v", got)
		}
		writes(2)
		at("2026-11-30T23:59:59Z")
		writes(0)
		if got := month(); got != "2026-11-01" {
			t.Errorf("the month of usage is %v", got)
		}
		at("2026-12-01T00:00:00Z")
		writes(0)
		if got := month(); got != "2026-12-01" {
			t.Errorf("the month of usage is %v", got)
		}
		at("2027-01-01T00:00:00+03:00")
		writes(2)
	})
}

func TestC11_WritersAtTheEdge(t *testing.T) {
	eachWith(t, fairUse, func(t *testing.T, h *house) {
		h.allow(20) // 22 pass
		h.clock.Advance(31 * 24 * time.Hour)
		var created, refused, others atomic.Int64
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				switch got := h.newItem(h.key); got.status {
				case http.StatusCreated:
					created.Add(1)
				case http.StatusForbidden:
					refused.Add(1)
				default:
					others.Add(1)
				}
			})
		}
		all.Wait()
		if created.Load() != 22 || refused.Load() != 28 {
			t.Errorf("%d were created, %d refused, %d otherwise", created.Load(), refused.Load(), others.Load())
		}
		if got := h.call("GET", "/v1/api/items/", "").json(t)["total"]; got != number(22) {
			t.Errorf("there are %v items", got)
		}
	})
}
