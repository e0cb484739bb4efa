package api_test

import (
	"strconv"
	"testing"
	"time"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// wantDevice returns the record of a test device with some fields changed.
func wantDevice(h *servicetest.Instance, d device.Device, changes servicetest.Record) servicetest.Record {
	row := servicetest.Record{
		"device_id": d.ID.String(), "seller_id": h.Org.ID.String(),
		"common_name": d.CommonName, "serial_number": d.SerialNumber, "location": "Riyadh", "unit_name": "Head office", "industry": "Retail",
		"invoice_type": "1100", "business_type": "BOTH", "device_status": "pcsid_generated",
		"ccsid_status": "PENDING", "CSIDCertificateData": nil,
		"pcsid_status": "ISSUED", "PSIDCertificateData": servicetest.Record{
			"not_valid_before": "2025-11-15T12:00:00+03:00", "not_valid_after": "2027-11-15T12:00:00+03:00",
			"days_until_expiry": servicetest.Number(365), "expiry_status": "valid",
		},
		"branch_id": nil, "is_branch_device": false, "counter": "0",
		"submission_state": "ok", "submission_message": "", "created_at": "2026-11-15",
	}
	for name, value := range changes {
		row[name] = value
	}
	return row
}

func devices(h *servicetest.Instance, t testing.TB) []any {
	t.Helper()
	list, _ := h.Read(t, "/api/devices/?page_size=100")["devices"].([]any)
	return list
}

func TestInterface_2_8_DeviceHasTheseFieldsAndNoOther(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		now := h.Clock.Now()
		branch := org.Branch{ID: h.Service.NewID(), Name: "Jeddah", CreatedAt: now, Address: org.Address{CountryCode: "SA"}}
		if err := h.Service.Store().AddBranch(t.Context(), h.Operator(h.Org), branch); err != nil {
			t.Fatal(err)
		}
		bare := h.Device(h.Org, func(d *device.Device) { d.Status, d.Production = device.CSRPending, nil })
		usual := h.Device(h.Org, nil)
		full := h.Device(h.Org, func(d *device.Device) {
			d.Compliance = &device.Certificate{NotBefore: now.Add(-time.Hour), NotAfter: now.Add(48 * time.Hour)}
			d.Branch, d.Counter, d.Parked, d.ParkedWhy = &branch.ID, 1234567890123, true, "The authority answered 401."
		})
		servicetest.Same(t, "devices, the newest first", devices(h, t), []any{
			wantDevice(h, full, servicetest.Record{
				"ccsid_status": "ISSUED", "CSIDCertificateData": servicetest.Record{
					"not_valid_before": "2026-11-15T11:00:00+03:00", "not_valid_after": "2026-11-17T12:00:00+03:00",
					"days_until_expiry": servicetest.Number(2), "expiry_status": "expiring",
				},
				"branch_id": branch.ID.String(), "is_branch_device": true, "counter": "1234567890123",
				"submission_state": "parked", "submission_message": "The authority answered 401.",
			}),
			wantDevice(h, usual, nil),
			wantDevice(h, bare, servicetest.Record{"device_status": "csr_pending", "pcsid_status": "PENDING", "PSIDCertificateData": nil}),
		})
	})
}

func TestInterface_2_8_BusinessTypeFollowsInvoiceType(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for _, c := range []struct{ invoices, business string }{{"1000", "B2B"}, {"0100", "B2C"}, {"1100", "BOTH"}} {
			d := h.Device(h.Org, func(d *device.Device) { d.InvoiceType = c.invoices })
			servicetest.Same(t, c.invoices, devices(h, t)[0], any(wantDevice(h, d, servicetest.Record{"invoice_type": c.invoices, "business_type": c.business})))
		}
	})
}

func TestInterface_2_8_EveryStatusIsToldAsItIs(t *testing.T) {
	// docs/contract.md section 3.2, in the order of onboarding.
	statuses := []string{
		"csr_pending", "csr_generated", "ccsid_pending", "ccsid_generated", "ccsid_failed",
		"sample_invoices_pending", "sample_invoices_generated", "sample_invoices_failed",
		"AUTHORITY_Submission_Pending", "AUTHORITY_Submission_Completed", "AUTHORITY_Submission_Failed",
		"pcsid_pending", "pcsid_generated", "pcsid_failed",
	}
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for _, status := range statuses {
			h.Device(h.Org, func(d *device.Device) { d.Status = device.Status(status) })
		}
		list := devices(h, t)
		for i, status := range statuses {
			row, _ := list[len(list)-1-i].(servicetest.Record)
			servicetest.Same(t, status, row["device_status"], any(status))
		}
	})
}

