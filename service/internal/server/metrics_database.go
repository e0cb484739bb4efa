package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"khatm/service/internal/store"
)

// pools collects the metrics of the pools of database connections.
type pools struct{ kept *store.Store }

var (
	poolConnections = description("khatm_database_connections", "Open connections to the database, by pool (read and write with SQLite, shared with PostgreSQL) and state.", "pool", "state")
	poolLimit       = description("khatm_database_connections_limit", "Most connections that the pool opens.", "pool")
	poolWaits       = description("khatm_database_waits_total", "Times that a query waited for a connection.", "pool")
	poolWaitSeconds = description("khatm_database_wait_seconds_total", "Time that queries waited for a connection.", "pool")
)

func (m *metrics) watchDatabase(s *store.Store) { m.registry.MustRegister(pools{s}) }

// Describe implements [prometheus.Collector].
func (pools) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{poolConnections, poolLimit, poolWaits, poolWaitSeconds} {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (p pools) Collect(to chan<- prometheus.Metric) {
	for pool, s := range p.kept.Pools() {
		to <- prometheus.MustNewConstMetric(poolConnections, prometheus.GaugeValue, float64(s.InUse), pool, "used")
		to <- prometheus.MustNewConstMetric(poolConnections, prometheus.GaugeValue, float64(s.Idle), pool, "idle")
		to <- prometheus.MustNewConstMetric(poolLimit, prometheus.GaugeValue, float64(s.MaxOpenConnections), pool)
		to <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(s.WaitCount), pool)
		to <- prometheus.MustNewConstMetric(poolWaitSeconds, prometheus.CounterValue, s.WaitDuration.Seconds(), pool)
	}
}
