package server

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"khatm/service/internal/wire"
)

// metrics are what Prometheus reads. They have a registry of their own, so that
// two services in one process do not meet.
type metrics struct {
	registry *prometheus.Registry
	calls    *prometheus.HistogramVec
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "khatm_http_request_duration_seconds",
			Help:    "How long answers took, by operation and status.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"operation", "status"}),
	}
	m.registry.MustRegister(m.calls, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// observe counts an answer. Paths that lead nowhere share one label: a caller
// must not be able to make new ones.
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
