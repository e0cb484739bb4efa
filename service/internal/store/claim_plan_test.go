package store_test

import (
	"strings"
	"testing"

	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// After a day without the authority hundreds of thousands of documents are
// queued. The queries for the next ones must not scan or sort all of them.
func TestClaim_SortsNothing(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t))
	for query, args := range store.Claims() {
		steps, err := store.Plan(t.Context(), s, query, args...)
		if err != nil {
			t.Fatal(err)
		}
		indexed := 0
		for _, step := range steps {
			if strings.Contains(step, "TEMP B-TREE") || strings.HasPrefix(step, "SCAN submission") || strings.HasPrefix(step, "SCAN s ") || step == "SCAN c" {
				t.Errorf("query plan contains %q, want no scan and no sort:\n%s", step, query)
			}
			if strings.Contains(step, "INDEX submission_") || strings.Contains(step, "INDEX copy_request_due") {
				indexed++
			}
		}
		if indexed == 0 {
			t.Errorf("query plan = %q, want an index\n%s", steps, query)
		}
	}
}
