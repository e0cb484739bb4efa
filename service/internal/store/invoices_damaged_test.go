package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
)

// withUnreadablePage closes the store and opens it again with one page of the table
// invoice that cannot be read.
func (s *fixture) withUnreadablePage(t *testing.T) *fixture {
	t.Helper()
	s.execute(`PRAGMA wal_checkpoint(TRUNCATE)`)
	pages := s.pagesOf(t, "invoice")
	s.Close()
	return s.bytesFlipped(t, pages[len(pages)-2:len(pages)-1], func(page []byte) bool {
		page[0] = 0xff // not a valid page type
		return true
	})
}

// Lists with and without filters return all readable invoices although one page
// of the database cannot be read. Searches may fail with Unavailable.
func TestListsWithAnUnreadablePage(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	seller := s.seller(s.by)
	cleared := map[uuid.UUID]bool{}
	for n := range 60 {
		if n%3 == 0 {
			cleared[seller.answered(ledger.Cleared).ID] = true
			continue
		}
		cleared[seller.queued(false, time.Duration(n)*time.Second).ID] = false
	}
	flipped := s.withUnreadablePage(t)
	for name, f := range map[string]ledger.Filter{
		"all": {}, "cleared": {Statuses: []ledger.Status{ledger.Cleared}}, "by date": {From: "2000-01-01", Statuses: []ledger.Status{ledger.Cleared}},
	} {
		list, err := flipped.Invoices(s.ctx, s.by.Tenant, f, org.Page{Size: 100, Number: 1})
		ok(t, err)
		listed := map[uuid.UUID]bool{}
		damaged := 0
		for _, i := range list.Rows {
			listed[i.ID] = true
			if i.Damage != nil {
				damaged++
			} else if len(f.Statuses) > 0 && i.Status != ledger.Cleared {
				t.Errorf("list %q contains an invoice with status %s, want %s", name, i.Status, ledger.Cleared)
			}
		}
		for id, wanted := range cleared {
			if (wanted || len(f.Statuses) == 0) && !listed[id] {
				t.Errorf("list %q lacks invoice %s, want it listed", name, id)
			}
		}
		if damaged < 1 || damaged > 30 {
			t.Errorf("list %q has %d damaged invoices, want 1 to 30", name, damaged)
		}
		for n := range 12 {
			_, err := flipped.Invoices(s.ctx, s.by.Tenant, f, org.Page{Size: 7, Number: n + 1})
			ok(t, err)
		}
	}
	for _, search := range []string{"inv2026", "inv2026000030", "7", "nobody"} {
		if _, err := flipped.Invoices(s.ctx, s.by.Tenant, ledger.Filter{Search: search}, org.Page{Size: 50, Number: 1}); err != nil && fault.KindOf(err) != fault.Unavailable {
			t.Errorf("search for %q: %v, want no error or one of kind Unavailable", search, err)
		}
	}
}
