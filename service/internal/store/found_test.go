package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// What finds more than is counted is found all the same, the newest first, by
// pages and by cursor: among everybody's invoices where there are many buyers,
// among their own where there are few.
func TestInvoicesOfWhichMoreAreFoundThanCounted(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		seller := s.seller(s.by)
		found := map[string][]uuid.UUID{}
		const batch = 600
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
		found["inv2026"] = nil // all of them, by their number
		for i := range found["crowd"] {
			found["inv2026"] = append(found["inv2026"], found["regular"][i], found["crowd"][i])
		}
		for search, want := range found {
			slices.Reverse(want)
			same(t, want[:230])(s.firstFound(search, 230), nil)
		}
		// Another condition is met by few of them.
		one := found["crowd"][900]
		list, err := s.Invoices(s.ctx, s.by.Tenant, ledger.Filter{Search: "crowd", IDs: []uuid.UUID{one}}, org.Page{Size: 20, Number: 1})
		ok(t, err)
		if len(list.Rows) != 1 || list.Rows[0].ID != one || list.Total != 1 || list.Capped {
			t.Errorf("one of the crowd: %d rows of %d", len(list.Rows), list.Total)
		}
	})
}

// named gives a sample's buyer another name.
func named(name string) func(*issue.Entry) {
	return func(e *issue.Entry) {
		buyer := *e.Invoice.Record.Buyer
		buyer.Name, buyer.NameArabic = name, "عميل"
		e.Invoice.Record.Buyer = &buyer
		e.Words = wordsOf(e.Invoice)
	}
}

// firstFound reads what a search finds by cursor, as far as is wanted.
func (s *shop) firstFound(search string, wanted int) (found []uuid.UUID) {
	s.t.Helper()
	for page := (org.Page{Size: 100, Number: 1}); len(found) < wanted; {
		list, err := s.Invoices(s.ctx, s.by.Tenant, ledger.Filter{Search: search}, page)
		ok(s.t, err)
		if list.Total != org.Found || !list.Capped || list.Next == uuid.Nil {
			s.t.Fatalf("%s: %d found, capped %v, next %s", search, list.Total, list.Capped, list.Next)
		}
		for _, i := range list.Rows {
			found = append(found, i.ID)
		}
		page.After = list.Next
	}
	return found[:wanted]
}
