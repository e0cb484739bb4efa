package rules

import (
	"slices"
	"testing"
	"time"

	"khatm/ubl"
)

// TestRulesByDate checks that a document is checked by the rows that are in force
// on its issue date.
func TestRulesByDate(t *testing.T) {
	never := func(_ *document, t *trial) { t.fail("/Invoice", "", "something else") }
	rows := takenFrom("2", []Rule{
		{ID: "always", check: never},
		{ID: "changed", Until: "2027-01-01", Kit: "1", check: never},
		{ID: "changed", From: "2027-01-01", check: never},
		{ID: "new", From: "2027-01-01", check: never},
		{ID: "removed", Until: "2027-01-01", Kit: "1", check: never},
	})
	before := []string{"always 2", "changed 1", "removed 1"}
	after := []string{"always 2", "changed 2", "new 2"}
	for _, c := range []struct {
		date string
		want []string
	}{
		{"2026-12-31", before},
		{"2027-01-01", after},
		{"2027-01-01Z", after},
		{"1999-01-01", before},
		{"2028-05-05", after},
		// These are checked by the rows of the current date in Riyadh.
		{"", after},
		{"2026-13-31", after},
		{"26-1-1", after},
	} {
		inv := &ubl.Invoice{IssueDate: ubl.NewText(c.date)}
		var got []string
		for _, r := range run(rows, inv, time.Date(2026, 12, 31, 22, 0, 0, 0, time.UTC), true) {
			got = append(got, r.Rule.ID+" "+r.Rule.Kit)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("issue date %q: checked by %v, want %v", c.date, got, c.want)
		}
	}
}

// TestRowsOfBook checks that the dates of the rows are valid, and that at most
// one row of an id applies on a date.
func TestRowsOfBook(t *testing.T) {
	last := map[string]Rule{}
	for _, r := range book {
		for _, day := range []string{r.From, r.Until} {
			if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
				t.Errorf("%s: %v", r.ID, err)
			}
		}
		if r.Kit == "" || r.Until != "" && r.Until <= r.From {
			t.Errorf("%s: kit %q, from %q until %q, want a kit and an end after the beginning", r.ID, r.Kit, r.From, r.Until)
		}
		if earlier, found := last[r.ID]; found && (earlier.Until == "" || r.From < earlier.Until) {
			t.Errorf("%s: two rows apply from %q", r.ID, r.From)
		}
		last[r.ID] = r
	}
}
