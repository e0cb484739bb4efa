package server

import (
	"khatm/service/internal/capacity"
	"khatm/service/internal/metric"
)

var (
	capacityLimit   = metric.Gauge("khatm_capacity_limit", "Slots or bytes that all callers can use together, by resource.", "resource")
	capacityUsed    = metric.Gauge("khatm_capacity_used", "Slots or bytes in use, by resource.", "resource")
	capacityWaiting = metric.Gauge("khatm_capacity_waiting", "Requests that wait, by resource.", "resource")
	capacityRefused = metric.Counter("khatm_capacity_refused_total", "Requests refused because they waited too long or too many were waiting, by resource.", "resource")
)

// watchCapacity registers the metrics of the limits of concurrent work.
func (m *metrics) watchCapacity(l *capacity.Limits) {
	m.registry.Collect(func(to *metric.Page) {
		l.Each(func(name string, u capacity.Usage) {
			to.Add(capacityLimit, float64(u.Total), name)
			to.Add(capacityUsed, float64(u.Used), name)
			to.Add(capacityWaiting, float64(u.Waiting), name)
			to.Add(capacityRefused, float64(u.Refused), name)
		})
	})
}
