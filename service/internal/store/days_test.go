package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"khatm/invoice"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// TestDays adds up documents that count, count negative and do not count. The
// document in euros has VAT in two categories: their sum in SAR is a halala less
// than the VAT of the document.
func TestDays(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		sell := func(t *seller, day string, kind invoice.Kind, currency string, status ledger.Status) {
			i := t.issue(func(e *issue.Entry) {
				e.Invoice.Kind, e.Invoice.IssueDate = kind, day
				r := &e.Invoice.Record
				r.Currency = currency
				if currency == "SAR" {
					r.ExchangeRate, r.Totals.VATInSAR = decimalOf("1"), r.Totals.VAT
					return
				}
				r.ExchangeRate = decimalOf("1.004")
				r.Breakdown = []ledger.Subtotal{
					{Category: "S", Rate: decimalOf("15"), Taxable: decimalOf("10"), VAT: decimalOf("1.01")}, // 1.01404
					{Category: "S", Rate: decimalOf("5"), Taxable: decimalOf("20"), VAT: decimalOf("1.01")},
					{Category: "Z", Rate: decimalOf("0"), Taxable: decimalOf("3"), VAT: decimalOf("0")},
				}
				r.Totals.VATInSAR = decimalOf("2.03") // 2.02808
			})
			if status != "" {
				ok(s.t, s.Answer(s.ctx, t.by.Tenant, i.ID, status, instantOf(40)))
			}
		}
		shop, other := s.seller(s.by), s.seller(s.other)
		for day, count := range map[string]int{"2026-10-31": 1, "2026-11-01": 1, "2026-11-30": 2, "2026-12-01": 1} {
			for range count {
				sell(shop, day, invoice.TaxInvoice, "SAR", ledger.Cleared)
				sell(shop, day, invoice.DebitNote, "EUR", "")
			}
		}
		sell(shop, "2026-11-30", invoice.CreditNote, "SAR", ledger.Reported)
		sell(shop, "2026-11-30", invoice.CreditNote, "EUR", ledger.NoResponse)
		sell(shop, "2026-11-30", invoice.TaxInvoice, "SAR", ledger.NotCleared)
		sell(shop, "2026-11-30", invoice.TaxInvoice, "EUR", ledger.NotReported)
		sell(other, "2026-11-15", invoice.TaxInvoice, "SAR", ledger.Cleared)
		days, err := s.Days(s.ctx, s.by.Tenant, "2026-11-01", "2026-11-30")
		ok(t, err)
		var got []string
		for _, d := range days {
			got = append(got, fmt.Sprintf("%s %d %d %d %s %s", d.Date, d.Issued, d.Accepted, d.Rejected, d.VAT.Fixed2(), d.WithVAT.Fixed2()))
		}
		same(t, []string{"2026-11-01 2 1 0 17.05 158.05", "2026-11-30 8 3 2 17.05 158.05"})(got, nil)
	})
}

// TestDays_Plan checks that the sums read only the documents of their days, and
// that a list of these days is still read in the order of ids.
func TestDays_Plan(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t))
	for query, args := range store.DayQueries() {
		steps, err := store.Plan(t.Context(), s, query, args...)
		ok(t, err)
		if !strings.HasPrefix(steps[0], "SEARCH i USING INDEX invoice_day (org_id=? AND <expr>>? AND <expr><?)") || slices.Contains(steps, "USE TEMP B-TREE FOR GROUP BY") {
			t.Errorf("query plan %q, want a search of invoice_day in the order of days", steps)
		}
	}
	query, args := store.DatedList()
	steps, err := store.Plan(t.Context(), s, query, args...)
	ok(t, err)
	if len(steps) != 1 || strings.Contains(steps[0], "invoice_day") {
		t.Errorf("query plan %q, want one step that does not use invoice_day", steps)
	}
}
