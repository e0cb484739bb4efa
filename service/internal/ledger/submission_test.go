package ledger_test

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/ledger"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// standings are all possible standings of a standard invoice that is sent to
// clearance.
var standings = []ledger.Standing{
	{State: ledger.Queued, Status: ledger.Unanswered},
	{State: ledger.Queued, Status: ledger.NoResponse},
	{State: ledger.Sending, Status: ledger.Unanswered},
	{State: ledger.Sending, Status: ledger.NoResponse},
	{State: ledger.Waiting, Status: ledger.NoResponse},
	{State: ledger.Held, Status: ledger.Unanswered},
	{State: ledger.Held, Status: ledger.NoResponse},
	{State: ledger.Done, Status: ledger.Cleared},
	{State: ledger.Done, Status: ledger.NotCleared},
}

func events() (all []ledger.Event) {
	for _, o := range ledger.Outcomes() {
		all = append(all, ledger.OutcomeEvent(o))
	}
	return append(all, ledger.Claim, ledger.Lapse, ledger.Due, ledger.Park, ledger.Release, ledger.Stop, ledger.Ask, ledger.Damaged)
}

func words(s ledger.Standing) string {
	if s.Status == ledger.Unanswered {
		return string(s.State) + ", null"
	}
	return string(s.State) + ", " + string(s.Status)
}

// The golden table lists every combination of standing and event.
func TestInterface_3_1_GoldenStateTable(t *testing.T) {
	var table bytes.Buffer
	for _, event := range events() {
		for _, from := range standings {
			final := ledger.FinalStatus(false, ledger.ByClearance, ledger.Outcome(event))
			to, moves := from.After(event, final)
			result := words(to)
			if !moves {
				result = "–"
				if to != from {
					t.Errorf("standing %s, event %s: reported as ignored, but changes to %s", words(from), event, words(to))
				}
			}
			fmt.Fprintf(&table, "%-13s %-24s %s\n", event, words(from), result)
		}
	}
	const path = "testdata/states.txt"
	testtool.Golden(t, *update, path, table.Bytes())
}

// No event changes a final status, and every event leads to a known standing.
func TestInterface_3_1_FinalIsFinal(t *testing.T) {
	for _, from := range standings {
		for _, event := range events() {
			to, moves := from.After(event, ledger.FinalStatus(false, ledger.ByClearance, ledger.Outcome(event)))
			if from.Status.Final() && (moves || to != from) {
				t.Errorf("final standing %s, event %s: changes to %s, want no change", words(from), event, words(to))
			}
			if !slices.Contains(standings, to) {
				t.Errorf("standing %s, event %s: leads to the unknown standing %s", words(from), event, words(to))
			}
			if (to.State == ledger.Done) != to.Status.Final() {
				t.Errorf("standing %s, event %s: leads to %s, want done exactly with a final status", words(from), event, words(to))
			}
		}
	}
}

func TestInterface_3_1_FinalStatusOfEachKind(t *testing.T) {
	cases := []struct {
		name       string
		simplified bool
		by         ledger.Route
		outcome    ledger.Outcome
		want       ledger.Status
	}{
		{"standard accepted", false, ledger.ByClearance, ledger.Accepted, ledger.Cleared},
		{"standard duplicate", false, ledger.ByClearance, ledger.Duplicate, ledger.Cleared},
		{"standard rejected", false, ledger.ByClearance, ledger.Rejected, ledger.NotCleared},
		{"standard accepted through reporting", false, ledger.ByReporting, ledger.Accepted, ledger.Reported},
		{"standard duplicate through reporting", false, ledger.ByReporting, ledger.Duplicate, ledger.Reported},
		{"standard rejected through reporting", false, ledger.ByReporting, ledger.Rejected, ledger.NotCleared},
		{"simplified accepted", true, ledger.ByReporting, ledger.Accepted, ledger.Reported},
		{"simplified duplicate", true, ledger.ByReporting, ledger.Duplicate, ledger.Reported},
		{"simplified rejected", true, ledger.ByReporting, ledger.Rejected, ledger.NotReported},
		{"no answer", true, ledger.ByReporting, ledger.Unknown, ledger.Unanswered},
		{"too large", false, ledger.ByClearance, ledger.TooLarge, ledger.Unanswered},
	}
	for _, c := range cases {
		if got := ledger.FinalStatus(c.simplified, c.by, c.outcome); got != c.want {
			t.Errorf("%s: FinalStatus = %q, want %q", c.name, got, c.want)
		}
	}
}
