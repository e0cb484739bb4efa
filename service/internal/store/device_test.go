package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
)

func TestDeviceIsReadAsItWasWritten(t *testing.T) {
	cases := []struct {
		name   string
		change func(*device.Device)
	}{
		{"every field", func(*device.Device) {}},
		{"no branch", func(d *device.Device) { d.Branch = nil }},
		{"no certificate", func(d *device.Device) { d.Status, d.Compliance, d.Production = device.CSRPending, nil, nil }},
		{"a compliance certificate", func(d *device.Device) { d.Status, d.Production = device.CCSIDGenerated, nil }},
		{"a production certificate", func(d *device.Device) { d.Compliance = nil }},
		{"new", func(d *device.Device) {
			d.Token, d.Counter, d.LastHash, d.LastIssuedAt, d.Parked, d.ParkedWhy, d.Retired = "", 0, device.GenesisHash, time.Time{}, false, "", false
		}},
	}
	for _, status := range device.Statuses() {
		cases = append(cases, struct {
			name   string
			change func(*device.Device)
		}{string(status), func(d *device.Device) { d.Status = status }})
	}
	for _, e := range device.Environments() {
		cases = append(cases, struct {
			name   string
			change func(*device.Device)
		}{string(e), func(d *device.Device) { d.Environment = e }})
	}
	filled(t, sampleDevice(uuid.Max, &uuid.Max))
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		branch := sampleBranch(s.config.NewID())
		ok(t, s.AddBranch(s.ctx, s.by, branch))
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				d := sampleDevice(s.config.NewID(), &branch.ID)
				c.change(&d)
				ok(t, s.AddDevice(s.ctx, s.by, d))
				same(t, d)(s.Device(s.ctx, s.by.Tenant, d.ID))
			})
		}
	})
}

func TestInvalidDevicesAreRefused(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		d := sampleDevice(s.config.NewID(), nil)
		ok(t, s.AddDevice(s.ctx, s.by, d))
		again := sampleDevice(s.config.NewID(), nil)
		again.SerialNumber = d.SerialNumber
		refused(t, s.AddDevice(s.ctx, s.by, again), fault.Invalid, "The organisation already has a device with this serial number.")
		ok(t, s.AddDevice(s.ctx, s.other, again)) // serial numbers are unique only within an organisation

		foreign := sampleBranch(s.config.NewID())
		ok(t, s.AddBranch(s.ctx, s.other, foreign))
		if err := s.AddDevice(s.ctx, s.by, sampleDevice(s.config.NewID(), &foreign.ID)); err == nil {
			t.Error("AddDevice with a branch of another organisation succeeded, want an error")
		}
		for _, id := range []uuid.UUID{s.config.NewID(), again.ID} {
			_, err := s.Device(s.ctx, s.by.Tenant, id)
			refused(t, err, fault.NotFound, "Device not found")
		}
	})
}

func TestDevicesAreCounted(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		now := s.config.Now()
		until := func(left time.Duration) *device.Certificate {
			return &device.Certificate{NotBefore: now.Add(-48 * time.Hour), NotAfter: now.Add(left)}
		}
		count := func(active, compliance, production int) {
			t.Helper()
			a, c, p, err := s.CountDevices(s.ctx, s.by.Tenant, now)
			if err != nil || a != active || c != compliance || p != production {
				t.Errorf("CountDevices = %d, %d, %d, %v, want %d, %d, %d", a, c, p, err, active, compliance, production)
			}
		}
		count(0, 0, 0)
		for _, made := range []struct {
			status                 device.Status
			compliance, production *device.Certificate
		}{
			{device.CSRPending, nil, nil},
			{device.CCSIDFailed, until(0), nil}, // expires at this instant
			{device.PCSIDPending, until(time.Millisecond), nil},
			{device.PCSIDGenerated, until(-time.Hour), until(time.Hour)},
			{device.PCSIDGenerated, until(time.Hour), until(-time.Hour)},
			{device.PCSIDGenerated, nil, until(0)},
		} {
			d := sampleDevice(s.config.NewID(), nil)
			d.Status, d.Compliance, d.Production, d.Retired = made.status, made.compliance, made.production, false
			ok(t, s.AddDevice(s.ctx, s.by, d))
		}
		ok(t, s.AddDevice(s.ctx, s.other, sampleDevice(s.config.NewID(), nil)))
		count(3, 2, 2)
		released := sampleDevice(s.config.NewID(), nil)
		released.Status, released.Production, released.Retired = device.PCSIDGenerated, until(time.Hour), false
		ok(t, s.AddDevice(s.ctx, s.by, released))
		count(4, 2, 2)
		ok(t, s.RetireDevice(s.ctx, s.by, released.ID, now))
		count(3, 2, 2)
	})
}
