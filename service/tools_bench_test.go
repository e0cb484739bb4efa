package service_test

import (
	"net/http"
	"runtime/debug"
	"strings"
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
	body := servicetest.ToolBodies(t)["calculate-vat"]
	besideHello(t, "calculate-vat", 0.3, h.HTTP.URL+"/v1-3/api/public/calculate-vat/", func(url string) (*http.Request, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err == nil {
			r.Header.Set("Content-Type", "application/json")
		}
		return r, err
	})
}
