package service_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// alike measures several kinds of calls alternately and compares the medians:
// the duration of a call must not reveal what its response hides.
func alike(h *servicetest.Instance, within float64, tries int, kinds map[string]func() *http.Request) {
	h.TB.Helper()
	took := map[string][]time.Duration{}
	for n := range tries + tries/10 {
		for name, request := range kinds {
			r := request()
			w := httptest.NewRecorder()
			began := time.Now()
			h.Service.Handler().ServeHTTP(w, r)
			if n >= tries/10 { // skip the slow start
				took[name] = append(took[name], time.Since(began))
			}
		}
	}
	least, most := time.Hour, time.Duration(0)
	for name, all := range took {
		slices.Sort(all)
		middle := all[len(all)/2]
		least, most = min(least, middle), max(most, middle)
		h.TB.Logf("%-28s %s", name, middle)
	}
	if ratio := float64(most) / float64(least); ratio > 1+within {
		h.TB.Errorf("the medians differ by %.1f %%, want at most %.0f %%", 100*(ratio-1), 100*within)
	}
}

func eachBench(t *testing.T, run func(t *testing.T, h *servicetest.Instance)) {
	t.Helper()
	benchmarking(t)
	for name, database := range servicetest.Databases {
		t.Run(name, func(t *testing.T) {
			run(t, servicetest.Open(t, func(c *server.Config) {
				c.Database, c.Log = database(t), servicetest.Quiet()
				c.Rates = servicetest.HighLimits()
			}))
		})
	}
}

// TestBenchK11_KeysThatDoNotWork checks that an unknown key, a wrong secret and
// a revoked key are refused in the same time.
func TestBenchK11_KeysThatDoNotWork(t *testing.T) {
	eachBench(t, func(t *testing.T, h *servicetest.Instance) {
		revoked := h.NewKey(h.Org, "Accountant")
		if err := h.Service.Store().RevokeKey(t.Context(), h.Operator(h.Org), revoked[:12], h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		with := func(key string) func() *http.Request {
			return func() *http.Request {
				r := httptest.NewRequest(http.MethodGet, "/v1/api/usage/current/", nil)
				r.Header.Set("Authorization", "Bearer "+key)
				return r
			}
		}
		secret := h.NewKey(h.Org, "Accountant")[12:]
		alike(h, 0.05, 20_000, map[string]func() *http.Request{
			"unknown name": with("svc_zzzzzzz_" + secret), "wrong secret": with(h.Key[:12] + secret), "revoked": with(revoked),
		})
	})
}

// TestBenchA3_IdsOfOthers checks that requests for an invoice of another
// organisation and for a nonexistent one take the same time.
func TestBenchA3_IdsOfOthers(t *testing.T) {
	eachBench(t, func(t *testing.T, h *servicetest.Instance) {
		theirs := h.SellerOf(h.Organisation("Other Trading", "business"))
		foreign := fmt.Sprint(h.As(h.NewKey(theirs.Org, "CreateInvoice"), http.MethodPost, theirs.Address, theirs.Standard()).JSON(t)["invoice_uuid"])
		ours := h.NewSeller()
		ours.Created(ours.Standard())
		of := func(id func() string) func() *http.Request {
			return func() *http.Request {
				r := httptest.NewRequest(http.MethodGet, "/v1/api/invoices/"+id()+"/", nil)
				r.Header.Set("Authorization", "Bearer "+h.Key)
				return r
			}
		}
		alike(h, 0.10, 2_000, map[string]func() *http.Request{
			"foreign": of(func() string { return foreign }), "unknown": of(uuid.NewString),
		})
	})
}
