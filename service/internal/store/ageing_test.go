package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// aged returns what is owed as a text: the ranges, the total and the credit.
func aged(list []payment.Aged) (all []string) {
	for _, a := range list {
		text := a.Currency
		for _, owed := range a.Owed {
			text += " " + owed.Fixed2()
		}
		all = append(all, fmt.Sprintf("%s = %s, credit %s", text, a.Total.Fixed2(), a.Credit.Fixed2()))
	}
	return all
}

// TestAgeing_FromTheDueDateElseTheIssueDate bills amounts whose sums show which
// documents are in a range.
func TestAgeing_FromTheDueDateElseTheIssueDate(t *testing.T) {
	const today = "2026-03-15" // some ranges begin in the year before
	day, err := time.Parse(time.DateOnly, today)
	ok(t, err)
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		issued, due := s.till(), s.till()
		for n, age := range []int{-1, 0, 1, 30, 31, 60, 61, 90, 91, 400} {
			b := bill{kind: invoice.TaxInvoice, payable: fmt.Sprint(1 << n), currency: "SAR", issued: day.AddDate(0, 0, -age).Format(time.DateOnly), answer: ledger.Cleared}
			issued.bills(b)
			b.dueDays, b.issued = 45, day.AddDate(0, 0, -age-45).Format(time.DateOnly)
			due.bills(b)
			// A simplified invoice is paid when it is issued.
			b.simplified, b.currency, b.answer = true, "USD", ""
			due.bills(b)
		}
		const want = "SAR 3.00 12.00 48.00 192.00 768.00 = 1023.00, credit 0.00"
		list, err := s.Debtors(s.ctx, s.by.Tenant, "", today, org.Page{Size: 9, Number: 1})
		ok(t, err)
		if len(list.Rows) != 2 || list.Total != 2 || list.Rows[0].ID != due.client || list.Rows[1].ID != issued.client {
			t.Fatalf("%+v, want two clients, the newest first", list)
		}
		same(t, []string{want, "USD 0.00 0.00 7.00 24.00 992.00 = 1023.00, credit 0.00"})(aged(list.Rows[0].Owes), nil)
		same(t, []string{want})(aged(list.Rows[1].Owes), nil)
		totals, err := s.OwedTotals(s.ctx, s.by.Tenant, "", today)
		ok(t, err)
		same(t, []string{"SAR 6.00 24.00 96.00 384.00 1536.00 = 2046.00, credit 0.00", "USD 0.00 0.00 7.00 24.00 992.00 = 1023.00, credit 0.00"})(aged(totals), nil)
		totals, err = s.OwedTotals(s.ctx, s.by.Tenant, "USD", today)
		ok(t, err)
		same(t, []string{"USD 0.00 0.00 7.00 24.00 992.00 = 1023.00, credit 0.00"})(aged(totals), nil)
	})
}

// TestAgeing_WhatCounts bills documents that do not count as well.
func TestAgeing_WhatCounts(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		b := bill{kind: invoice.TaxInvoice, payable: "1000", currency: "EUR", issued: "2026-11-15"}
		waiting := shop.bills(b)
		cleared := b
		cleared.answer = ledger.Cleared
		partly, paid, credited := shop.bills(cleared), shop.bills(cleared), shop.bills(cleared)
		s.pays(shop.client, partly, "999")
		s.pays(shop.client, paid, "1000")
		note := cleared
		note.kind, note.original, note.credited = invoice.CreditNote, credited.String(), "1000"
		shop.bills(note)
		note.original, note.credited = paid.String(), "30" // 30 are due to the client
		shop.bills(note)
		rejected := b
		rejected.answer = ledger.NotCleared
		shop.bills(rejected)
		simplified := b
		simplified.simplified, simplified.payable = true, "2"
		shop.bills(simplified)
		simplified.answer, simplified.payable = ledger.NoResponse, "4"
		shop.bills(simplified)
		simplified.answer, simplified.payable = ledger.Reported, "8"
		shop.bills(simplified)
		simplified.answer = ledger.NotReported
		shop.bills(simplified)
		simplified.answer, simplified.unknown = "", true
		shop.bills(simplified)
		rest := sampleReceipt(s.config.NewID(), shop.client)
		rest.Amount = decimalOf("6")
		_, err := s.AddReceipt(s.ctx, s.by, rest, nil, payment.Request{})
		ok(t, err)
		rest.ID, rest.Currency = s.config.NewID(), "SAR"
		_, err = s.AddReceipt(s.ctx, s.by, rest, nil, payment.Request{})
		ok(t, err)

		owes := func(of org.Tenant) []string {
			list, err := s.Debtors(s.ctx, of, "", "2026-11-15", org.Page{Size: 9, Number: 1})
			ok(t, err)
			if len(list.Rows) == 0 {
				return nil
			}
			return aged(list.Rows[0].Owes)
		}
		same(t, []string{"EUR 15.00 0.00 0.00 0.00 0.00 = 15.00, credit 36.00"})(owes(s.by.Tenant), nil)
		ok(t, s.Answer(s.ctx, s.by.Tenant, waiting, ledger.Cleared, instantOf(40)))
		same(t, []string{"EUR 1015.00 0.00 0.00 0.00 0.00 = 1015.00, credit 36.00"})(owes(s.by.Tenant), nil)
		for _, of := range []org.Tenant{s.other.Tenant, {}} {
			totals, err := s.OwedTotals(s.ctx, of, "", "2026-11-15")
			ok(t, err)
			if got := owes(of); len(got)+len(totals) != 0 {
				t.Errorf("another organisation reads %v, %v; want nothing", got, totals)
			}
		}
	})
}

