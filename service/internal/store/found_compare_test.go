package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
)

// TestSearch_EqualsScan compares searches of random invoices with a scan of all of
// them. The limits make each way to search apply to few invoices.
func TestSearch_EqualsScan(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		random := rand.New(rand.NewPCG(1, 2))
		s.randomInvoices(random, s.other, 40)
		all := s.randomInvoices(random, s.by, 160)
		for _, l := range []struct{ found, buyers, newest, few int }{
			{org.Found, 5_000, 20_000, 20_000},
			{7, 5_000, 12, 9},
			{7, 2, 5, 3},
			{4, 5_000, 3, 1_000},
			{25, 5_000, 1, 0},
		} {
			store.LimitSearch(s.Store, l.found, l.buyers, l.newest, l.few)
			for range testtool.Scale(12, 30, 30) {
				filter, wants := randomFilter(random, all)
				filter.Search = randomSearch(random, all)
				page := org.Page{Size: 1 + random.IntN(6), Number: 1 + random.IntN(4)}
				want := []uuid.UUID{}
				for _, e := range slices.Backward(all) {
					if wants(e.Invoice) && matches(e, filter.Search) {
						want = append(want, e.Invoice.ID)
					}
				}
				what := fmt.Sprintf("limits %v, filter %+v", l, filter)
				s.comparePages(what, filter, page, want, l.found)
			}
		}
	})
}

// comparePages compares a page by number and the page after it, by cursor, with the
// ids of all matches.
func (s *fixture) comparePages(what string, f ledger.Filter, page org.Page, all []uuid.UUID, counted int) {
	s.t.Helper()
	from := min(page.Skip(), len(all))
	for {
		list, err := s.Invoices(s.ctx, s.by.Tenant, f, page)
		ok(s.t, err)
		got := []uuid.UUID{}
		for _, i := range list.Rows {
			got = append(got, i.ID)
		}
		end := min(from+page.Size, len(all))
		next := uuid.Nil
		if end < len(all) {
			next = all[end-1]
		}
		if !slices.Equal(got, all[from:end]) || list.Total != min(len(all), counted) || list.Capped != (len(all) > counted) || list.Next != next {
			s.t.Fatalf("%s, page %+v: got %v, total %d, capped %v, next %s; want %v, total %d of %d, next %s",
				what, page, got, list.Total, list.Capped, list.Next, all[from:end], min(len(all), counted), len(all), next)
		}
		if next == uuid.Nil || page.After != uuid.Nil {
			return
		}
		page.After, from = next, end
	}
}

// randomInvoices issues invoices of an organisation to random buyers. Some buyers
// have many invoices, and some only old ones.
func (s *fixture) randomInvoices(random *rand.Rand, by org.Actor, n int) (written []issue.Entry) {
	s.t.Helper()
	kinds := []invoice.Kind{invoice.TaxInvoice, invoice.TaxInvoice, invoice.CreditNote}
	payments := []ledger.Payment{ledger.Pending, ledger.Paid}
	sellers := []*seller{s.seller(by), s.seller(by)}
	const batch = 20
	for from := 0; from < n; from += batch {
		var changes []func(*issue.Entry)
		for i := from; i < from+batch; i++ {
			buyer, day := random.IntN(1+random.IntN(24)), 1+i*28/n
			kind, payment := kinds[random.IntN(len(kinds))], payments[random.IntN(len(payments))]
			name := fmt.Sprintf("Buyer %02d", buyer)
			if i < n/3 {
				name = fmt.Sprintf("Former buyer %02d قديم", buyer)
			}
			changes = append(changes, func(e *issue.Entry) {
				named(name)(e)
				i := &e.Invoice
				i.Kind, i.Payment, i.IssueDate = kind, payment, fmt.Sprintf("2026-11-%02d", day)
				i.Record.Buyer.ID = uuid.UUID{0: 9, 15: byte(buyer)}
				if buyer == 3 {
					i.Record.Buyer = nil
				}
				e.Words = wordsOf(*i)
			})
		}
		entries, err := sellers[random.IntN(len(sellers))].append(changes...)
		ok(s.t, err)
		written = append(written, entries...)
	}
	for range n / 10 {
		ok(s.t, s.Answer(s.ctx, by.Tenant, written[random.IntN(n)].Invoice.ID, ledger.Cleared, instantOf(40)))
	}
	for n := range written {
		i := &written[n].Invoice
		stored, err := s.Invoice(s.ctx, by.Tenant, i.ID)
		ok(s.t, err)
		i.Status, i.Payment = stored.Status, stored.Payment
	}
	return written
}

