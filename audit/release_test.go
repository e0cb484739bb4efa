package audit_test

import (
	"strings"
	"testing"
	"time"

	"khatm/audit"
	"khatm/invoice"
)

// A document dated before its predecessor is a fault, unless an operator
// declared that the predecessor was dated in the future.
func TestDeclaredReleaseOfAClock(t *testing.T) {
	for name, c := range map[string]struct {
		release func(before audit.Document) []audit.Release
		sound   bool
	}{
		"not declared": {func(audit.Document) []audit.Release { return nil }, false},
		"declared": {func(d audit.Document) []audit.Release {
			return []audit.Release{{d.Counter, d.IssuedAt.Add(-time.Hour)}}
		}, true},
		"declared for another document": {func(d audit.Document) []audit.Release {
			return []audit.Release{{d.Counter - 1, d.IssuedAt.Add(-time.Hour)}}
		}, false},
		"declared when it was not in the future": {func(d audit.Document) []audit.Release { return []audit.Release{{d.Counter, d.IssuedAt.Add(time.Hour)}} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := made(t, 2)
			h.noAuthority, h.noClients = true, true
			device := h.devices[0]
			last := len(device.documents) - 1
			before := device.documents[last-1]
			device.reissue(last, func(_ *invoice.Identity, at *time.Time) { *at = before.IssuedAt.Add(-30 * time.Minute) })
			d := device.documents[last]
			device.LastHash, device.LastIssuedAt = d.Hash, d.IssuedAt
			device.Releases = c.release(before)
			r := h.audited(t)
			if got := r.Broken[audit.CountersRun] == 0; got != c.sound {
				t.Errorf("no fault of the counters: %v, want %v; faults %v", got, c.sound, r.Faults)
			}
			if said := strings.Contains(strings.Join(r.Remarks, "\n"), "declared to be dated in the future: 1"); said != c.sound {
				t.Errorf("remark on the release: %v, want %v; remarks %q", said, c.sound, r.Remarks)
			}
		})
	}
}
