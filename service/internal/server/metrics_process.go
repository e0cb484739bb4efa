package server

import (
	"runtime"

	"khatm/service/internal/clock"
	"khatm/service/internal/metric"
)

// Build describes the program that runs the server.
type Build struct {
	Version  string
	Revision string // commit; empty if unknown
}

// showBuild registers the metric of the program.
func (m *metrics) showBuild(b Build) {
	f := metric.Gauge("khatm_build_info", "Always 1; the labels have the version of the program, its commit, and the version of Go.", "goversion", "revision", "version")
	m.registry.Collect(func(to *metric.Page) { to.Add(f, 1, runtime.Version(), b.Revision, b.Version) })
}

var clockOffset = metric.Gauge("khatm_clock_offset_seconds", "How far the clock of this machine is ahead of the authority's, which states whole seconds. Missing until the authority's time is known.")

// watchClock registers the metric of the clock.
func (m *metrics) watchClock(c *clock.Clock) {
	m.registry.Collect(func(to *metric.Page) {
		if ahead, known := c.Offset(); known {
			to.Add(clockOffset, ahead.Seconds())
		}
	})
}
