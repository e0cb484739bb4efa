package metric_test

import (
	"math"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"khatm/service/internal/metric"
)

// reference returns the text of the Go client of Prometheus.
func reference(t *testing.T, all ...prometheus.Collector) string {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(all...)
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	return w.Body.String()
}

// TestText compares the text format with that of the Go client of Prometheus.
func TestText(t *testing.T) {
	t.Parallel()
	var registry metric.Registry
	const help = "Help with \\, \"quotes\" and\na line."
	values := []float64{0, -1, 0.1, 1e6, 123456789, 1e21, 1e-9, math.MaxUint64, math.NaN(), math.Inf(1), math.Inf(-1)}
	labels := []string{"plain", `back\slash`, `"quoted"`, "line\nend", "", "ختم", "a", "b", "c", "d", "e"}
	f := metric.Counter("m_total", help, "a", "b")
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "m_total", Help: help}, []string{"a", "b"})
	g := metric.Gauge("g", "One value.", "label")
	gauge := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "g", Help: "One value."}, []string{"label"})
	for i, v := range values {
		registry.Collect(func(to *metric.Page) { to.Add(g, v, labels[i]) })
		gauge.WithLabelValues(labels[i]).Set(v)
		registry.Collect(func(to *metric.Page) { to.Add(f, float64(i), "same", labels[i]) })
		counter.WithLabelValues("same", labels[i]).Add(float64(i))
	}
	registry.Read(metric.Gauge("a_gauge", "Without labels."), func() float64 { return 7 })
	single := prometheus.NewGauge(prometheus.GaugeOpts{Name: "a_gauge", Help: "Without labels."})
	single.Set(7)

	bounds := []float64{.001, 1, 2.5, 1e6}
	plain, labelled := metric.NewHistogram("h", "A histogram.", bounds), metric.NewHistogram("l", "With labels.", bounds, "x", "y")
	registry.Collect(plain.Collect)
	registry.Collect(labelled.Collect)
	registry.Collect(metric.NewHistogram("unused", "Without a value.", bounds, "x").Collect)
	registry.Collect(metric.NewHistogram("zero", "Without a value.", bounds).Collect)
	opts := func(name, help string) prometheus.HistogramOpts {
		return prometheus.HistogramOpts{Name: name, Help: help, Buckets: bounds}
	}
	wantPlain, wantLabelled := prometheus.NewHistogram(opts("h", "A histogram.")), prometheus.NewHistogramVec(opts("l", "With labels."), []string{"x", "y"})
	for i, v := range []float64{0, .001, .0011, 1, 2.5, 2.6, 1e6, 1e7, -1} {
		plain.Observe(v)
		wantPlain.Observe(v)
		labelled.Observe(v, "x", labels[i%3])
		wantLabelled.WithLabelValues("x", labels[i%3]).Observe(v)
	}
	want := reference(t, counter, gauge, single, wantPlain, wantLabelled,
		prometheus.NewHistogramVec(opts("unused", "Without a value."), []string{"x"}), prometheus.NewHistogram(opts("zero", "Without a value.")))
	if got := string(registry.Text()); got != want {
		t.Errorf("text:\n%s\nwant:\n%s", got, want)
	}
}

// TestRuntimeAndProcess compares the names, types and texts of the metrics of the Go
// runtime and of the process with those of the Go client of Prometheus.
func TestRuntimeAndProcess(t *testing.T) {
	t.Parallel()
	var registry metric.Registry
	registry.Collect(metric.Runtime)
	registry.Collect(metric.Process)
	got := withoutValues(string(registry.Text()))
	want := withoutValues(reference(t, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})))
	if !slices.Equal(got, want) {
		t.Errorf("metrics:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func withoutValues(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "#") {
			lines[i] = line[:strings.LastIndex(line, " ")]
		}
	}
	return lines
}

// TestRuntimeValues checks values that are known.
func TestRuntimeValues(t *testing.T) {
	t.Parallel()
	var registry metric.Registry
	registry.Collect(metric.Runtime)
	registry.Collect(metric.Process)
	for line := range strings.Lines(string(registry.Text())) {
		// All of these are above zero in a test.
		for _, name := range []string{"go_goroutines", "go_memstats_sys_bytes", "go_memstats_heap_sys_bytes", "go_memstats_mallocs_total", "process_start_time_seconds", "process_resident_memory_bytes", "process_open_fds"} {
			if strings.HasPrefix(line, name+" ") && strings.HasSuffix(line, " 0\n") {
				t.Errorf("%q, want a value above 0", line)
			}
		}
	}
}

func TestConcurrentObservations(t *testing.T) {
	t.Parallel()
	h := metric.NewHistogram("h", "Counts.", []float64{1}, "label")
	var registry metric.Registry
	registry.Collect(h.Collect)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				h.Observe(1, "value")
				registry.Text()
			}
		})
	}
	all.Wait()
	if got, want := string(registry.Text()), "h_count{label=\"value\"} 800\n"; !strings.HasSuffix(got, want) {
		t.Errorf("text %q, want the end %q", got, want)
	}
}

func TestWrongLabels(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a metric without the value of its label was added")
		}
	}()
	new(metric.Page).Add(metric.Gauge("g", "Help.", "label"), 1)
}

// TestHistogramKeepsItsLabels checks that a caller may use the slice of its labels again.
func TestHistogramKeepsItsLabels(t *testing.T) {
	t.Parallel()
	h := metric.NewHistogram("h", "Help.", []float64{1}, "label")
	labels := []string{"first"}
	h.Observe(1, labels...)
	labels[0] = "second"
	h.Observe(1, labels...)
	var registry metric.Registry
	registry.Collect(h.Collect)
	for _, want := range []string{`h_count{label="first"} 1`, `h_count{label="second"} 1`} {
		if got := string(registry.Text()); !strings.Contains(got, want) {
			t.Errorf("no %s in:\n%s", want, got)
		}
	}
}
