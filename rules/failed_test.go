package rules

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"khatm/ubl"
)

func TestFailedUnsealed(t *testing.T) {
	now := time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)
	for name, inv := range map[string]*ubl.Invoice{
		"empty":         {},
		"in the future": {IssueDate: ubl.NewText("2030-01-01"), IssueTime: ubl.NewText("25:00:00"), Lines: []*ubl.Line{{}, {}}},
	} {
		want := slices.DeleteFunc(CheckUnsealed(inv, now), func(r Result) bool { return r.Status != Failed })
		if got := FailedUnsealed(inv, now); len(want) == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: FailedUnsealed returned %d results, want the %d that failed", name, len(got), len(want))
		}
	}
}
