package audit_test

import (
	"strconv"
	"testing"
	"time"

	"khatm/audit"
)

// Requests for the stamped copy of a cleared document do not change its
// verdict, whatever they return: the copy, a refusal, or nothing.
func TestCopyRequestsChangeNoVerdict(t *testing.T) {
	h := made(t, 3)
	requested := 0
	for _, u := range h.devices {
		for i := range u.documents {
			d := &u.documents[i]
			if d.Status != audit.Cleared {
				continue
			}
			for n, a := range []struct {
				outcome string
				code    int
				saw     string
			}{{"unknown", 0, "nothing"}, {"duplicate", 208, "duplicate"}, {"reporting", 303, "nothing"}, {"rejected", 400, ""}} {
				requested++
				start := h.now.Add(time.Duration(requested) * time.Second)
				d.Attempts = append(d.Attempts, audit.Attempt{
					Token: "copy " + strconv.Itoa(n), Copy: true, Endpoint: "clearance", Started: start, Ended: start, Outcome: a.outcome, Code: a.code,
				})
				if a.saw != "nothing" {
					h.authority = append(h.authority, sees(u, d, "clearance", a.code, a.saw, start))
				}
			}
		}
	}
	if requested == 0 {
		t.Fatal("the history has no cleared document")
	}
	r := h.audited(t)
	for _, f := range r.Faults {
		t.Errorf("unexpected fault of %s: %s", f.Invariant, f)
	}
}
