package server

import (
	"math"

	"khatm/service/internal/disk"
	"khatm/service/internal/metric"
)

// watchDisk registers the metric of the free space of the data folder.
func (m *metrics) watchDisk(folder string) {
	m.registry.Read(metric.Gauge("khatm_disk_free_bytes", "Free bytes on the disk of the data folder; NaN if they are not known."), func() float64 {
		space, err := disk.Of(folder)
		if err != nil {
			return math.NaN()
		}
		return float64(space.Free)
	})
}
