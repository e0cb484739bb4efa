package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"khatm/service/internal/capacity"
)

// watchCapacity registers the metrics of the limits of concurrent work.
func (m *metrics) watchCapacity(l *capacity.Limits) {
	describe := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, []string{"resource"}, nil)
	}
	m.registry.MustRegister(&capacityCollector{
		limits:  l,
		total:   describe("khatm_capacity_limit", "Slots or bytes that all callers can use together, by resource."),
		used:    describe("khatm_capacity_used", "Slots or bytes in use, by resource."),
		waiting: describe("khatm_capacity_waiting", "Requests that wait, by resource."),
		refused: describe("khatm_capacity_refused_total", "Requests refused because they waited too long or too many were waiting, by resource."),
	})
}

// capacityCollector implements [prometheus.Collector].
type capacityCollector struct {
	limits                        *capacity.Limits
	total, used, waiting, refused *prometheus.Desc
}

// Describe implements [prometheus.Collector].
func (c *capacityCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.total, c.used, c.waiting, c.refused} {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *capacityCollector) Collect(to chan<- prometheus.Metric) {
	c.limits.Each(func(name string, u capacity.Usage) {
		to <- prometheus.MustNewConstMetric(c.total, prometheus.GaugeValue, float64(u.Total), name)
		to <- prometheus.MustNewConstMetric(c.used, prometheus.GaugeValue, float64(u.Used), name)
		to <- prometheus.MustNewConstMetric(c.waiting, prometheus.GaugeValue, float64(u.Waiting), name)
		to <- prometheus.MustNewConstMetric(c.refused, prometheus.CounterValue, float64(u.Refused), name)
	})
}