func TestInterface_2_8_CertificateExpiry(t *testing.T) {
	cases := []struct {
		left   time.Duration
		days   int
		status string
	}{
		{365 * 24 * time.Hour, 365, "valid"},
		{31 * 24 * time.Hour, 31, "valid"},
		{30 * 24 * time.Hour, 30, "expiring"},
		{25 * time.Hour, 1, "expiring"},
		{time.Second, 0, "expiring"},
		{0, 0, "expired"},
		{-time.Second, -1, "expired"},
		{-24 * time.Hour, -1, "expired"},
		{-25 * time.Hour, -2, "expired"},
	}
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		now := h.Clock.Now()
		for _, c := range cases {
			life := &device.Certificate{NotBefore: now.AddDate(-2, 0, 0), NotAfter: now.Add(c.left)}
			d := h.Device(h.Org, func(d *device.Device) { d.Compliance, d.Production = life, life })
			told := servicetest.Record{
				"not_valid_before": "2024-11-15T12:00:00+03:00", "not_valid_after": life.NotAfter.In(time.FixedZone("", 3*60*60)).Format(time.RFC3339),
				"days_until_expiry": servicetest.Number(c.days), "expiry_status": c.status,
			}
			servicetest.Same(t, c.left.String(), devices(h, t)[0], any(wantDevice(h, d, servicetest.Record{
				"ccsid_status": "ISSUED", "CSIDCertificateData": told, "PSIDCertificateData": told,
			})))
		}
	})
}

func TestInterface_2_8_EnvelopeCountsAllDevicesOfTheOrganisation(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		empty := h.Read(t, "/api/devices/")
		servicetest.Same(t, "without devices", empty, servicetest.Record{
			"devices": []any{}, "total": servicetest.Number(0), "num_pages": servicetest.Number(0), "current_page": servicetest.Number(1),
			"total_active_devices": servicetest.Number(0), "total_ccsid_expired": servicetest.Number(0), "total_pcsid_expired": servicetest.Number(0),
			"total_capped": false, "next_cursor": nil,
		})
		now := h.Clock.Now()
		over := &device.Certificate{NotBefore: now.AddDate(-2, 0, 0), NotAfter: now}
		runs := &device.Certificate{NotBefore: now.AddDate(-2, 0, 0), NotAfter: now.Add(time.Millisecond)}
		for _, c := range []struct {
			status     device.Status
			compliance *device.Certificate
			production *device.Certificate
		}{
			{device.CSRPending, nil, nil},
			{device.CCSIDGenerated, over, nil},
			{device.CCSIDFailed, over, nil},
			{device.PCSIDGenerated, over, over},
			{device.PCSIDGenerated, runs, over},
			{device.PCSIDGenerated, nil, runs},
			{device.PCSIDFailed, runs, nil},
		} {
			h.Device(h.Org, func(d *device.Device) { d.Status, d.Compliance, d.Production = c.status, c.compliance, c.production })
		}
		other, _ := h.Stranger()
		h.Device(other, func(d *device.Device) { d.Compliance, d.Production = over, over })
		page := h.Read(t, "/api/devices/?page=2&page_size=3")
		delete(page, "devices")
		delete(page, "next_cursor")
		servicetest.Same(t, "second page of three", page, servicetest.Record{
			"total": servicetest.Number(7), "num_pages": servicetest.Number(3), "current_page": servicetest.Number(2), "total_capped": false,
			"total_active_devices": servicetest.Number(3), "total_ccsid_expired": servicetest.Number(3), "total_pcsid_expired": servicetest.Number(2),
		})
	})
}

func TestInterface_2_8_CreatedAtIsTheDateInRiyadh(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for i, c := range []struct{ at, want string }{
			{"2026-11-15T20:59:59Z", "2026-11-15"},
			{"2026-11-15T21:00:00Z", "2026-11-16"},
			{"2026-12-31T21:00:00Z", "2027-01-01"},
		} {
			at, err := time.Parse(time.RFC3339, c.at)
			if err != nil {
				t.Fatal(err)
			}
			d := h.Device(h.Org, func(d *device.Device) { d.CreatedAt, d.SerialNumber = at, strconv.Itoa(i) })
			servicetest.Same(t, c.at, devices(h, t)[0], any(wantDevice(h, d, servicetest.Record{"created_at": c.want})))
		}
	})
}
