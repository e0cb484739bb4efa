package service_test

import (
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"khatm/sample"
	"khatm/service"
)

// TestBenchParseInvoice holds the parsing of a usual file to a bound of CPU time,
// the frame around it included.
func TestBenchParseInvoice(t *testing.T) {
	benchmarking(t)
	defer debug.SetGCPercent(debug.SetGCPercent(service.GCPercent)) // as a server has it
	h := open(t, func(c *service.Config) { c.Rates.PublicDaily, c.Log = 1<<30, quiet() })
	facts := sample.Invoice()
	xml := sealedOf(t, facts)
	for len(xml) < 14_000 {
		facts.Lines = append(facts.Lines, facts.Lines[0])
		xml = sealedOf(t, facts)
	}
	noise := make([]byte, 96_000)
	if _, err := sample.Seeded(1).Read(noise); err != nil {
		t.Fatal(err)
	}
	pdf := pdfWith("Alternative:"+xml, "Supplement:"+string(noise))
	for _, c := range []struct {
		name, content string
		most          time.Duration
	}{
		{"XML of 14 KB", xml, 2 * time.Millisecond},
		{"PDF of 100 KB", pdf, 5 * time.Millisecond},
	} {
		least := time.Hour
		for range 5 { // a busy machine makes it dearer, never cheaper
			least = min(least, costOf(t, func() {
				r := httptest.NewRequest(http.MethodPost, parsePath, nil)
				formBody(t, part{"file", "upload", c.content})(r)
				w := httptest.NewRecorder()
				h.service.Handler().ServeHTTP(w, r)
				if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"warning":null`) {
					t.Fatalf("%d %.300s", w.Code, w.Body)
				}
			}))
		}
		t.Logf("%s: %d bytes, %s of CPU time, at most %s", c.name, len(c.content), least, c.most)
		if least > c.most {
			t.Errorf("%s: %s", c.name, least)
		}
	}
}
