package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"khatm/service/internal/continuity"
	"khatm/service/internal/ready"
)

// watchMarks exports whether marks are written.
func (m *metrics) watchMarks(g *continuity.Guard) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "khatm_marks_failing",
		Help: "1 while what was issued cannot be recorded outside the database, or is not, otherwise 0.",
	}, func() float64 {
		if g.Marks == nil || g.Unmarked() {
			return 1
		}
		return 0
	}))
}

// watchIssuing exports, for each cause that can stop issuing, whether it does.
func (m *metrics) watchIssuing(s *ready.Status) {
	for _, c := range ready.Causes() {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name:        "khatm_issuing_stopped",
			Help:        "1 while the cause keeps this server from issuing invoices, otherwise 0.",
			ConstLabels: prometheus.Labels{"cause": string(c)},
		}, func() float64 {
			if s.Stopped(c) {
				return 1
			}
			return 0
		}))
	}
}

// watchTrail exports whether the audit trail fits its head.
func (m *metrics) watchTrail(a *trailAlarm) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "khatm_audit_trail_broken",
		Help: "1 while the audit trail does not fit the head that is kept outside the database, otherwise 0.",
	}, func() float64 {
		if a.rings() {
			return 1
		}
		return 0
	}))
}
