package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// A search with more matches than are counted returns the newest first. With
// many matching buyers it searches all invoices, with few buyers only theirs.
func TestSearchWithManyMatches(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		found := map[string][]uuid.UUID{}
		const batch = 668
		for n := 0; len(found["crowd"]) <= org.Found; {
			var changes []func(*issue.Entry)
			for range batch {
				name := fmt.Sprintf("Crowd member %d", n)
				if n%2 == 0 {
					name = "Regular"
				}
				changes = append(changes, named(name))
				n++
			}
			written, err := seller.append(changes...)
			ok(t, err)
			for i, e := range written {
				search := []string{"regular", "crowd"}[i%2]
				found[search] = append(found[search], e.Invoice.ID)
			}
		}
		found["inv2026"] = nil // all of them match by number
		for i := range found["crowd"] {
			found["inv2026"] = append(found["inv2026"], found["regular"][i], found["crowd"][i])
		}
		for search, want := range found {
			slices.Reverse(want)
			same(t, want[:230])(s.firstFound(search, 230), nil)
		}
		// Only one of them matches a further condition.
		one := found["crowd"][900]
		list, err := s.Invoices(s.ctx, s.by.Tenant, ledger.Filter{Search: "crowd", IDs: []uuid.UUID{one}}, org.Page{Size: 20, Number: 1})
		ok(t, err)
		if len(list.Rows) != 1 || list.Rows[0].ID != one || list.Total != 1 || list.Capped {
			t.Errorf("search with an id has %d rows, total %d, want 1", len(list.Rows), list.Total)
		}
	})
}

// The invoices of a page are read by their places, not among all invoices of the
// organisation.
func TestSearch_ReadsOnlyThePage(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t))
	for _, places := range []int{1, 21, 101} {
		steps, err := store.Plan(t.Context(), s, s.SpotsQuery(places), make([]any, places+1)...)
		ok(t, err)
		if !slices.Contains(steps, "SEARCH p USING INTEGER PRIMARY KEY (rowid=?)") {
			t.Errorf("query plan for %d places = %q, want the primary key", places, steps)
		}
	}
}

// named changes the buyer's name of a sample.
func named(name string) func(*issue.Entry) {
	return func(e *issue.Entry) {
		buyer := *e.Invoice.Record.Buyer
		buyer.Name, buyer.NameArabic = name, "عميل"
		e.Invoice.Record.Buyer = &buyer
		e.Words = wordsOf(e.Invoice)
	}
}

// firstFound returns the first wanted matches of a search, read by cursor.
func (s *fixture) firstFound(search string, wanted int) (found []uuid.UUID) {
	s.t.Helper()
	for page := (org.Page{Size: 100, Number: 1}); len(found) < wanted; {
		list, err := s.Invoices(s.ctx, s.by.Tenant, ledger.Filter{Search: search}, page)
		ok(s.t, err)
		if list.Total != org.Found || !list.Capped || list.Next == uuid.Nil {
			s.t.Fatalf("search for %s: total %d, capped %v, next %s, want a capped total and a next page", search, list.Total, list.Capped, list.Next)
		}
		for _, i := range list.Rows {
			found = append(found, i.ID)
		}
		page.After = list.Next
	}
	return found[:wanted]
}
