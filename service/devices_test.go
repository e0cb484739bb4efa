package service_test

import (
	"strconv"
	"testing"
	"time"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
)

// wantDevice is the row of a device that the kit makes, changed by some fields.
func (h *house) wantDevice(d device.Device, changes record) record {
	row := record{
		"device_id": d.ID.String(), "seller_id": h.org.ID.String(),
		"common_name": d.CommonName, "serial_number": d.SerialNumber, "location": "Riyadh", "unit_name": "Head office", "industry": "Retail",
		"invoice_type": "1100", "business_type": "BOTH", "device_status": "pcsid_generated",
		"ccsid_status": "PENDING", "CSIDCertificateData": nil,
		"pcsid_status": "ISSUED", "PSIDCertificateData": record{
			"not_valid_before": "2025-11-15T12:00:00+03:00", "not_valid_after": "2027-11-15T12:00:00+03:00",
			"days_until_expiry": number(365), "expiry_status": "valid",
		},
		"branch_id": nil, "is_branch_device": false, "counter": "0",
		"submission_state": "ok", "submission_message": "", "created_at": "2026-11-15",
	}
	for name, value := range changes {
		row[name] = value
	}
	return row
}

func (h *house) devices(t testing.TB) []any {
	t.Helper()
	list, _ := h.read(t, "/api/devices/?page_size=100")["devices"].([]any)
	return list
}

func TestInterface_2_8_DeviceHasTheseFieldsAndNoOther(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		now := h.clock.Now()
		branch := org.Branch{ID: h.service.NewID(), Name: "Jeddah", CreatedAt: now, Address: org.Address{CountryCode: "SA"}}
		if err := h.service.Store().AddBranch(t.Context(), h.operator(h.org), branch); err != nil {
			t.Fatal(err)
		}
		bare := h.device(h.org, func(d *device.Device) { d.Status, d.Production = device.CSRPending, nil })
		usual := h.device(h.org, nil)
		full := h.device(h.org, func(d *device.Device) {
			d.Compliance = &device.Certificate{NotBefore: now.Add(-time.Hour), NotAfter: now.Add(48 * time.Hour)}
			d.Branch, d.Counter, d.Parked, d.ParkedWhy = &branch.ID, 1234567890123, true, "The authority answered 401."
		})
		same(t, "devices, the newest first", h.devices(t), []any{
			h.wantDevice(full, record{
				"ccsid_status": "ISSUED", "CSIDCertificateData": record{
					"not_valid_before": "2026-11-15T11:00:00+03:00", "not_valid_after": "2026-11-17T12:00:00+03:00",
					"days_until_expiry": number(2), "expiry_status": "expiring",
				},
				"branch_id": branch.ID.String(), "is_branch_device": true, "counter": "1234567890123",
				"submission_state": "parked", "submission_message": "The authority answered 401.",
			}),
			h.wantDevice(usual, nil),
			h.wantDevice(bare, record{"device_status": "csr_pending", "pcsid_status": "PENDING", "PSIDCertificateData": nil}),
		})
	})
}

func TestInterface_2_8_BusinessTypeFollowsInvoiceType(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		for _, c := range []struct{ invoices, business string }{{"1000", "B2B"}, {"0100", "B2C"}, {"1100", "BOTH"}} {
			d := h.device(h.org, func(d *device.Device) { d.InvoiceType = c.invoices })
			same(t, c.invoices, h.devices(t)[0], any(h.wantDevice(d, record{"invoice_type": c.invoices, "business_type": c.business})))
		}
	})
}

func TestInterface_2_8_EveryStatusIsToldAsItIs(t *testing.T) {
	// Section 3.2, in the order of onboarding.
	statuses := []string{
		"csr_pending", "csr_generated", "ccsid_pending", "ccsid_generated", "ccsid_failed",
		"sample_invoices_pending", "sample_invoices_generated", "sample_invoices_failed",
		"AUTHORITY_Submission_Pending", "AUTHORITY_Submission_Completed", "AUTHORITY_Submission_Failed",
		"pcsid_pending", "pcsid_generated", "pcsid_failed",
	}
	onSQLite(t, func(t *testing.T, h *house) {
		for _, status := range statuses {
			h.device(h.org, func(d *device.Device) { d.Status = device.Status(status) })
		}
		list := h.devices(t)
		for i, status := range statuses {
			row, _ := list[len(list)-1-i].(record)
			same(t, status, row["device_status"], any(status))
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
	onSQLite(t, func(t *testing.T, h *house) {
		now := h.clock.Now()
		for _, c := range cases {
			life := &device.Certificate{NotBefore: now.AddDate(-2, 0, 0), NotAfter: now.Add(c.left)}
			d := h.device(h.org, func(d *device.Device) { d.Compliance, d.Production = life, life })
			told := record{
				"not_valid_before": "2024-11-15T12:00:00+03:00", "not_valid_after": life.NotAfter.In(time.FixedZone("", 3*60*60)).Format(time.RFC3339),
				"days_until_expiry": number(c.days), "expiry_status": c.status,
			}
			same(t, c.left.String(), h.devices(t)[0], any(h.wantDevice(d, record{
				"ccsid_status": "ISSUED", "CSIDCertificateData": told, "PSIDCertificateData": told,
			})))
		}
	})
}

func TestInterface_2_8_EnvelopeCountsAllDevicesOfTheOrganisation(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		empty := h.read(t, "/api/devices/")
		same(t, "without devices", empty, record{
			"devices": []any{}, "total": number(0), "num_pages": number(0), "current_page": number(1),
			"total_active_devices": number(0), "total_ccsid_expired": number(0), "total_pcsid_expired": number(0),
			"total_capped": false, "next_cursor": nil,
		})
		now := h.clock.Now()
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
			h.device(h.org, func(d *device.Device) { d.Status, d.Compliance, d.Production = c.status, c.compliance, c.production })
		}
		other, _ := h.stranger()
		h.device(other, func(d *device.Device) { d.Compliance, d.Production = over, over })
		page := h.read(t, "/api/devices/?page=2&page_size=3")
		delete(page, "devices")
		delete(page, "next_cursor")
		same(t, "second page of three", page, record{
			"total": number(7), "num_pages": number(3), "current_page": number(2), "total_capped": false,
			"total_active_devices": number(3), "total_ccsid_expired": number(3), "total_pcsid_expired": number(2),
		})
	})
}

func TestInterface_2_8_CreatedAtIsTheDateInRiyadh(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		for i, c := range []struct{ at, want string }{
			{"2026-11-15T20:59:59Z", "2026-11-15"},
			{"2026-11-15T21:00:00Z", "2026-11-16"},
			{"2026-12-31T21:00:00Z", "2027-01-01"},
		} {
			at, err := time.Parse(time.RFC3339, c.at)
			if err != nil {
				t.Fatal(err)
			}
			d := h.device(h.org, func(d *device.Device) { d.CreatedAt, d.SerialNumber = at, strconv.Itoa(i) })
			same(t, c.at, h.devices(t)[0], any(h.wantDevice(d, record{"created_at": c.want})))
		}
	})
}
