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
)

// alike times the same number of each kind of call in turns, and holds the
// medians to one another: a caller must not learn from the clock what the
// answer does not say.
func (h *house) alike(within float64, tries int, kinds map[string]func() *http.Request) {
	h.t.Helper()
	took := map[string][]time.Duration{}
	for n := range tries + tries/10 {
		for name, request := range kinds {
			r := request()
			w := httptest.NewRecorder()
			began := time.Now()
			h.service.Handler().ServeHTTP(w, r)
			if n >= tries/10 { // what is slow at first is not counted
				took[name] = append(took[name], time.Since(began))
			}
		}
	}
	least, most := time.Hour, time.Duration(0)
	for name, all := range took {
		slices.Sort(all)
		middle := all[len(all)/2]
		least, most = min(least, middle), max(most, middle)
		h.t.Logf("%-28s %s", name, middle)
	}
	if ratio := float64(most) / float64(least); ratio > 1+within {
		h.t.Errorf("the medians differ by %.1f %%, at most %.0f %%", 100*(ratio-1), 100*within)
	}
}

func eachBench(t *testing.T, run func(t *testing.T, h *house)) {
	t.Helper()
	benchmarking(t)
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			run(t, open(t, func(c *server.Config) {
				c.Database, c.Log = database(t), quiet()
				c.Rates = generous()
			}))
		})
	}
}

// TestBenchK11_KeysThatDoNotWork: an unknown name, a wrong secret and a revoked
// key take as long as each other.
func TestBenchK11_KeysThatDoNotWork(t *testing.T) {
	eachBench(t, func(t *testing.T, h *house) {
		revoked := h.newKey(h.org, "Accountant")
		if err := h.service.Store().RevokeKey(t.Context(), h.operator(h.org), revoked[:12], h.clock.Now()); err != nil {
			t.Fatal(err)
		}
		with := func(key string) func() *http.Request {
			return func() *http.Request {
				r := httptest.NewRequest(http.MethodGet, "/v1/api/usage/current/", nil)
				r.Header.Set("Authorization", "Bearer "+key)
				return r
			}
		}
		secret := h.newKey(h.org, "Accountant")[12:]
		h.alike(0.05, 20_000, map[string]func() *http.Request{
			"unknown name": with("svc_zzzzzzz_" + secret), "wrong secret": with(h.key[:12] + secret), "revoked": with(revoked),
		})
	})
}

// TestBenchA3_IdsOfOthers: another organisation's invoice takes as long not to be
// found as none at all.
func TestBenchA3_IdsOfOthers(t *testing.T) {
	eachBench(t, func(t *testing.T, h *house) {
		theirs := h.tillOf(h.organisation("Other Trading", "business"))
		foreign := fmt.Sprint(h.as(h.newKey(theirs.org, "CreateInvoice"), http.MethodPost, theirs.address, theirs.standard()).json(t)["invoice_uuid"])
		ours := h.till()
		ours.created(ours.standard())
		of := func(id func() string) func() *http.Request {
			return func() *http.Request {
				r := httptest.NewRequest(http.MethodGet, "/v1/api/invoices/"+id()+"/", nil)
				r.Header.Set("Authorization", "Bearer "+h.key)
				return r
			}
		}
		h.alike(0.10, 2_000, map[string]func() *http.Request{
			"another's": of(func() string { return foreign }), "nobody's": of(uuid.NewString),
		})
	})
}
