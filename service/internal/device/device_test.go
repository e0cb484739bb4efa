package device_test

import (
	"testing"
	"time"

	"khatm/codes"
	"khatm/service/internal/device"
)

func TestInterface_3_2_OnlyPCSIDGeneratedIssues(t *testing.T) {
	for _, s := range device.Statuses() {
		if got, want := (device.Device{Status: s}).CanIssue(), s == "pcsid_generated"; got != want {
			t.Errorf("CanIssue of status %s = %v, want %v", s, got, want)
		}
	}
}

func TestInterface_3_2_StatesAreThoseOfTheGlossary(t *testing.T) {
	known := codes.DeviceStatuses()
	if len(known) != len(device.Statuses()) {
		t.Fatalf("%d statuses, want %d as in the glossary", len(device.Statuses()), len(known))
	}
	for i, s := range device.Statuses() {
		if string(s) != known[i].Status {
			t.Errorf("status %d = %s, want %s as in the glossary", i, s, known[i].Status)
		}
	}
}

func TestCertificateExpiry(t *testing.T) {
	end := time.Date(2027, 1, 31, 12, 0, 0, 0, time.UTC)
	c := device.Certificate{NotAfter: end}
	cases := []struct {
		name string
		now  time.Time
		days int
		want device.Expiry
	}{
		{"a year", end.AddDate(-1, 0, 0), 365, device.Valid},
		{"thirty days and a second", end.Add(-30*24*time.Hour - time.Second), 30, device.Valid},
		{"thirty days", end.Add(-30 * 24 * time.Hour), 30, device.Expiring},
		{"an hour", end.Add(-time.Hour), 0, device.Expiring},
		{"the end", end, 0, device.Expired},
		{"an hour after", end.Add(time.Hour), -1, device.Expired},
		{"a day after", end.Add(24 * time.Hour), -1, device.Expired},
		{"a day and an hour after", end.Add(25 * time.Hour), -2, device.Expired},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			if got := c.DaysLeft(x.now); got != x.days {
				t.Errorf("DaysLeft = %d, want %d", got, x.days)
			}
			if got := c.Expiry(x.now); got != x.want {
				t.Errorf("Expiry = %s, want %s", got, x.want)
			}
		})
	}
}
