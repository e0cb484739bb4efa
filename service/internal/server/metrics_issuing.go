package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"khatm/service/internal/continuity"
	"khatm/service/internal/ready"
)

// watchMarks registers the metric of the marks.
func (m *metrics) watchMarks(g *continuity.Guard) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "khatm_marks_failing",
		Help: "1 while issued documents are not recorded in the marks folder, otherwise 0.",
	}, func() float64 {
		if g.Marks == nil || g.Unmarked() {
			return 1
		}
		return 0
	}))
}

// watchIssuing registers a metric for each cause that can stop issuing.
func (m *metrics) watchIssuing(s *ready.Status) {
	for _, c := range ready.Causes() {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name:        "khatm_issuing_stopped",
			Help:        "1 while the cause stops this server from issuing invoices, otherwise 0.",
			ConstLabels: prometheus.Labels{"cause": string(c)},
		}, func() float64 {
			if s.Stopped(c) {
				return 1
			}
			return 0
		}))
	}
}

// watchTrail registers the metric of the audit trail.
func (m *metrics) watchTrail(a *trailAlarm) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "khatm_audit_trail_broken",
		Help: "1 while the audit trail does not match the head kept outside the database, otherwise 0.",
	}, func() float64 {
		if a.rings() {
			return 1
		}
		return 0
	}))
}
