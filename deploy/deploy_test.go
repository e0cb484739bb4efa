// Package deploy_test checks the files of deploy: metrics, alerts and settings that
// they name must exist.
package deploy_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// metric is a row of docs/metrics.md, which is generated from the metrics.
type metric struct {
	kind   string
	labels map[string][]string // values by label; empty if they are not listed
}

var (
	metricRow   = regexp.MustCompile("(?m)^\\| `(khatm_[a-z_]+)` \\| (\\w+) \\| (.*?) \\| ")
	metricLabel = regexp.MustCompile("`([a-z_]+)`(?: \\(([^)]*)\\))?")
	selector    = regexp.MustCompile(`\b(khatm_[a-z_]+)(?:\{([^}]*)\})?`)
	matcher     = regexp.MustCompile(`([a-z_]+)\s*(=~|!~|!=|=)\s*"([^"]*)"`)
)

func parseMetrics(page string) map[string]metric {
	all := map[string]metric{}
	for _, row := range metricRow.FindAllStringSubmatch(page, -1) {
		m := metric{kind: row[2], labels: map[string][]string{}}
		for _, label := range metricLabel.FindAllStringSubmatch(row[3], -1) {
			m.labels[label[1]] = nil
			if label[2] != "" {
				m.labels[label[1]] = strings.Split(label[2], ", ")
			}
		}
		all[row[1]] = m
	}
	return all
}

// targetLabels are the labels that Prometheus adds to every metric.
var targetLabels = []string{"instance", "job"}

// expressionFaults returns the metrics, labels and values in an expression that do not
// exist.
func expressionFaults(known map[string]metric, expression string) []string {
	var faults []string
	for _, found := range selector.FindAllStringSubmatch(expression, -1) {
		m, there := known[found[1]]
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			if base, cut := strings.CutSuffix(found[1], suffix); cut && known[base].kind == "histogram" {
				m, there = known[base], true
			}
		}
		if !there || m.kind == "histogram" && known[found[1]].kind == "histogram" {
			faults = append(faults, fmt.Sprintf("there is no metric %s", found[1]))
			continue
		}
		for _, pair := range matcher.FindAllStringSubmatch(found[2], -1) {
			values, there := m.labels[pair[1]]
			switch {
			case slices.Contains(targetLabels, pair[1]):
			case !there:
				faults = append(faults, fmt.Sprintf("%s has no label %s", found[1], pair[1]))
			case pair[2] == "=" && len(values) > 0 && !slices.Contains(values, pair[3]):
				faults = append(faults, fmt.Sprintf("%s of %s is never %s", pair[1], found[1], pair[3]))
			}
		}
	}
	return faults
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func knownMetrics(t *testing.T) map[string]metric {
	t.Helper()
	known := parseMetrics(read(t, filepath.Join("..", "docs", "metrics.md")))
	if len(known) < 20 {
		t.Fatalf("docs/metrics.md has %d metrics, want more than 20", len(known))
	}
	return known
}

func TestAlertsNameMetricsThatExist(t *testing.T) {
	for _, fault := range expressionFaults(knownMetrics(t), read(t, "monitoring/alerts.yml")) {
		t.Errorf("alerts.yml: %s", fault)
	}
}

