package bench

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"khatm/rules"
	"khatm/sample"
	"khatm/seal"
	"khatm/simulator"
	"khatm/ubl"
	"khatm/witness"
)

// TestJudgedDocument compares the time that the simulator needs for a document, from
// request to response, with its parts: reading, rules, verification, the authority's
// own stamp, and the encoding of request and response.
func TestJudgedDocument(t *testing.T) {
	enabled(t)
	sim := must(simulator.New(simulator.Config{Mood: "polite", Random: sample.Seeded(5)}))
	t.Cleanup(func() {
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	})
	authority := &client{t: t, handler: sim.Handler()}
	device, sealed := authority.onboard(must(sim.OneTimePassword("sandbox", sample.Seller().VATNumber)))
	got := beside(t, part{"a validated and cleared document", func() { authority.submit(device, sealed) }},
		part{"read", func() { must(ubl.Read(sealed.XML)) }},
		part{"rules, schema, traps", func() {
			root := must(ubl.Parse(sealed.XML))
			rules.Schema(root)
			rules.Traps(root)
			rules.Check(must(ubl.Bind(root)), device.now)
		}},
		part{"hash and verify", func() { must(witness.Verify(sealed.XML, witness.Expect{})) }},
		part{"stamp: find the slots, one signature", func() {
			decoder := xml.NewDecoder(bytes.NewReader(sealed.XML))
			for _, err := decoder.RawToken(); err == nil; _, err = decoder.RawToken() {
			}
			must(device.key.Sign([]byte(sealed.Hash)))
		}},
		part{"request and response: JSON and base64", func() {
			body := must(json.Marshal(base64.StdEncoding.EncodeToString(sealed.XML)))
			var text string
			if err := json.Unmarshal(body, &text); err != nil {
				panic(err)
			}
			must(base64.StdEncoding.DecodeString(text))
			must(json.Marshal(text))
		}},
	)
	hold(t, "validated document / sum of its parts", got, 2)
}

// client calls the simulator without a network.
type client struct {
	t       *testing.T
	handler http.Handler
}

func (c *client) post(path, user, secret string, header map[string]string, body any) map[string]any {
	text := must(json.Marshal(body))
	r := httptest.NewRequest(http.MethodPost, "/e-invoicing/developer-portal"+path, strings.NewReader(string(text)))
	r.Header.Set("Accept-Version", "V2")
	r.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	if user != "" {
		r.SetBasicAuth(user, secret)
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		c.t.Fatalf("%s: status %d, want 200 with JSON: %.300s", path, w.Code, w.Body)
	}
	return answer
}

func text(answer map[string]any, field string) string {
	value, _ := answer[field].(string)
	return value
}

// standardDocument seals the sample invoice with a certificate of the simulator.
func standardDocument(key *seal.Key, certificate *seal.Certificate, d *sample.Device) *seal.Sealed {
	d.Key, d.Certificate = key, certificate
	return must(d.Seal(sample.Invoice()))
}

func (c *client) submit(d onboarded, sealed *seal.Sealed) {
	c.post("/invoices/clearance/single", d.token, d.secret, nil, map[string]string{
		"invoiceHash": sealed.Hash, "uuid": d.uuid, "invoice": base64.StdEncoding.EncodeToString(sealed.XML),
	})
}
