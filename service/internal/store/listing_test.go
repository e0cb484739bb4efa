package store_test

import (
	"strings"
	"testing"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// large issues an invoice whose record has about the given number of bytes.
func (t *seller) large(bytes int) ledger.Invoice {
	return t.issue(func(e *issue.Entry) {
		line := e.Invoice.Record.Lines[0]
		line.Name = strings.Repeat("x", 1000)
		for range bytes / 1200 {
			e.Invoice.Record.Lines = append(e.Invoice.Record.Lines, line)
		}
	})
}

// A list is read in parts of bounded size, and no connection to the database is
// held while an invoice of a part is processed.
func TestListsAreReadInParts(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		var want []string
		for _, size := range []int{0, 700_000, 0, 0, 300_000, 300_000, 0} {
			want = append([]string{seller.large(size).ID.String()}, want...)
		}
		for name, filter := range map[string]ledger.Filter{"all": {}, "filter": {From: "2000-01-01"}, "search": {Search: "inv"}} {
			listing, err := s.ListInvoices(s.ctx, s.by.Tenant, filter, org.Page{Size: 100, Number: 1})
			ok(t, err)
			var got []string
			var rows []int
			for _, part := range listing.Parts {
				before := len(got)
				ok(t, part.Read(s.ctx, func(i ledger.Listed) error {
					got = append(got, i.ID.String())
					if used := s.ReadersInUse(); used != 0 {
						t.Errorf("%s: %d connections are in use while an invoice is processed, want 0", name, used)
					}
					return nil
				}))
				rows = append(rows, len(got)-before)
				if n := len(got) - before; n > 1 && part.Size > 512<<10 {
					t.Errorf("%s: a part has %d invoices of %d bytes, want at most 512 KiB", name, n, part.Size)
				}
			}
			if strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s: listed %v, want %v", name, got, want)
			}
			if len(rows) != 4 {
				t.Errorf("%s: the parts have %v invoices, want four parts", name, rows)
			}
		}
	})
}

// An invoice whose status has changed since the page was found is left out of a
// list by status.
func TestListsWithAStatusThatChanges(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		first, second := seller.queued(false, 0), seller.queued(false, 0)
		listing, err := s.ListInvoices(s.ctx, s.by.Tenant, ledger.Filter{Statuses: []ledger.Status{ledger.Unanswered}}, org.Page{Size: 100, Number: 1})
		ok(t, err)
		ok(t, s.Answer(s.ctx, s.by.Tenant, second.ID, ledger.Cleared, instantOf(50)))
		list, err := listing.Collect(s.ctx)
		ok(t, err)
		if len(list.Rows) != 1 || list.Rows[0].ID != first.ID {
			t.Errorf("listed %+v, want only %s", list.Rows, first.ID)
		}
	})
}
