// Package metric collects metrics and writes them in the text format of Prometheus. It
// also has the metrics of the Go runtime and of the process, but knows none of the
// service.
package metric

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ContentType is the content type of the text format.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Family describes the metrics of one name.
type Family struct {
	name, kind, help string
	labels           []string
}

// Gauge returns the family of a value that can fall.
func Gauge(name, help string, labels ...string) *Family {
	return &Family{name, "gauge", help, labels}
}

// Counter returns the family of a value that only grows. Its name ends in _total.
func Counter(name, help string, labels ...string) *Family {
	return &Family{name, "counter", help, labels}
}

// Registry has the collectors of a server.
type Registry struct {
	mu         sync.Mutex
	collectors []func(to *Page)
}

// Collect registers a function that adds metrics to a page. It may be called from
// several goroutines at the same time.
func (r *Registry) Collect(collect func(to *Page)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collectors = append(r.collectors, collect)
}

// Read registers a function that returns the value of the only metric of a family.
func (r *Registry) Read(f *Family, read func() float64) {
	r.Collect(func(to *Page) { to.Add(f, read()) })
}

// Text returns all metrics in the text format, by name and the values of labels. It
// calls the collectors at the same time, because some wait for the database.
func (r *Registry) Text() []byte {
	r.mu.Lock()
	collectors := slices.Clone(r.collectors)
	r.mu.Unlock()
	pages := make([]Page, len(collectors))
	var all sync.WaitGroup
	for i, collect := range collectors {
		all.Go(func() { collect(&pages[i]) })
	}
	all.Wait()
	metrics := map[*Family][]metric{}
	for _, p := range pages {
		for f, added := range p.metrics {
			metrics[f] = append(metrics[f], added...)
		}
	}
	var text []byte
	for _, f := range slices.SortedFunc(maps.Keys(metrics), func(a, b *Family) int { return cmp.Compare(a.name, b.name) }) {
		text = fmt.Appendf(text, "# HELP %s %s\n# TYPE %s %s\n", f.name, helpEscapes.Replace(f.help), f.name, f.kind)
		all := metrics[f]
		slices.SortStableFunc(all, func(a, b metric) int { return slices.Compare(a.values, b.values) })
		for _, m := range all {
			text = append(text, m.lines...)
		}
	}
	return text
}

// Page is what a collector adds metrics to.
type Page struct {
	metrics map[*Family][]metric
}

// metric has the values of the labels of a metric, and its lines in the text format.
type metric struct {
	values []string
	lines  []byte
}

// Add adds a metric with the values of the labels of its family, in the same order.
func (p *Page) Add(f *Family, value float64, values ...string) {
	p.add(f, metric{values, f.appendLine(nil, "", values, value)})
}

func (p *Page) add(f *Family, m metric) {
	if p.metrics == nil {
		p.metrics = map[*Family][]metric{}
	}
	p.metrics[f] = append(p.metrics[f], m)
}

var (
	helpEscapes  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// appendLine appends the line of a value. The name has a suffix, and more is the name
// and the value of a further label, for the parts of a histogram or a summary.
func (f *Family) appendLine(b []byte, suffix string, values []string, value float64, more ...string) []byte {
	if len(values) != len(f.labels) {
		panic(fmt.Sprintf("metric %s with %d values of %d labels", f.name, len(values), len(f.labels)))
	}
	b = append(append(b, f.name...), suffix...)
	next := byte('{')
	label := func(name, value string) {
		b = append(append(append(b, next), name...), `="`...)
		b = append(append(b, labelEscapes.Replace(value)...), '"')
		next = ','
	}
	for i, name := range f.labels {
		label(name, values[i])
	}
	if len(more) > 0 {
		label(more[0], more[1])
	}
	if next == ',' {
		b = append(b, '}')
	}
	return append(appendNumber(append(b, ' '), value), '\n')
}

func appendNumber(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }
