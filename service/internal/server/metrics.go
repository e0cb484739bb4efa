package server

import (
	"compress/gzip"
	"net/http"
	"strconv"

	"khatm/service/internal/metric"
	"khatm/service/internal/wire"
)

// metrics holds the Prometheus metrics. Each server has its own registry, so
// that two servers can run in one process.
type metrics struct {
	registry metric.Registry
	calls    *metric.Histogram
	batches  *metric.Histogram
}

func newMetrics() *metrics {
	m := &metrics{
		calls: metric.NewHistogram("khatm_http_request_duration_seconds", "Duration of HTTP requests, by operation and status.",
			[]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}, "operation", "status"),
		batches: metric.NewHistogram("khatm_issue_batch_documents", "Number of documents that were issued together, in one batch of an organisation.",
			[]float64{1, 2, 4, 8, 16, 32, 64, 128, 256}),
	}
	for _, collect := range []func(*metric.Page){m.calls.Collect, m.batches.Collect, metric.Runtime, metric.Process} {
		m.registry.Collect(collect)
	}
	return m
}

// observe counts a response. All unknown paths share one label, so that callers
// cannot create new ones.
func (m *metrics) observe(o wire.Observation) {
	m.calls.Observe(o.Took.Seconds(), operationOf(o), strconv.Itoa(o.Status))
}

func operationOf(o wire.Observation) string {
	if o.Operation == "" {
		return "none"
	}
	return o.Operation
}

// ServeHTTP responds with all metrics.
func (m *metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, h := m.registry.Text(), w.Header()
	h.Set("Content-Type", metric.ContentType)
	h.Set("Vary", "Accept-Encoding")
	if wire.AcceptsGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		zipped := gzip.NewWriter(w)
		_, _ = zipped.Write(text) // fails only if the client has gone, like the others
		_ = zipped.Close()
		return
	}
	_, _ = w.Write(text)
}
