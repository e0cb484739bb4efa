package server

import (
	"math"

	"github.com/prometheus/client_golang/prometheus"

	"khatm/service/internal/disk"
)

// watchDisk registers the metric of the free space of the data folder.
func (m *metrics) watchDisk(folder string) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "khatm_disk_free_bytes",
		Help: "Free bytes on the disk of the data folder; NaN if they are not known.",
	}, func() float64 {
		space, err := disk.Of(folder)
		if err != nil {
			return math.NaN()
		}
		return float64(space.Free)
	}))
}
