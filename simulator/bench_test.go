package simulator_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"khatm/sample"
	"khatm/simulator"
)

// BenchmarkSubmission submits a document without a network. It uses the
// developer portal, which accepts the same document again.
func BenchmarkSubmission(b *testing.B) {
	for _, mood := range []string{"polite", "nod"} {
		h := open(b, simulator.Config{Mood: mood, Journal: filepath.Join(b.TempDir(), "journal.jsonl")})
		d := h.onboard("sandbox", "1100")
		handler := h.simulator.Handler()
		for _, c := range []struct {
			name, path string
			document   document
		}{
			{"reporting", "/invoices/reporting/single", d.seal(sample.Simplified(), d.pcsid)},
			{"clearance", "/invoices/clearance/single", d.seal(sample.Invoice(), d.pcsid)},
		} {
			body, err := json.Marshal(c.document)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(mood+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					request := httptest.NewRequest(http.MethodPost, bases["sandbox"]+c.path, bytes.NewReader(body))
					request.Header.Set("Accept-Version", "V2")
					request.SetBasicAuth(d.pcsid.Token, d.pcsid.Secret)
					answer := httptest.NewRecorder()
					handler.ServeHTTP(answer, request)
					if answer.Code != http.StatusOK {
						b.Fatalf("status %d, want 200: %s", answer.Code, answer.Body)
					}
				}
			})
		}
	}
}
