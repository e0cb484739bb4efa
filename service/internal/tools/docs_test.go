package tools_test

import (
	"net/http"
	"os"
	"regexp"
	"testing"

	"khatm/service/internal/servicetest"
)

// TestToolsPageShowsWhatWorks runs the calls shown in docs/tools.md.
func TestToolsPageShowsWhatWorks(t *testing.T) {
	page, err := os.ReadFile("../../../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	h := openTools(t)
	calls := regexp.MustCompile(`(?s)\$TOOLS/([a-z-]+)/ -d '([^']+)'`).FindAllStringSubmatch(string(page), -1)
	if len(calls) != 4 {
		t.Fatalf("found %d calls in docs/tools.md, want 4", len(calls))
	}
	for _, call := range calls {
		a := h.Tool(call[1], call[2])
		if a.Status != http.StatusOK {
			t.Errorf("call of %s: status %d, body %s; want 200", call[1], a.Status, a.Body)
		}
		if call[1] == "validate-zatca" {
			servicetest.Same(t, "failed rules", failed(a.Verdict(t)), []string{})
		}
	}
}
