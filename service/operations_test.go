package service_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var operationLabel = regexp.MustCompile(`khatm_http_request_duration_seconds_count\{operation="([^"]*)",status="([^"]*)"\} ([0-9]+)`)

func TestMetricsByOperation(t *testing.T) {
	h := open(t, nil)
	own := h.stock(h.key)
	for range 3 {
		h.call(http.MethodGet, usagePath, "")
	}
	h.call(http.MethodGet, own.path("/api/buyers/{buyer_id}/"), "")
	h.as("", http.MethodGet, usagePath, "")
	for _, path := range []string{"/stranger/", "/v1/api/stranger/", "/v1/api/buyers", `/stranger"}/`, "/v1/api/integrations/docs"} {
		h.send(http.MethodGet, path)
		h.send("STRANGER", path)
	}
	h.server.Close()
	text := h.ask("/metrics").body
	known := map[string]bool{"none": true}
	for _, row := range h.service.Rows() {
		known[row.Name] = true
	}
	counts := map[string]string{}
	for _, found := range operationLabel.FindAllStringSubmatch(text, -1) {
		if counts[found[1]+" "+found[2]] = found[3]; !known[found[1]] {
			t.Errorf("there is an operation %q", found[1])
		}
	}
	for label, want := range map[string]string{
		"get-usage 200": "3", "get-usage 401": "1", "get-buyer 200": "1", "create-client 201": "1", "create-item 201": "1",
		"none 404": "8", "none 200": "1", "none 405": "1",
	} {
		if counts[label] != want {
			t.Errorf("%s: counted %q, want %s", label, counts[label], want)
		}
	}
	for _, stranger := range []string{"stranger", "STRANGER", "/v1/", own.buyer, h.key[:12], "127.0.0.1"} {
		if strings.Contains(text, stranger) {
			t.Errorf("%s is in the metrics", stranger)
		}
	}
	for _, also := range []string{"go_goroutines", "process_resident_memory_bytes"} {
		if !strings.Contains(text, also) {
			t.Errorf("%s is not in the metrics", also)
		}
	}
}

func TestOperationsServeNothingElse(t *testing.T) {
	h := open(t, nil)
	for _, path := range []string{"/", usagePath, "/debug/pprof/", "/metrics/x"} {
		if got := h.ask(path); got.status != http.StatusNotFound {
			t.Errorf("%s: got %d", path, got.status)
		}
	}
	for _, path := range []string{"/metrics", "/livez", "/readyz"} {
		if got := h.ask(path); got.status != http.StatusOK {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
		if got := h.as("", http.MethodGet, path, ""); got.status != http.StatusNotFound {
			t.Errorf("%s is served to callers: got %d", path, got.status)
		}
	}
}
