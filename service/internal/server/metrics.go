package server

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"khatm/service/internal/wire"
)

// metrics holds the Prometheus metrics. Each server has its own registry, so
// that two servers can run in one process.
type metrics struct {
	registry *prometheus.Registry
	calls    *prometheus.HistogramVec
	batches  prometheus.Histogram
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "khatm_http_request_duration_seconds",
			Help:    "Duration of HTTP requests, by operation and status.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"operation", "status"}),
		batches: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "khatm_issue_batch_documents",
			Help:    "Number of documents that were issued together, in one batch of an organisation.",
			Buckets: []float64{1, 2, 4, 8, 16, 32, 64, 128, 256},
		}),
	}
	m.registry.MustRegister(m.calls, m.batches, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// observe counts a response. All unknown paths share one label, so that callers
// cannot create new ones.
func (m *metrics) observe(o wire.Observation) {
	m.calls.WithLabelValues(operationOf(o), strconv.Itoa(o.Status)).Observe(o.Took.Seconds())
}

func operationOf(o wire.Observation) string {
	if o.Operation == "" {
		return "none"
	}
	return o.Operation
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
