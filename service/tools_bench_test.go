package service_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// TestBenchCalculateVATBesideHello compares calculate-vat, which is rate
// limited by IP address, with a handler that says hello, like
// TestBenchUsageBesideHello.
func TestBenchCalculateVATBesideHello(t *testing.T) {
	benchmarking(t)
	defer debug.SetGCPercent(debug.SetGCPercent(server.GCPercent))
	h := servicetest.Open(t, func(c *server.Config) {
		c.Now, c.Log = time.Now, servicetest.Quiet()
		c.Rates.PublicDaily = 1 << 30
	})
	hello := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"message":"hello"}`)
	}))
	defer hello.Close()
	body := servicetest.ToolBodies(t)["calculate-vat"]
	var ratios []float64
	for range 5 {
		limit, limitRate := postCost(t, hello.URL, body)
		ours, rate := postCost(t, h.HTTP.URL+"/v1-3/api/public/calculate-vat/", body)
		ratios = append(ratios, float64(limit)/float64(ours))
		t.Logf("calculate-vat %s of CPU, %.0f/s; hello %s, %.0f/s", ours, rate, limit, limitRate)
	}
	slices.Sort(ratios)
	const bound = 0.3
	if ratios[2] < bound {
		t.Errorf("CPU time of hello / CPU time of calculate-vat = %.2f, want at least %.2f", ratios[2], bound)
	}
	t.Logf("CPU time of hello / CPU time of calculate-vat = %.2f (at least %.2f)", ratios[2], bound)
}

// postCost is like cost, but sends a POST request with a body.
func postCost(t *testing.T, url, body string) (cpu time.Duration, rate float64) {
	t.Helper()
	const callers, calls = 8, 500
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	began, before := time.Now(), servicetest.CPUTime(t)
	for range callers {
		all.Go(func() {
			for range calls {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("Content-Type", "application/json")
				answer, err := client.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
				if answer.StatusCode != http.StatusOK {
					t.Errorf("status %d, want 200", answer.StatusCode)
					return
				}
			}
		})
	}
	all.Wait()
	return (servicetest.CPUTime(t) - before) / (callers * calls), callers * calls / time.Since(began).Seconds()
}
