package simulator_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"khatm/sample"
	"khatm/simulator"
)

// TestLargeDocuments checks that eight large documents at once take at most 512
// MiB, because only some are validated at a time.
func TestLargeDocuments(t *testing.T) {
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	wide := sealedBody([]byte("<Invoice>" + strings.Repeat("<a>text</a>", 680_000) + "</Invoice>"))
	facts := sample.Simplified()
	for len(facts.Lines) < 1_000 {
		facts.Lines = append(facts.Lines, facts.Lines[0])
	}
	facts.ExpectedPayable = nil
	long := d.seal(facts, d.pcsid)
	peak := watchHeap(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if i%2 == 0 {
				if r, err := d.raw(strings.NewReader(wide), int64(len(wide)), ""); err != nil || r.status != http.StatusBadRequest {
					t.Errorf("wide document: error %v, status %d, want 400: %.200s", err, r.status, r.body)
				}
				return
			}
			r, err := d.send(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", long)
			if err != nil || r.status != http.StatusOK && r.status != http.StatusConflict {
				t.Errorf("long document: error %v, status %d, want 200 or 409: %.200s", err, r.status, r.body)
			}
		})
	}
	all.Wait()
	grown := peak()
	t.Logf("bodies of %d and %d KiB, eight at once: %d MiB", len(wide)>>10, len(long.XML)>>10, grown>>20)
	if grown > 512<<20 {
		t.Errorf("eight large documents took %d MiB, want at most 512", grown>>20)
	}
}
