package submit

import (
	"testing"
	"time"

	"khatm/service/internal/ledger"
)

// A gate is limited while its breaker is not closed or its rate is reduced.
func TestGateIsLimited(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	g := &gate{}
	if g.limited() {
		t.Error("a new gate is limited")
	}
	for range breakerWindow {
		g.began(now, 1)
		g.ended(now, ledger.Verdict{Outcome: ledger.Unknown, Code: 503}, time.Second)
	}
	if !g.limited() {
		t.Error("limited = false with an open breaker")
	}
	now = now.Add(breakerProbe)
	g.began(now, 1)
	g.ended(now, ledger.Verdict{Outcome: ledger.Accepted, Code: 200}, time.Second)
	if g.isOpen() || !g.limited() {
		t.Error("limited = false with a reopening breaker")
	}
	g = &gate{}
	g.began(now, 1)
	g.ended(now, ledger.Verdict{Outcome: ledger.Throttled, Code: 429}, time.Second)
	if !g.limited() {
		t.Error("limited = false with a throttle")
	}
}
