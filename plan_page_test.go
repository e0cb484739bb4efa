package khatm_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of packages in ARCHITECTURE.md")

// The table of packages in ARCHITECTURE.md is between these two lines.
const (
	tableBegin = "<!-- packages: written by make golden -->\n"
	tableEnd   = "<!-- end of packages -->\n"
)

// layerTitles are the headings of the table, in its order.
var layerTitles = []struct {
	layer layer
	title string
}{
	{library, "The document library"},
	{service, "The service"},
	{simulator, "The simulator"},
	{command, "Commands, benchmarks, tools for tests"},
}

func TestGoldenArchitecturePage(t *testing.T) {
	const page = "ARCHITECTURE.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want, err := withTable(string(text), planTable(plan))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	report(t, pageFaults(string(text), want))
}

// planTable returns the plan as a Markdown table, without the root, which has no
// code.
func planTable(plan []row) string {
	var b strings.Builder
	b.WriteString("| Package | What it is | May import |\n|---|---|---|\n")
	for _, l := range layerTitles {
		fmt.Fprintf(&b, "| **%s** | | |\n", l.title)
		for _, r := range plan {
			if r.layer == l.layer && r.dir != "." {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.dir, r.about, cmp.Or(r.imports, "–"))
			}
		}
	}
	return b.String()
}

// withTable returns the page with its table replaced.
func withTable(page, table string) (string, error) {
	before, rest, begun := strings.Cut(page, tableBegin)
	_, after, ended := strings.Cut(rest, tableEnd)
	if !begun || !ended {
		return "", errors.New("ARCHITECTURE.md lacks the lines around its table of packages: put back " +
			strings.TrimSpace(tableBegin) + " and " + strings.TrimSpace(tableEnd))
	}
	return before + tableBegin + table + tableEnd + after, nil
}

// pageFaults reports the first line in which the page differs from want.
func pageFaults(page, want string) []string {
	if page == want {
		return nil
	}
	got, wanted := strings.Split(page, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(got)-1 && i < len(wanted)-1 && got[i] == wanted[i] {
		i++
	}
	return []string{fmt.Sprintf("ARCHITECTURE.md:%d is not as in plan_test.go; run make golden\n got %s\nwant %s",
		i+1, got[i], wanted[i])}
}
