package store_test

import (
	"testing"
	"time"

	"khatm/service/internal/device"
)

func TestBacklogCountsExpiringDevices(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		now := instantOf(20)
		count := func() int {
			b, err := s.Backlog(s.ctx, now)
			ok(t, err)
			return b.Lapsing
		}
		before := count()
		for _, c := range []struct {
			name   string
			change func(*device.Device)
			want   int
		}{
			{"no certificate", func(d *device.Device) { d.Production, d.Status = nil, device.CCSIDGenerated }, 0},
			{"valid", func(d *device.Device) { d.Production.NotAfter = now.Add(device.Soon + time.Millisecond) }, 0},
			{"expiring", func(d *device.Device) { d.Production.NotAfter = now.Add(device.Soon) }, 1},
			{"expired", func(d *device.Device) { d.Production.NotAfter = now.Add(-time.Hour) }, 1},
			{"retired", func(d *device.Device) { d.Production.NotAfter, d.Retired = now, true }, 0},
		} {
			d := sampleDevice(s.config.NewID(), nil)
			d.Retired = false
			c.change(&d)
			ok(t, s.AddDevice(s.ctx, s.by, d))
			if got := count() - before; got != c.want {
				t.Errorf("%s: the backlog counts %d devices more, want %d", c.name, got, c.want)
			}
			before = count()
		}
	})
}
