package service_test

import (
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/sample"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// TestBenchParseInvoice compares parsing a typical file, including the HTTP
// handling, with compressing 120 KiB with the standard library. It alternates
// between them because the speed of a machine varies. On a machine that
// compresses in 1.1 ms, the limits are 2 ms for XML and 5 ms for PDF.
func TestBenchParseInvoice(t *testing.T) {
	benchmarking(t)
	defer debug.SetGCPercent(debug.SetGCPercent(server.GCPercent)) // the setting of a server
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.PublicDaily, c.Log = 1<<30, servicetest.Quiet() })
	facts := sample.Invoice()
	xml := servicetest.SealedOf(t, facts)
	for len(xml) < 14_000 {
		facts.Lines = append(facts.Lines, facts.Lines[0])
		xml = servicetest.SealedOf(t, facts)
	}
	noise := make([]byte, 96_000)
	if _, err := sample.Seeded(1).Read(noise); err != nil {
		t.Fatal(err)
	}
	deflate := servicetest.Deflating(t)
	pdf := servicetest.PDFWith("Alternative:"+xml, "Supplement:"+string(noise))
	for _, c := range []struct {
		name, content string
		most          time.Duration
	}{
		{"XML of 14 KB", xml, 2 * time.Millisecond},
		{"PDF of 100 KB", pdf, 5 * time.Millisecond},
	} {
		parse := func() {
			r := httptest.NewRequest(http.MethodPost, servicetest.ParsePath, nil)
			servicetest.FormBody(t, servicetest.Part{Field: "file", Filename: "upload", Content: c.content})(r)
			w := httptest.NewRecorder()
			h.Service.Handler().ServeHTTP(w, r)
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"warning":null`) {
				t.Fatalf("parse: got %d %.300s, want 200 without a warning", w.Code, w.Body)
			}
		}
		const rounds = 15
		var spent, beside []time.Duration
		var ratios []float64
		for n := range rounds {
			spent, beside = append(spent, servicetest.CostOf(t, parse)), append(beside, servicetest.CostOf(t, deflate))
			ratios = append(ratios, float64(spent[n])/float64(beside[n]))
		}
		slices.Sort(spent)
		slices.Sort(beside)
		slices.Sort(ratios)
		ratio, most := ratios[rounds/2], float64(c.most)/float64(1100*time.Microsecond)
		t.Logf("%s: %d bytes, %s of CPU time where deflating 120 KiB takes %s: ratio %.2f (at most %.2f)",
			c.name, len(c.content), spent[rounds/2], beside[rounds/2], ratio, most)
		if ratio > most {
			t.Errorf("%s costs %.2f times the compression, want at most %.2f", c.name, ratio, most)
		}
	}
}
