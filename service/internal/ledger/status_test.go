package ledger_test

import (
	"testing"

	"khatm/codes"
	"khatm/service/internal/ledger"
)

func TestInterface_3_1_FinalStatuses(t *testing.T) {
	cases := []struct {
		status          ledger.Status
		final, accepted bool
	}{
		{ledger.Unanswered, false, false},
		{ledger.NoResponse, false, false},
		{ledger.Cleared, true, true},
		{ledger.Reported, true, true},
		{ledger.NotCleared, true, false},
		{ledger.NotReported, true, false},
	}
	for _, c := range cases {
		if c.status.Final() != c.final || c.status.Accepted() != c.accepted {
			t.Errorf("status %q: Final = %v, Accepted = %v; want %v, %v", c.status, c.status.Final(), c.status.Accepted(), c.final, c.accepted)
		}
	}
	if got := len(codes.InvoiceStatuses()); got != len(cases) {
		t.Errorf("the glossary has %d statuses, want %d as in this test", got, len(cases))
	}
}
