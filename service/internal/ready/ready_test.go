package ready_test

import (
	"strings"
	"testing"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/ready"
)

var start = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func TestStatus(t *testing.T) {
	var s ready.Status
	if err := s.Err(); err != nil {
		t.Fatalf("Err of a new Status = %v, want nil", err)
	}
	if !s.Stop(ready.Disk, start, "12 MiB") || s.Stop(ready.Disk, start.Add(time.Minute), "8 MiB") {
		t.Error("Stop must report a problem as new exactly once")
	}
	if got := s.Problems(); len(got) != 1 || got[0].Detail != "8 MiB" || !got[0].Since.Equal(start) {
		t.Errorf("Problems = %+v, want the first time and the last detail", got)
	}
	s.Stop(ready.Chain, start, "device 7 is at 117, the marks at 118")
	err := s.Err()
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "khatm recover") {
		t.Errorf("Err = %v, want the most serious problem with its command", err)
	}
	if strings.Contains(err.Error(), "117") {
		t.Errorf("Err shows the operator's detail to the caller: %v", err)
	}
	if !s.Clear(ready.Chain) || s.Clear(ready.Chain) {
		t.Error("Clear must report a problem exactly once")
	}
	if !s.Stopped(ready.Clock, ready.Disk) || s.Stopped(ready.Clock) {
		t.Error("Stopped(Clock, Disk) must be true and Stopped(Clock) false")
	}
	s.Clear(ready.Disk)
	if err := s.Err(); err != nil {
		t.Errorf("Err after all problems were cleared = %v, want nil", err)
	}
}

func TestEveryCauseHasMessageAndFix(t *testing.T) {
	for _, c := range ready.Causes() {
		if text := ready.Refusal(c).Error(); c.Fix() == "" || !strings.Contains(text, c.Fix()) || strings.Contains(text, "because .") {
			t.Errorf("refusal for %s = %q, want a message and a fix", c, text)
		}
	}
}
