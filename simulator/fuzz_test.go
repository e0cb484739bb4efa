package simulator_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/simulator"
)

// FuzzSubmission sends arbitrary bodies to clearance and reporting and checks
// that the status is one of the protocol's.
func FuzzSubmission(f *testing.F) {
	h := open(f, simulator.Config{Random: sample.Seeded(2)})
	d := h.onboard("simulation", "1100")
	for _, facts := range []document{d.seal(sample.Invoice(), d.pcsid), d.seal(sample.Simplified(), d.pcsid)} {
		xml, err := base64.StdEncoding.DecodeString(facts.XML)
		if err != nil {
			f.Fatal(err)
		}
		for _, clearance := range []bool{true, false} {
			f.Add(clearance, false, facts.Hash, facts.UUID, xml)
			f.Add(clearance, true, facts.Hash, facts.UUID, []byte(`{"invoiceHash":"`+facts.Hash+`","uuid":"`+facts.UUID+`","invoice":"`+facts.XML+`"}`))
		}
	}
	f.Add(true, true, "", "", []byte(`{"invoice":null,"uuid":7}`))
	f.Add(false, false, "", "", []byte(`<Invoice/>`))
	handler := h.simulator.Handler()
	f.Fuzz(func(t *testing.T, clearance, whole bool, hash, uuid string, content []byte) {
		body := string(content)
		if !whole {
			text, err := json.Marshal(document{hash, uuid, base64.StdEncoding.EncodeToString(content)})
			if err != nil {
				t.Fatal(err)
			}
			body = string(text)
		}
		path := "/invoices/reporting/single"
		if clearance {
			path = "/invoices/clearance/single"
		}
		request := httptest.NewRequest(http.MethodPost, bases["simulation"]+path, strings.NewReader(body))
		request.Header.Set("Accept-Version", "V2")
		request.SetBasicAuth(d.pcsid.Token, d.pcsid.Secret)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		switch answer.Code {
		case 200, 202, 208, 400, 409:
		default:
			t.Fatalf("status %d, want 200, 202, 208, 400 or 409: %s", answer.Code, answer.Body)
		}
	})
}