func TestPanelsNameMetricsThatExist(t *testing.T) {
	var dashboard any
	if err := json.Unmarshal([]byte(read(t, "monitoring/dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	known, seen := knownMetrics(t), map[string]bool{}
	for _, expression := range expressions(dashboard) {
		for _, fault := range expressionFaults(known, expression) {
			t.Errorf("dashboard.json: %s: %s", expression, fault)
		}
		for _, found := range selector.FindAllStringSubmatch(expression, -1) {
			seen[found[1]] = true
		}
	}
	if len(seen) < 20 {
		t.Errorf("the dashboard shows %d metrics, want more than 20", len(seen))
	}
}

// expressions returns the queries in a dashboard.
func expressions(node any) []string {
	var all []string
	switch node := node.(type) {
	case map[string]any:
		for key, value := range node {
			if text, ok := value.(string); ok && (key == "expr" || key == "query" && strings.Contains(text, "(")) {
				all = append(all, text)
			}
			all = append(all, expressions(value)...)
		}
	case []any:
		for _, value := range node {
			all = append(all, expressions(value)...)
		}
	}
	return all
}

var (
	alertName   = regexp.MustCompile(`(?m)^ *- alert: (\w+)$`)
	runbookLink = regexp.MustCompile(`(?m)^ *runbook: runbook\.md#(\w+)$`)
	section     = regexp.MustCompile(`(?m)^## (\w+)\n\n([^\n]+)`)
)

func TestEveryAlertHasARunbook(t *testing.T) {
	for _, fault := range runbookFaults(read(t, "monitoring/alerts.yml"), read(t, filepath.Join("..", "docs", "runbook.md"))) {
		t.Error(fault)
	}
}

func runbookFaults(alerts, runbook string) []string {
	var faults, sections []string
	for _, found := range section.FindAllStringSubmatch(runbook, -1) {
		sections = append(sections, found[1])
	}
	names, links := alertName.FindAllStringSubmatch(alerts, -1), runbookLink.FindAllStringSubmatch(alerts, -1)
	if len(names) != len(links) {
		faults = append(faults, fmt.Sprintf("alerts.yml has %d alerts and %d links to the runbook", len(names), len(links)))
	}
	for i, name := range names {
		if at := slices.Index(sections, name[1]); at >= 0 {
			sections = slices.Delete(sections, at, at+1)
		} else {
			faults = append(faults, fmt.Sprintf("docs/runbook.md has no section ## %s", name[1]))
		}
		if i < len(links) && links[i][1] != strings.ToLower(name[1]) {
			faults = append(faults, fmt.Sprintf("%s links to runbook.md#%s", name[1], links[i][1]))
		}
	}
	for _, rest := range sections {
		faults = append(faults, fmt.Sprintf("docs/runbook.md has a section %s, but there is no such alert", rest))
	}
	return faults
}

var (
	setting  = regexp.MustCompile(`\bKHATM_[A-Z_]+\b`)
	declared = regexp.MustCompile(`env:"([A-Z_,]+)"`)
)

// TestSettingsExist compares the variables in the files with those of khatm serve.
// The variables of package are those of make release.
func TestSettingsExist(t *testing.T) {
	known := map[string]bool{"KHATM_MASTER_KEY": true}
	sources, err := filepath.Glob(filepath.Join("..", "cmd", "khatm", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		for _, tag := range declared.FindAllStringSubmatch(read(t, name), -1) {
			for variable := range strings.SplitSeq(tag[1], ",") {
				known[variable] = true
			}
		}
	}
	seen := map[string]bool{}
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "package"+string(filepath.Separator)) || strings.HasSuffix(name, ".go") {
			return err
		}
		for _, variable := range setting.FindAllString(read(t, name), -1) {
			if seen[variable] = true; !known[variable] {
				t.Errorf("%s: khatm has no setting %s", name, variable)
			}
		}
		return nil
	})
	if err != nil || !seen["KHATM_DATA"] {
		t.Errorf("read %d settings: %v", len(seen), err)
	}
}

func TestFaultsAreSeen(t *testing.T) {
	known := parseMetrics("| `khatm_a` | gauge | `state` (on, off), `kind` | A. |\n| `khatm_b_seconds` | histogram | – | B. |\n")
	for _, c := range []struct{ expression, want string }{
		{`khatm_a{state="on", kind="x", instance="y"} > 1`, ""},
		{`sum(rate(khatm_b_seconds_bucket[5m]))`, ""},
		{`khatm_c`, "there is no metric khatm_c"},
		{`khatm_a_count`, "there is no metric khatm_a_count"},
		{`khatm_b_seconds`, "there is no metric khatm_b_seconds"},
		{`khatm_a{mode="on"}`, "khatm_a has no label mode"},
		{`khatm_a{state="of"}`, "state of khatm_a is never of"},
		{`khatm_a{state=~"o.*"}`, ""},
	} {
		if got := strings.Join(expressionFaults(known, c.expression), "; "); got != c.want {
			t.Errorf("faults of %s = %q, want %q", c.expression, got, c.want)
		}
	}
	const alerts = "  - alert: KhatmDown\n    annotations:\n      runbook: runbook.md#khatmdown\n"
	for _, c := range []struct{ name, alerts, runbook, want string }{
		{"described", alerts, "## KhatmDown\n\nText.\n", ""},
		{"not described", alerts, "# Runbook\n", "docs/runbook.md has no section ## KhatmDown"},
		{"empty section", alerts, "## KhatmDown\n\n", "docs/runbook.md has no section ## KhatmDown"},
		{"no such alert", alerts, "## KhatmDown\n\nText.\n\n## KhatmUp\n\nText.\n", "docs/runbook.md has a section KhatmUp, but there is no such alert"},
		{"wrong link", strings.Replace(alerts, "#khatmdown", "#khatmup", 1), "## KhatmDown\n\nText.\n", "KhatmDown links to runbook.md#khatmup"},
	} {
		if got := strings.Join(runbookFaults(c.alerts, c.runbook), "; "); got != c.want {
			t.Errorf("%s: faults = %q, want %q", c.name, got, c.want)
		}
	}
}