func TestAgeing_Pages(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		var want []uuid.UUID
		for n := range 5 {
			shop := s.till()
			for range 1 + n {
				shop.bills(bill{kind: invoice.TaxInvoice, payable: "1", currency: "SAR", issued: "2026-11-15", simplified: true})
			}
			want = append([]uuid.UUID{shop.client}, want...)
		}
		s.till() // owes nothing
		read := func(page org.Page) (ids []uuid.UUID, next uuid.UUID) {
			list, err := s.Debtors(s.ctx, s.by.Tenant, "SAR", "2026-11-15", page)
			ok(t, err)
			for _, d := range list.Rows {
				ids = append(ids, d.ID)
				if d.Name == "" || len(d.Owes) != 1 {
					t.Errorf("%+v, want a name and one currency", d)
				}
			}
			if list.Total != 5 || list.Capped {
				t.Errorf("%d clients, want 5", list.Total)
			}
			return ids, list.Next
		}
		first, next := read(org.Page{Size: 2, Number: 1})
		second, next := read(org.Page{Size: 2, After: next})
		third, end := read(org.Page{Size: 2, After: next})
		same(t, want)(append(append(first, second...), third...), nil)
		if end != uuid.Nil {
			t.Errorf("a page after the last one: %s", end)
		}
		page, _ := read(org.Page{Size: 2, Number: 2})
		same(t, second)(page, nil)
	})
}

// Ageing must not read the rows of millions of open invoices, or sort them.
func TestAgeing_ReadsTheIndexOnly(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t))
	for query, args := range store.AgeingQueries() {
		steps, err := store.Plan(t.Context(), s, query, args...)
		if err != nil {
			t.Fatal(err)
		}
		indexed := 0
		for _, step := range steps {
			if strings.Contains(step, " invoice ") && !strings.Contains(step, "USING COVERING INDEX invoice_owed (org_id=?") {
				t.Errorf("query plan contains %q, want the index alone:\n%s", step, query)
			}
			if strings.Contains(step, "INDEX invoice_owed") {
				indexed++
			}
			if strings.Contains(step, "TEMP B-TREE") && !strings.Contains(query, "FROM (") {
				t.Errorf("query plan contains %q, want no sort:\n%s", step, query)
			}
		}
		if indexed == 0 {
			t.Errorf("query plan %q does not use the index:\n%s", steps, query)
		}
	}
	for query, args := range store.StatementQueries() {
		steps, err := store.Plan(t.Context(), s, query, args...)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			if strings.HasPrefix(step, "SCAN") && !strings.HasPrefix(step, "SCAN e") {
				t.Errorf("query plan contains %q, want no scan of a table:\n%q", step, steps)
			}
		}
	}
}

// TestAgeing_IndexOnPostgreSQL looks at the plan without the choice to scan the
// table, which is the fastest for few rows.
func TestAgeing_IndexOnPostgreSQL(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		if s.config.URL == "" {
			return // see TestAgeing_ReadsTheIndexOnly
		}
		db, err := s.raw.Conn(t.Context())
		ok(t, err)
		defer func() { _ = db.Close() }()
		for _, setting := range []string{"enable_seqscan", "enable_bitmapscan"} {
			_, err = db.ExecContext(t.Context(), "SET "+setting+" = off")
			ok(t, err)
		}
		for query, args := range store.AgeingQueries() {
			for n := len(args); n > 0; n-- {
				query = strings.ReplaceAll(query, fmt.Sprintf("$%d", n), fmt.Sprintf("'%v'", args[n-1]))
			}
			rows, err := db.QueryContext(t.Context(), "EXPLAIN "+query)
			ok(t, err)
			var plan []string
			for rows.Next() {
				var line string
				ok(t, rows.Scan(&line))
				plan = append(plan, line)
			}
			ok(t, rows.Err())
			whole := strings.Join(plan, "\n")
			if n := strings.Count(whole, "on invoice"); n == 0 || n != strings.Count(whole, "Index Only Scan using invoice_owed")+strings.Count(whole, "Index Only Scan Backward using invoice_owed") {
				t.Errorf("plan does not read the index only:\n%s", whole)
			}
		}
	})
}

// TestMigrateDueDates computes the due dates of documents from before they were
// stored.
func TestMigrateDueDates(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		b := bill{kind: invoice.TaxInvoice, payable: "1", currency: "SAR", issued: "2026-12-15"}
		shop.bills(b)
		b.dueDays = 45
		shop.bills(b)
		b.simplified = true
		shop.bills(b)
		const dates = `SELECT count(*) FROM invoice WHERE due_date = '2027-01-29'`
		if n := s.count(dates); n != 1 {
			t.Fatalf("%d documents with a due date, want 1", n)
		}
		on := ""
		if s.config.URL != "" {
			on = " ON invoice"
		}
		s.execute(`DROP TRIGGER invoice_keeps_its_due_date` + on)
		s.execute(`UPDATE invoice SET due_date = NULL`)
		for _, statement := range s.migration("_statements.sql") {
			if strings.HasPrefix(statement, "UPDATE") {
				s.execute(statement)
			}
		}
		if n, all := s.count(dates), s.count(`SELECT count(*) FROM invoice WHERE due_date IS NOT NULL`); n != 1 || all != 1 {
			t.Errorf("%d of %d due dates are right, want 1 of 1", n, all)
		}
	})
}
