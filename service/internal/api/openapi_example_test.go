package api_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

func TestDocument_EveryExampleOfABodyIsAccepted(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	shop := h.NewSeller()
	own := shop.RecordsOf(h.Key)
	sent := 0
	for name, operation := range servicetest.Operations(h.Document(t)) {
		if operation["requestBody"] == nil {
			continue
		}
		sent++
		t.Run(name, func(t *testing.T) {
			field, example := servicetest.BodyExample(operation)
			if example == nil {
				t.Fatal("the body has no example")
			}
			text := servicetest.AsJSON(t, example)
			if strings.HasPrefix(name, "POST /api/invoices/") && !strings.Contains(name, "{") {
				// Callers must replace the ids of an example.
				text = servicetest.With(t, text, servicetest.Record{"device": shop.Device.ID, "seller": shop.Org.ID, "buyer": shop.Buyer.ID})
			}
			fill := servicetest.JSONBody(text)
			if field != "" {
				fill = servicetest.FormBody(t, servicetest.Part{Field: field, Filename: "", Content: text})
			}
			method, path, _ := strings.Cut(name, " ")
			a := h.Send(method, own.Path(path), servicetest.Bearer(h.Key), fill)
			if strings.HasSuffix(name, "/pdf-a3/") && servicetest.Plain(a.Body) == `{"message":"Invoice PDF not found"}`+"\n" {
				return // accepted, but there is no PDF without an authority
			}
			if a.Status/100 != 2 {
				t.Errorf("example %s: got %d %s, want 2xx", text, a.Status, a.Body)
			}
		})
	}
	if sent == 0 {
		t.Error("no operation has a body")
	}
}

// samplesOf returns the examples of an error response of an operation.
func samplesOf(document servicetest.Record, operation, status string) servicetest.Record {
	responses, _ := servicetest.Operations(document)[operation]["responses"].(servicetest.Record)
	found, _ := servicetest.Resolved(document, responses[status], 0).(servicetest.Record)
	content, _ := found["content"].(servicetest.Record)
	media, _ := content["application/json"].(servicetest.Record)
	samples, _ := media["examples"].(servicetest.Record)
	return samples
}

// sampleOf returns one example of an error response.
func sampleOf(t testing.TB, document servicetest.Record, operation, status, name string) servicetest.Record {
	t.Helper()
	one, _ := samplesOf(document, operation, status)[name].(servicetest.Record)
	value, is := one["value"].(servicetest.Record)
	if !is {
		t.Fatalf("%s %s has no example %q", operation, status, name)
	}
	return value
}

func TestDocument_EveryRefusalHasAnExample(t *testing.T) {
	t.Parallel()
	document := servicetest.Published(t)
	for name, operation := range servicetest.Operations(document) {
		responses, _ := operation["responses"].(servicetest.Record)
		for status := range responses {
			if status >= "400" && len(samplesOf(document, name, status)) == 0 {
				t.Errorf("response %s of %s has no example", status, name)
			}
		}
	}
}

func TestDocument_SamplesOfAConflictAreWhatIsSent(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	shop, document := h.NewSeller(), h.Document(t)
	const operation = "PATCH /api/invoices/{invoice_id}/clearance-reporting/"
	resend := func(id uuid.UUID) servicetest.Record {
		got := h.Change("/api/invoices/"+id.String()+"/clearance-reporting/", "").Wants(t, http.StatusConflict)
		delete(got, "errors")
		return got
	}
	id := shop.Created(shop.Standard())
	servicetest.Same(t, "queued", resend(id), sampleOf(t, document, operation, "409", "queued"))
	servicetest.Same(t, "answered", resend(shop.Accepted(id)), sampleOf(t, document, operation, "409", "answered"))
	servicetest.Same(t, "samples", len(samplesOf(document, operation, "409")), 2)
}

func TestDocument_SampleOfFairUseIsWhatIsSent(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, servicetest.FairUse)
	sample := sampleOf(t, h.Document(t), "POST /api/items/", "403", "fair use")
	h.Allow(0)
	got := h.NewItem(h.Key).Wants(t, http.StatusForbidden)
	got["limit"] = sample["limit"]
	delete(got, "errors")
	servicetest.Same(t, "the refusal", got, sample)
}

var quoted = regexp.MustCompile(`request id [0-9a-z]{16} `)

func TestDocument_SampleOfAnInternalFaultIsWhatIsSent(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	sample := sampleOf(t, h.Document(t), "GET /api/items/", "500", "ours")
	h.Exec(t, "DROP TABLE item")
	got := h.Call(http.MethodGet, "/v1/api/items/", "").Wants(t, http.StatusInternalServerError)
	for _, body := range []servicetest.Record{got, sample} {
		words, _ := body["message"].(string)
		body["message"] = quoted.ReplaceAllString(words, "request id of the call ")
	}
	servicetest.Same(t, "the refusal", got, sample)
}

func TestDocument_SampleOfAnOutageIsWhatIsSent(t *testing.T) {
	t.Parallel()
	cable, address := servicetest.NewLink(t, storetest.Postgres(t).URL)
	h := servicetest.Open(t, func(c *server.Config) { c.Database = address })
	sample := sampleOf(t, h.Document(t), "GET /api/items/", "503", "database")
	cable.Set(true)
	got := h.Call(http.MethodGet, "/v1/api/items/", "").Wants(t, http.StatusServiceUnavailable)
	delete(got, "errors")
	servicetest.Same(t, "the refusal", got, sample)
}
