package server_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

var operationLabel = regexp.MustCompile(`khatm_http_request_duration_seconds_count\{operation="([^"]*)",status="([^"]*)"\} ([0-9]+)`)

func TestMetricsByOperation(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	own := h.NewRecords(h.Key)
	for range 3 {
		h.Call(http.MethodGet, servicetest.UsagePath, "")
	}
	h.Call(http.MethodGet, own.Path("/api/buyers/{buyer_id}/"), "")
	h.As("", http.MethodGet, servicetest.UsagePath, "")
	for _, path := range []string{"/stranger/", "/v1/api/stranger/", "/v1/api/buyers", `/stranger"}/`, "/v1/api/integrations/docs"} {
		h.Send(http.MethodGet, path)
		h.Send("STRANGER", path)
	}
	h.HTTP.Close()
	text := h.Ask("/metrics").Body
	known := map[string]bool{"none": true}
	for _, row := range h.Service.Rows() {
		known[row.Name] = true
	}
	counts := map[string]string{}
	for _, found := range operationLabel.FindAllStringSubmatch(text, -1) {
		if counts[found[1]+" "+found[2]] = found[3]; !known[found[1]] {
			t.Errorf("metrics have the unknown operation %q", found[1])
		}
	}
	for label, want := range map[string]string{
		"get-usage 200": "3", "get-usage 401": "1", "get-buyer 200": "1", "create-client 201": "1", "create-item 201": "1",
		"none 404": "8", "none 200": "1", "none 405": "1",
	} {
		if counts[label] != want {
			t.Errorf("count of %s = %q, want %s", label, counts[label], want)
		}
	}
	for _, stranger := range []string{"stranger", "STRANGER", "/v1/", own.Buyer, h.Key[:12], "127.0.0.1"} {
		if strings.Contains(text, stranger) {
			t.Errorf("the metrics contain %s", stranger)
		}
	}
	for _, also := range []string{"go_goroutines", "process_resident_memory_bytes", `khatm_capacity_limit{resource="memory"}`, `khatm_capacity_used{resource="calls"} 0`, `khatm_capacity_waiting{resource="work"} 0`, `khatm_capacity_refused_total{resource="readers"} 0`} {
		if !strings.Contains(text, also) {
			t.Errorf("the metrics do not contain %s", also)
		}
	}
}

func TestOperationsServeNothingElse(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, path := range []string{"/", servicetest.UsagePath, "/debug/pprof/", "/metrics/x"} {
		if got := h.Ask(path); got.Status != http.StatusNotFound {
			t.Errorf("operations listener serves %s: got %d, want 404", path, got.Status)
		}
	}
	for _, path := range []string{"/metrics", "/livez", "/readyz"} {
		if got := h.Ask(path); got.Status != http.StatusOK {
			t.Errorf("operations listener: %s: got %d %s, want 200", path, got.Status, got.Body)
		}
		if got := h.As("", http.MethodGet, path, ""); got.Status != http.StatusNotFound {
			t.Errorf("public listener serves %s: got %d, want 404", path, got.Status)
		}
	}
}
