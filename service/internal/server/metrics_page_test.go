package server_test

import (
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGoldenMetricsPage writes docs/metrics.md from the metrics of a server with an
// archive, daily backups, marks and HTTPS.
func TestGoldenMetricsPage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	certificate, key := testtool.NewCA(t).Issue(time.Now().Add(time.Hour), "localhost")
	for name, text := range map[string][]byte{"cert.pem": certificate, "key.pem": key} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := servicetest.OpenAuthority(t, simulator.Config{}).Open(t, func(c *server.Config) {
		c.TLS = server.TLS{Cert: filepath.Join(folder, "cert.pem"), Key: filepath.Join(folder, "key.pem")}
		c.Archive = server.Archive{Location: filepath.Join(t.TempDir(), "archive"), Wait: true}
		c.Backups = server.Backups{Dir: t.TempDir(), Keep: 1}
		c.Marks = t.TempDir()
		c.Build = server.Build{Version: "v1.2.0", Revision: "97362d4a"}
	})
	servicetest.Eventually(t, "the authority's time is known", h.Service.TimeKnown)
	shop := h.OnboardedSeller()
	shop.Created(shop.Simplified(nil))
	families := parseMetrics(t, h.Ask("/metrics").Body)
	var page strings.Builder
	page.WriteString(metricsHead)
	for _, name := range slices.Sorted(maps.Keys(families)) {
		if f := families[name]; strings.HasPrefix(name, "khatm_") {
			fmt.Fprintf(&page, "| `%s` | %s | %s | %s |\n", name, f.kind, f.describeLabels(), f.help)
		}
	}
	page.WriteString(metricsTail)
	testtool.Golden(t, *update, filepath.Join("..", "..", "..", "docs", "metrics.md"), []byte(page.String()))
	for _, name := range []string{"go_goroutines", "go_gc_duration_seconds", "go_memstats_heap_inuse_bytes", "process_cpu_seconds_total"} {
		if _, there := families[name]; !there {
			t.Errorf("the metrics do not contain %s, which docs/metrics.md names", name)
		}
	}
	text := h.Ask("/metrics").Body
	for _, want := range []string{`revision="97362d4a",version="v1.2.0"} 1`, "khatm_issue_batch_documents_sum 1\n", "khatm_issue_batch_documents_count 1\n", "khatm_archive_behind 0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics do not contain %s", want)
		}
	}
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/metrics", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	h.Service.Operations().ServeHTTP(w, r)
	zipped, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(zipped); err != nil || len(parseMetrics(t, string(text))) != len(families) || w.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("compressed metrics: %d bytes, %v, headers %v", len(text), err, w.Header())
	}
}

const metricsHead = `# Metrics

` + "`GET /metrics`" + ` on the address of ` + "`--operations`" + ` (default 127.0.0.1:8081) returns these metrics for Prometheus. This page is generated from them. [operating.md](operating.md#monitoring) explains the health checks on the same address, and [runbook.md](runbook.md) what to do about each alert of [deploy/monitoring/alerts.yml](../deploy/monitoring/alerts.yml).

Labels have a fixed set of values: no metric contains an organisation, a person, a key, an address or a number of a document. ` + "`operation`" + ` is the name of an operation in the OpenAPI documents, or ` + "`none`" + ` for every other path.

The metrics of the archive, of backups and of the TLS certificate exist only on servers with ` + "`--archive`" + `, ` + "`--backup-daily`" + ` and HTTPS. Counters begin at 0 when the server starts. Metrics of documents, e-mails and damage are the same on every server of a database.

| Metric | Type | Labels | Meaning |
|---|---|---|---|
`

const metricsTail = `
There are also the metrics of the Go runtime and of the process, such as ` + "`go_goroutines`" + `, ` + "`go_gc_duration_seconds`" + `, ` + "`go_memstats_heap_inuse_bytes`" + ` and ` + "`process_cpu_seconds_total`" + `; on Linux also ` + "`process_resident_memory_bytes`" + ` and ` + "`process_open_fds`" + `.
`

// family is a metric with all its labels.
type family struct {
	kind, help string
	labels     map[string]map[string]bool // values by label
}

// openLabels are the labels whose values are not listed, because they are many or
// depend on the build.
var openLabels = []string{"operation", "status", "pool", "version", "revision", "goversion"}

func (f *family) describeLabels() string {
	var all []string
	for _, label := range slices.Sorted(maps.Keys(f.labels)) {
		text := "`" + label + "`"
		if !slices.Contains(openLabels, label) {
			text += " (" + strings.Join(slices.Sorted(maps.Keys(f.labels[label])), ", ") + ")"
		}
		all = append(all, text)
	}
	if all == nil {
		return "–"
	}
	return strings.Join(all, ", ")
}

var (
	metricSample = regexp.MustCompile(`^([a-z_0-9]+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$`)
	metricLabel  = regexp.MustCompile(`([a-z_]+)="([^"]*)"`)
)

// parseMetrics reads the text format of Prometheus.
func parseMetrics(t *testing.T, text string) map[string]*family {
	t.Helper()
	families := map[string]*family{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		words := strings.SplitN(line, " ", 4)
		switch {
		case strings.HasPrefix(line, "# HELP "):
			if families[words[2]] != nil {
				t.Errorf("two families have the name %s", words[2])
			}
			families[words[2]] = &family{help: words[3], labels: map[string]map[string]bool{}}
		case strings.HasPrefix(line, "# TYPE "):
			families[words[2]].kind = words[3]
		default:
			found := metricSample.FindStringSubmatch(line)
			if found == nil {
				t.Fatalf("unknown line %q", line)
			}
			f := families[found[1]]
			if f == nil { // such as a counter whose name ends in _count
				f = families[strings.Fields(strings.SplitN(line, "{", 2)[0])[0]]
			}
			for _, label := range metricLabel.FindAllStringSubmatch(found[2], -1) {
				if label[1] == "le" || label[1] == "quantile" {
					continue
				}
				if f.labels[label[1]] == nil {
					f.labels[label[1]] = map[string]bool{}
				}
				f.labels[label[1]][label[2]] = true
			}
		}
	}
	return families
}
