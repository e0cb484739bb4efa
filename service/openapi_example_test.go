package service_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
)

// bodyExample is what the document gives as an example of an operation's body:
// as the whole body, or as the part of a form that has this name.
func bodyExample(operation record) (part string, example any) {
	body, _ := operation["requestBody"].(record)
	content, _ := body["content"].(record)
	if media, is := content["application/json"].(record); is {
		return "", media["example"]
	}
	media, _ := content["multipart/form-data"].(record)
	schema, _ := media["schema"].(record)
	properties, _ := schema["properties"].(record)
	for name, value := range properties {
		property, _ := value.(record)
		if samples, _ := property["examples"].([]any); len(samples) > 0 {
			return name, samples[0]
		}
	}
	return "", nil
}

func TestDocument_EveryExampleOfABodyIsAccepted(t *testing.T) {
	h := open(t, nil)
	shop := h.till()
	own := shop.stockOf(h.key)
	sent := 0
	for name, operation := range operations(h.document(t)) {
		if operation["requestBody"] == nil {
			continue
		}
		sent++
		t.Run(name, func(t *testing.T) {
			field, example := bodyExample(operation)
			if example == nil {
				t.Fatal("no example")
			}
			text := asJSON(t, example)
			if strings.HasPrefix(name, "POST /api/invoices/") && !strings.Contains(name, "{") {
				// The ids of an example are to be replaced.
				text = with(t, text, record{"device": shop.device.ID, "seller": shop.org.ID, "buyer": shop.buyer.ID})
			}
			fill := jsonBody(text)
			if field != "" {
				fill = formBody(t, part{field, "", text})
			}
			method, path, _ := strings.Cut(name, " ")
			a := h.send(method, own.path(path), bearer(h.key), fill)
			if strings.HasSuffix(name, "/pdf-a3/") && a.body == `{"message":"Invoice PDF not found"}`+"\n" {
				return // it was taken; the authority is not asked here
			}
			if a.status/100 != 2 {
				t.Errorf("%s: got %d %s", text, a.status, a.body)
			}
		})
	}
	if sent == 0 {
		t.Error("no operation has a body")
	}
}

// samplesOf are the examples that the document gives of a refusal.
func samplesOf(document record, response string) record {
	found, _ := target(document, "#/components/responses/"+response).(record)
	content, _ := found["content"].(record)
	media, _ := content["application/json"].(record)
	samples, _ := media["examples"].(record)
	return samples
}

// sampleOf is one of them.
func sampleOf(t testing.TB, document record, response, name string) record {
	t.Helper()
	one, _ := samplesOf(document, response)[name].(record)
	value, is := one["value"].(record)
	if !is {
		t.Fatalf("%s has no example %q", response, name)
	}
	return value
}

func TestDocument_EveryRefusalHasAnExample(t *testing.T) {
	document := open(t, nil).document(t)
	responses, _ := target(document, "#/components/responses").(record)
	for name := range responses {
		if len(samplesOf(document, name)) == 0 {
			t.Errorf("%s has none", name)
		}
	}
}

func TestDocument_SamplesOfAConflictAreWhatIsSent(t *testing.T) {
	h := open(t, nil)
	shop, document := h.till(), h.document(t)
	resend := func(id uuid.UUID) record {
		return h.change("/api/invoices/"+id.String()+"/clearance-reporting/", "").wants(t, http.StatusConflict)
	}
	id := shop.created(shop.standard())
	same(t, "queued", resend(id), sampleOf(t, document, "Conflict", "queued"))
	same(t, "answered", resend(shop.accepted(id)), sampleOf(t, document, "Conflict", "answered"))
	same(t, "samples", len(samplesOf(document, "Conflict")), 2)
}

func TestDocument_SampleOfFairUseIsWhatIsSent(t *testing.T) {
	h := open(t, fairUse)
	sample := sampleOf(t, h.document(t), "Forbidden", "fair use")
	h.allow(0)
	got := h.newItem(h.key).wants(t, http.StatusForbidden)
	got["limit"] = sample["limit"]
	same(t, "the refusal", got, sample)
}

var quoted = regexp.MustCompile(`request id [0-9a-z]{16} `)

func TestDocument_SampleOfAnInternalFaultIsWhatIsSent(t *testing.T) {
	h := open(t, nil)
	sample := sampleOf(t, h.document(t), "Internal", "ours")
	h.exec(t, "DROP TABLE item")
	got := h.call(http.MethodGet, "/v1/api/items/", "").wants(t, http.StatusInternalServerError)
	for _, body := range []record{got, sample} {
		words, _ := body["message"].(string)
		body["message"] = quoted.ReplaceAllString(words, "request id of the call ")
	}
	same(t, "the refusal", got, sample)
}

func TestDocument_SampleOfAnOutageIsWhatIsSent(t *testing.T) {
	cable, address := lay(t, storetest.Postgres(t).URL)
	h := open(t, func(c *server.Config) { c.Database = address })
	sample := sampleOf(t, h.document(t), "Unavailable", "database")
	cable.set(true)
	same(t, "the refusal", h.call(http.MethodGet, "/v1/api/items/", "").wants(t, http.StatusServiceUnavailable), sample)
}
