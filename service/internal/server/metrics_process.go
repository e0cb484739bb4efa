package server

import (
	"runtime"

	"github.com/prometheus/client_golang/prometheus"

	"khatm/service/internal/clock"
)

// Build describes the program that runs the server.
type Build struct {
	Version  string
	Revision string // commit; empty if unknown
}

// showBuild registers the metric of the program.
func (m *metrics) showBuild(b Build) {
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "khatm_build_info",
		Help:        "Always 1; the labels have the version of the program, its commit, and the version of Go.",
		ConstLabels: prometheus.Labels{"version": b.Version, "revision": b.Revision, "goversion": runtime.Version()},
	})
	gauge.Set(1)
	m.registry.MustRegister(gauge)
}

var clockOffset = description("khatm_clock_offset_seconds", "How far the clock of this machine is ahead of the authority's, which states whole seconds. Missing until the authority's time is known.")

// clockCollector implements [prometheus.Collector].
type clockCollector struct{ clock *clock.Clock }

// watchClock registers the metric of the clock.
func (m *metrics) watchClock(c *clock.Clock) { m.registry.MustRegister(clockCollector{c}) }

// Describe implements [prometheus.Collector].
func (clockCollector) Describe(to chan<- *prometheus.Desc) { to <- clockOffset }

// Collect implements [prometheus.Collector].
func (c clockCollector) Collect(to chan<- prometheus.Metric) {
	if ahead, known := c.clock.Offset(); known {
		to <- prometheus.MustNewConstMetric(clockOffset, prometheus.GaugeValue, ahead.Seconds())
	}
}
