package simulator_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/simulator"
	"khatm/simulator/internal/mood"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var page = filepath.Join("..", "docs", "simulator.md")

// TestGoldenPage compares the two tables of docs/simulator.md with the code.
func TestGoldenPage(t *testing.T) {
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for mark, table := range map[string]string{"knobs": knobTable(), "control": controlTable(t)} {
		head, rest, found := strings.Cut(text, "<!-- "+mark+" -->\n")
		_, tail, ended := strings.Cut(rest, "<!-- end of "+mark+" -->")
		if !found || !ended {
			t.Fatalf("docs/simulator.md has no markers for the table %s", mark)
		}
		text = head + "<!-- " + mark + " -->\n" + table + "<!-- end of " + mark + " -->" + tail
	}
	if text == string(raw) {
		return
	}
	if !*update {
		t.Fatal("a table of docs/simulator.md is out of date; run make golden")
	}
	if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func knobTable() string {
	var b strings.Builder
	b.WriteString("| Fault | What it does | Where | Processed | Settings besides the rate | In `moody` |\n|---|---|---|---|---|---|\n")
	for _, k := range mood.Knobs() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", k.Name, k.Does, k.Where, k.Ran, strings.Join(k.Settings, ", "), k.Moody)
	}
	return b.String()
}

func controlTable(t *testing.T) string {
	var rows []struct{ Order, Does string }
	h := open(t, simulator.Config{})
	if err := json.Unmarshal(h.mustControl(http.MethodGet, "/", ""), &rows); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| Operation | What it does |\n|---|---|\n")
	for _, r := range rows {
		does := r.Does
		if before, example, found := strings.Cut(does, ": {"); found {
			does = before + ": `{" + strings.NewReplacer("}, or ", "}`, or ", "}, {", "}`, `{", "} or {", "}` or `{", ": {", ": `{").Replace(example)
			if strings.HasSuffix(does, "}") {
				does += "`"
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", r.Order, does)
	}
	return b.String()
}
