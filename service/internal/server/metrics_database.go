package server

import (
	"khatm/service/internal/metric"
	"khatm/service/internal/store"
)

// pools collects the metrics of the pools of database connections.
type pools struct{ kept *store.Store }

var (
	poolConnections = metric.Gauge("khatm_database_connections", "Open connections to the database, by pool (read and write with SQLite, shared with PostgreSQL) and state.", "pool", "state")
	poolLimit       = metric.Gauge("khatm_database_connections_limit", "Most connections that the pool opens.", "pool")
	poolWaits       = metric.Counter("khatm_database_waits_total", "Times that a query waited for a connection.", "pool")
	poolWaitSeconds = metric.Counter("khatm_database_wait_seconds_total", "Time that queries waited for a connection.", "pool")
)

func (m *metrics) watchDatabase(s *store.Store) { m.registry.Collect(pools{s}.collect) }

// collect adds the metrics to a page.
func (p pools) collect(to *metric.Page) {
	for pool, s := range p.kept.Pools() {
		to.Add(poolConnections, float64(s.InUse), pool, "used")
		to.Add(poolConnections, float64(s.Idle), pool, "idle")
		to.Add(poolLimit, float64(s.MaxOpenConnections), pool)
		to.Add(poolWaits, float64(s.WaitCount), pool)
		to.Add(poolWaitSeconds, s.WaitDuration.Seconds(), pool)
	}
}
