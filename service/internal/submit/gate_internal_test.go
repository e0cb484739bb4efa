package submit

import (
	"testing"
	"time"

	"khatm/service/internal/ledger"
)

// An endpoint is limited while its breaker is not closed or its rate is held.
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
		t.Error("an open breaker does not limit")
	}
	now = now.Add(breakerProbe)
	g.began(now, 1)
	g.ended(now, ledger.Verdict{Outcome: ledger.Accepted, Code: 200}, time.Second)
	if g.isOpen() || !g.limited() {
		t.Error("a breaker that is closing does not limit")
	}
	g = &gate{}
	g.began(now, 1)
	g.ended(now, ledger.Verdict{Outcome: ledger.Throttled, Code: 429}, time.Second)
	if !g.limited() {
		t.Error("a throttle does not limit")
	}
}
