package wire_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

func TestInterface_8_FairUseIsOffByDefault(t *testing.T) {
	t.Parallel()
	if server.Defaults().FairUse {
		t.Error("fair use is on by default")
	}
	h := servicetest.Open(t, nil)
	h.Allow(0)
	for range 5 {
		if got := h.NewItem(h.Key); got.Status != http.StatusCreated {
			t.Errorf("write without fair use: status %d, body %s; want 201", got.Status, got.Body)
		}
	}
}

func TestInterface_8_FairUseAllowanceAndTenPercentRoundedUp(t *testing.T) {
	servicetest.MostlySQLiteWith(t, servicetest.FairUse, func(t *testing.T, h *servicetest.Instance) {
		for _, c := range []struct {
			allowance, passes int
			limit             string
		}{{0, 0, "0"}, {1, 2, "1"}, {5, 6, "5"}, {10, 11, "10"}, {11, 13, "11"}} {
			h.Allow(c.allowance)
			h.Clock.Advance(31 * 24 * time.Hour) // a new month for each case
			for i := range c.passes {
				if got := h.NewItem(h.Key); got.Status != http.StatusCreated {
					t.Errorf("allowance %d, write %d: status %d, body %s; want 201", c.allowance, i+1, got.Status, got.Body)
				}
			}
			servicetest.Spent(c.limit).Wants(t, "beyond the allowance", h.NewItem(h.Key))
		}
		unlimited := h.Organisation("Large", "enterprise")
		key := h.NewKey(unlimited, org.CreateInvoice)
		for range 20 {
			if got := h.NewItem(key); got.Status != http.StatusCreated {
				t.Errorf("unlimited plan: status %d, body %s; want 201", got.Status, got.Body)
			}
		}
	})
}

func TestInterface_8_FairUseCountsSuccessfulWritesOnly(t *testing.T) {
	servicetest.MostlySQLiteWith(t, servicetest.FairUse, func(t *testing.T, h *servicetest.Instance) {
		own := h.NewRecords(h.Key) // on the unchanged plan
		h.Allow(2)
		h.Clock.Advance(31 * 24 * time.Hour)
		viewer, patch := h.NewKey(h.Org, org.ViewInvoice), own.Path("/api/items/{item_id}/")
		failed := func() {
			t.Helper()
			for name, got := range map[string]servicetest.Answer{
				"not a form":         h.Call("POST", "/v1/api/items/", "{}"),
				"wrong input":        h.Call("PATCH", patch, `{"item_name":"abc"}`),
				"unknown record":     h.Call("PATCH", "/v1/api/items/00000000-0000-4000-8000-000000000000/", `{"description":"x"}`),
				"no permission":      h.As(viewer, "PATCH", patch, `{}`),
				"wrong method":       h.Call("PUT", patch, `{}`),
				"unknown path":       h.Call("POST", "/v1/api/nothing/", `{}`),
				"an invalid picture": h.Form("/v1/api/items/", servicetest.Part{Field: "item_data", Filename: "", Content: servicetest.GoodItem()}, servicetest.Part{Field: "image", Filename: "x.png", Content: "no picture"}),
			} {
				if got.Status < 400 || strings.Contains(got.Body, "fair_use") {
					t.Errorf("%s: got %d %s; want an error other than the fair-use limit", name, got.Status, got.Body)
				}
			}
		}
		reads := func() {
			t.Helper()
			for _, path := range []string{"/v1/api/items/", patch, "/v1/api/buyers/", servicetest.UsagePath, "/v1/api/plans/", "/v1/api/invoices/vat/"} {
				if got := h.Call("GET", path, ""); got.Status != http.StatusOK {
					t.Errorf("GET %s: got %d %s, want 200", path, got.Status, got.Body)
				}
			}
		}
		failed()
		reads()
		for i := range 3 {
			if got := h.Call("PATCH", patch, `{"description":"x"}`); got.Status != http.StatusOK {
				t.Errorf("write %d after refused requests: status %d, body %s; want 200", i+1, got.Status, got.Body)
			}
			reads()
		}
		servicetest.Spent("2").Wants(t, "a fourth write", h.Call("PATCH", patch, `{"description":"x"}`))
		servicetest.Spent("2").Wants(t, "a write that would fail", h.Call("PATCH", patch, `{"item_name":"abc"}`))
		servicetest.Spent("2").Wants(t, "a write of a person", h.As(h.Session(org.Admin, h.Org), "PATCH", patch, `{"description":"x"}`))
		servicetest.NoRight.Wants(t, "a write without permission", h.As(viewer, "PATCH", patch, `{}`))
		reads()
		other := h.NewKey(h.Organisation("Other", "business"), org.CreateInvoice)
		if got := h.NewItem(other); got.Status != http.StatusCreated {
			t.Errorf("write of another organisation: status %d, body %s; want 201", got.Status, got.Body)
		}
	})
}

// Fair use counts by month in Riyadh time, usage by month in UTC.
func TestC11_FairUseAndUsageHaveDifferentMonths(t *testing.T) {
	servicetest.MostlySQLiteWith(t, servicetest.FairUse, func(t *testing.T, h *servicetest.Instance) {
		h.Allow(1)
		at := func(text string) {
			t.Helper()
			when, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			h.Clock.Advance(when.Sub(h.Clock.Now()))
		}
		month := func() any { return h.Call("GET", servicetest.UsagePath, "").JSON(t)["month"] }
		writes := func(want int) {
			t.Helper()
			for i := range want {
				if got := h.NewItem(h.Key); got.Status != http.StatusCreated {
					t.Errorf("write %d: status %d, body %s; want 201", i+1, got.Status, got.Body)
				}
			}
			servicetest.Spent("1").Wants(t, "one write more", h.NewItem(h.Key))
		}
		at("2026-11-30T23:59:59+03:00")
		writes(2)
		at("2026-12-01T00:00:00+03:00")
		if got := month(); got != "2026-11-01" {
			t.Errorf("month of usage at the end of the month in Riyadh = %v, want 2026-11-01", got)
		}
		writes(2)
		at("2026-11-30T23:59:59Z")
		writes(0)
		if got := month(); got != "2026-11-01" {
			t.Errorf("month of usage before the end of the month in UTC = %v, want 2026-11-01", got)
		}
		at("2026-12-01T00:00:00Z")
		writes(0)
		if got := month(); got != "2026-12-01" {
			t.Errorf("month of usage at the end of the month in UTC = %v, want 2026-12-01", got)
		}
		at("2027-01-01T00:00:00+03:00")
		writes(2)
	})
}

func TestC11_ConcurrentWritesAtTheLimit(t *testing.T) {
	servicetest.EachEngineWith(t, servicetest.FairUse, func(t *testing.T, h *servicetest.Instance) {
		h.Allow(20) // 22 pass
		h.Clock.Advance(31 * 24 * time.Hour)
		var created, refused, others atomic.Int64
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				switch got := h.NewItem(h.Key); got.Status {
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
			t.Errorf("%d writes succeeded, %d were refused, %d failed otherwise; want 22 and 28", created.Load(), refused.Load(), others.Load())
		}
		if got := h.Call("GET", "/v1/api/items/", "").JSON(t)["total"]; got != servicetest.Number(22) {
			t.Errorf("%v items exist, want 22", got)
		}
	})
}
