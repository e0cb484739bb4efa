package service_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// benchmarking skips the test unless benchmarks are enabled.
func benchmarking(t *testing.T) {
	t.Helper()
	if os.Getenv("KHATM_BENCH") != "1" {
		t.Skip("benchmarks run with make bench")
	}
}

// TestBenchUsageBesideHello compares a call that includes everything common to
// all calls (key, rate limit, organisation, plan, response) with a handler that
// says hello, over the same sockets in the same run. It compares the CPU time
// of this process, client and server together, because that is not affected by
// other load. The cost of PostgreSQL is not included.
func TestBenchUsageBesideHello(t *testing.T) {
	benchmarking(t)
	defer debug.SetGCPercent(debug.SetGCPercent(server.GCPercent)) // the setting of a server, for both
	for name, database := range servicetest.Databases {
		t.Run(name, func(t *testing.T) {
			h := servicetest.Open(t, func(c *server.Config) {
				c.Now = time.Now
				c.Log, c.Database = servicetest.Quiet(), database(t)
			})
			hello := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"message":"hello"}`)
			}))
			defer hello.Close()
			var ratios []float64
			for range 5 {
				limit, limitRate := cost(t, hello.URL, "")
				ours, rate := cost(t, h.HTTP.URL+"/v1/api/usage/current/", h.Key)
				ratios = append(ratios, float64(limit)/float64(ours))
				t.Logf("usage %s of CPU, %.0f/s; hello %s, %.0f/s", ours, rate, limit, limitRate)
			}
			slices.Sort(ratios)
			bound := 0.3
			if name == "PostgreSQL" {
				bound = 0.2 // one round trip to another process is the minimum
			}
			if ratios[2] < bound {
				t.Errorf("CPU time of hello / CPU time of usage = %.2f, want at least %.2f", ratios[2], bound)
			}
			t.Logf("CPU time of hello / CPU time of usage = %.2f (at least %.2f)", ratios[2], bound)
		})
	}
}

// cost returns the CPU time of a call and the rate of eight concurrent callers.
func cost(t *testing.T, url, key string) (cpu time.Duration, rate float64) {
	t.Helper()
	const callers, calls = 8, 500
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	began, before := time.Now(), servicetest.CPUTime(t)
	for range callers {
		all.Go(func() {
			for range calls {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if key != "" {
					r.Header.Set("Authorization", "Bearer "+key)
				}
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
