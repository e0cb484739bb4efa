package server

import (
	"khatm/service/internal/continuity"
	"khatm/service/internal/metric"
	"khatm/service/internal/ready"
)

// watchMarks registers the metric of the marks.
func (m *metrics) watchMarks(g *continuity.Guard) {
	m.registry.Read(metric.Gauge("khatm_marks_failing", "1 while issued documents are not recorded in the marks folder, otherwise 0."), func() float64 {
		if g.Marks == nil || g.Unmarked() {
			return 1
		}
		return 0
	})
}

var issuingStopped = metric.Gauge("khatm_issuing_stopped", "1 while the cause stops this server from issuing invoices, otherwise 0.", "cause")

// watchIssuing registers a metric for each cause that can stop issuing.
func (m *metrics) watchIssuing(s *ready.Status) {
	m.registry.Collect(func(to *metric.Page) {
		for _, c := range ready.Causes() {
			value := 0.0
			if s.Stopped(c) {
				value = 1
			}
			to.Add(issuingStopped, value, string(c))
		}
	})
}

// watchTrail registers the metric of the audit trail.
func (m *metrics) watchTrail(a *trailAlarm) {
	m.registry.Read(metric.Gauge("khatm_audit_trail_broken", "1 while the audit trail does not match the head kept outside the database, otherwise 0."), func() float64 {
		if a.rings() {
			return 1
		}
		return 0
	})
}
