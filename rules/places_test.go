package rules_test

import (
	"testing"
	"time"

	"khatm/rules"
	"khatm/ubl"
)

// Only the first 100 of thousands of places are reported.
func TestPlacesAreBounded(t *testing.T) {
	inv := standard(t)
	line := inv.Lines[0]
	for range 5000 {
		broken := *line
		broken.ID = nil
		inv.Lines = append(inv.Lines, &broken)
	}
	total := inv.TaxTotals[1]
	for range 5000 {
		total.Subtotals = append(total.Subtotals, &ubl.TaxSubtotal{
			TaxableAmount: ubl.NewText("1", "currencyID", "SAR"), TaxAmount: ubl.NewText("7", "currencyID", "SAR"), TaxCategory: total.Subtotals[0].TaxCategory,
		})
	}
	failed := 0
	for _, r := range rules.Check(inv, time.Time{}) {
		if len(r.Places) > 100 {
			t.Errorf("%s has %d places, want at most 100", r.Rule.ID, len(r.Places))
		}
		if r.Status == rules.Failed {
			failed++
		}
	}
	if failed < 3 {
		t.Errorf("%d rules failed, want at least 3", failed)
	}
}