// randomSearch returns a folded search for buyers or numbers.
func randomSearch(random *rand.Rand, all []issue.Entry) string {
	one := all[random.IntN(len(all))].Words
	searches := []string{
		"buyer", "former", "قديم", "عميل", "buyer 07", "former 1", "bu", "0", "nowhere", "inv2026", "inv20260000", "buyer nowhere",
		one.Number, one.Number[len("inv"):], strconv.Itoa(random.IntN(len(all))), one.Key, one.Key[:2],
	}
	return searches[random.IntN(len(searches))]
}

// randomFilter returns a filter, or none, and the function that selects the same
// invoices.
func randomFilter(random *rand.Rand, all []issue.Entry) (ledger.Filter, func(ledger.Invoice) bool) {
	one := all[random.IntN(len(all))].Invoice
	switch random.IntN(10) {
	case 0:
		return ledger.Filter{Statuses: []ledger.Status{ledger.Cleared}}, func(i ledger.Invoice) bool { return i.Status == ledger.Cleared }
	case 1:
		return ledger.Filter{Statuses: []ledger.Status{ledger.Unanswered, ledger.Reported}}, func(i ledger.Invoice) bool { return i.Status == ledger.Unanswered }
	case 2:
		return ledger.Filter{Kind: one.Kind, Payment: one.Payment}, func(i ledger.Invoice) bool { return i.Kind == one.Kind && i.Payment == one.Payment }
	case 3:
		return ledger.Filter{Device: one.Device}, func(i ledger.Invoice) bool { return i.Device == one.Device }
	case 4:
		return ledger.Filter{From: one.IssueDate}, func(i ledger.Invoice) bool { return i.IssueDate >= one.IssueDate }
	case 5:
		return ledger.Filter{From: "2026-11-03", To: one.IssueDate}, func(i ledger.Invoice) bool { return i.IssueDate >= "2026-11-03" && i.IssueDate <= one.IssueDate }
	case 6:
		buyer := uuid.UUID{0: 9, 15: byte(random.IntN(4))}
		return ledger.Filter{Buyer: buyer}, func(i ledger.Invoice) bool { return i.Record.Buyer != nil && i.Record.Buyer.ID == buyer }
	case 7:
		ids := []uuid.UUID{one.ID, all[0].Invoice.ID, all[1].Invoice.ID, uuid.Max}
		return ledger.Filter{IDs: ids}, func(i ledger.Invoice) bool { return slices.Contains(ids, i.ID) }
	}
	return ledger.Filter{}, func(ledger.Invoice) bool { return true }
}

// matches reports whether an invoice matches a folded search.
func matches(e issue.Entry, search string) bool {
	if strings.HasPrefix(e.Words.Number, search) || strings.HasPrefix(e.Words.Key, search) {
		return true
	}
	running := func(number string) bool {
		n, err := strconv.Atoi(number)
		tail, _ := strconv.Atoi(e.Words.Number[len("inv2026"):])
		return err == nil && n == tail
	}
	if strings.HasSuffix(e.Words.Number, search) && (running(search) || len(search) > 4 && running(search[4:])) {
		return true
	}
	if e.Words.Buyer == "" {
		return false
	}
	for word := range strings.FieldsSeq(search) {
		if len([]rune(word)) < 3 {
			word = " " + word
		}
		if !strings.Contains(" "+e.Words.Buyer, word) {
			return false
		}
	}
	return true
}
