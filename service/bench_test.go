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

// benchmarking skips unless benchmarks were asked for.
func benchmarking(t *testing.T) {
	t.Helper()
	if os.Getenv("KHATM_BENCH") != "1" {
		t.Skip("benchmarks run with make bench")
	}
}

// TestBenchUsageBesideHello holds a call with everything that every call has
// (key, window, organisation, plan, answer) against a handler that says hello,
// over the same sockets in the same run. What is compared is CPU time of this
// process, caller and server together: neighbours on the machine change how
// long a call takes, not what it costs. PostgreSQL's own cost is not in it.
func TestBenchUsageBesideHello(t *testing.T) {
	benchmarking(t)
	defer debug.SetGCPercent(debug.SetGCPercent(server.GCPercent)) // as a server has it, for both
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
				bound = 0.2 // there is one journey to another process, the least there can be
			}
			if ratios[2] < bound {
				t.Errorf("usage is %.2f of hello, bound %.2f", ratios[2], bound)
			}
			t.Logf("usage is %.2f of hello (at least %.2f)", ratios[2], bound)
		})
	}
}

// cost is the CPU time of a call, and how many a second eight callers make.
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
					t.Errorf("status %d", answer.StatusCode)
					return
				}
			}
		})
	}
	all.Wait()
	return (servicetest.CPUTime(t) - before) / (callers * calls), callers * calls / time.Since(began).Seconds()
}
