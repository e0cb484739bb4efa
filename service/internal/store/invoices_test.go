package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// sampleInvoices issues ten invoices of an organisation that differ in all
// fields of a filter.
func sampleInvoices(s *fixture, by org.Actor) (written []ledger.Invoice) {
	s.t.Helper()
	sellers := []*seller{s.seller(by), s.seller(by)}
	kinds := []invoice.Kind{invoice.TaxInvoice, invoice.CreditNote, invoice.DebitNote, invoice.AdvancePayment}
	sorts := []invoice.Transaction{{}, {Simplified: true}, {Export: true}}
	statuses := []ledger.Status{ledger.Unanswered, ledger.NoResponse, ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NotReported}
	buyers := []string{"Al Noor", "Horizon 50% off_", "النور للتجارة"}
	payments := []ledger.Payment{ledger.Pending, ledger.PartiallyPaid, ledger.Paid}
	for n := range 10 {
		i := sellers[n%2].issue(func(e *issue.Entry) {
			i := &e.Invoice
			i.Kind, i.Transaction, i.Payment = kinds[n%4], sorts[n%3], payments[(n+1)%3]
			i.IssueDate = fmt.Sprintf("2026-11-%02d", 10+n)
			if n%5 != 4 {
				buyer := sampleParty(uuid.UUID{15: byte(n % 3), 0: 9}, buyers[n%3])
				i.Record.Buyer = &buyer
			} else {
				i.Record.Buyer = nil
			}
			e.Words = wordsOf(*i)
		})
		if status := statuses[n%6]; status != ledger.Unanswered {
			ok(s.t, s.Answer(s.ctx, by.Tenant, i.ID, status, instantOf(50+n)))
			var err error
			i, err = s.Invoice(s.ctx, by.Tenant, i.ID)
			ok(s.t, err)
		}
		written = append(written, i)
	}
	return written
}

// filterCase is a filter and the function that selects the same invoices.
type filterCase struct {
	name   string
	filter ledger.Filter
	want   func(ledger.Invoice) bool
}

func filterCases(all []ledger.Invoice) []filterCase {
	after := instantOf(55)
	buyer := all[1].Record.Buyer.ID
	has := func(i ledger.Invoice, statuses ...ledger.Status) bool { return slices.Contains(statuses, i.Status) }
	return []filterCase{
		{"everything", ledger.Filter{}, func(ledger.Invoice) bool { return true }},
		{"one status", ledger.Filter{Statuses: []ledger.Status{ledger.Cleared}}, func(i ledger.Invoice) bool { return has(i, ledger.Cleared) }},
		{"no answer", ledger.Filter{Statuses: []ledger.Status{ledger.Unanswered}}, func(i ledger.Invoice) bool { return has(i, ledger.Unanswered) }},
		{"statuses", ledger.Filter{Statuses: []ledger.Status{ledger.NoResponse, ledger.NotCleared, ledger.NoResponse}}, func(i ledger.Invoice) bool { return has(i, ledger.NoResponse, ledger.NotCleared) }},
		{"a status or no answer", ledger.Filter{Statuses: []ledger.Status{ledger.Reported, ledger.Unanswered, ledger.NotReported}}, func(i ledger.Invoice) bool { return has(i, ledger.Reported, ledger.Unanswered, ledger.NotReported) }},
		{"kind", ledger.Filter{Kind: invoice.CreditNote}, func(i ledger.Invoice) bool { return i.Kind == invoice.CreditNote }},
		{"transaction", ledger.Filter{Transaction: "0200000"}, func(i ledger.Invoice) bool { return i.Transaction.Simplified }},
		{"device", ledger.Filter{Device: all[1].Device}, func(i ledger.Invoice) bool { return i.Device == all[1].Device }},
		{"buyer", ledger.Filter{Buyer: buyer}, func(i ledger.Invoice) bool { return i.Record.Buyer != nil && i.Record.Buyer.ID == buyer }},
		{"from", ledger.Filter{From: "2026-11-13"}, func(i ledger.Invoice) bool { return i.IssueDate >= "2026-11-13" }},
		{"to", ledger.Filter{To: "2026-11-13"}, func(i ledger.Invoice) bool { return i.IssueDate <= "2026-11-13" }},
		{"payment", ledger.Filter{Payment: ledger.PartiallyPaid}, func(i ledger.Invoice) bool { return i.Payment == ledger.PartiallyPaid }},
		{"ids", ledger.Filter{IDs: []uuid.UUID{all[7].ID, uuid.Max, all[2].ID, all[7].ID}}, func(i ledger.Invoice) bool { return i.ID == all[2].ID || i.ID == all[7].ID }},
		{"answered after", ledger.Filter{AnsweredAfter: &after}, func(i ledger.Invoice) bool { return i.AnsweredAt != nil && i.AnsweredAt.After(after) }},
		{"unknown device", ledger.Filter{Device: uuid.Max}, func(ledger.Invoice) bool { return false }},
		{"all conditions", ledger.Filter{
			Statuses: []ledger.Status{ledger.Unanswered, ledger.Reported}, Kind: all[3].Kind, Transaction: all[3].Transaction.String(), Device: all[3].Device,
			Buyer: all[3].Record.Buyer.ID, From: all[3].IssueDate, To: all[3].IssueDate, Payment: all[3].Payment, IDs: []uuid.UUID{all[3].ID}, AnsweredAfter: beforeAll(),
		}, func(i ledger.Invoice) bool { return i.ID == all[3].ID }},
	}
}

func beforeAll() *time.Time { t := instantOf(0); return &t }

// searches maps each search to the function that selects its matches.
func searches(all []ledger.Invoice) map[string]func(ledger.Invoice) bool {
	named := func(name string) func(ledger.Invoice) bool {
		return func(i ledger.Invoice) bool { return i.Record.Buyer != nil && i.Record.Buyer.Name == name }
	}
	return map[string]func(ledger.Invoice) bool{
		"":                    func(ledger.Invoice) bool { return true },
		all[4].Number:         func(i ledger.Invoice) bool { return i.ID == all[4].ID },
		"2026-000005":         func(i ledger.Invoice) bool { return i.Number == "INV-2026-000005" },
		all[6].ID.String():    func(i ledger.Invoice) bool { return i.ID == all[6].ID },
		all[8].IdempotencyKey: func(i ledger.Invoice) bool { return i.ID == all[8].ID },
		"AL NOOR":             named("Al Noor"),
		"oriz 50%":            named("Horizon 50% off_"),
		"off_":                named("Horizon 50% off_"),
		"ho":                  named("Horizon 50% off_"),
		"النُّور":             named("النور للتجارة"),
		"311111111111113":     func(i ledger.Invoice) bool { return i.Record.Buyer != nil },
		"000005":              func(i ledger.Invoice) bool { return strings.HasSuffix(i.Number, "-000005") },
		"7":                   func(i ledger.Invoice) bool { return strings.HasSuffix(i.Number, "-000007") },
		"INV-2026":            func(i ledger.Invoice) bool { return strings.HasPrefix(i.Number, "INV-2026") },
		"nobody":              func(ledger.Invoice) bool { return false },
		"noor horizon":        func(ledger.Invoice) bool { return false },
	}
}

func TestInvoicesAreFilteredAndSearched(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		sampleInvoices(s, s.other) // the same names and numbers
		all := sampleInvoices(s, s.by)
		for _, f := range filterCases(all) {
			for search, finds := range searches(all) {
				if f.name != "everything" && !slices.Contains([]string{"", "AL NOOR", "311111111111113"}, search) {
					continue
				}
				t.Run(f.name+" "+search, func(t *testing.T) {
					f.filter.Search = trade.Fold(search)
					want := []ledger.Invoice{}
					for _, i := range slices.Backward(all) {
						if f.want(i) && finds(i) {
							want = append(want, i)
						}
					}
					if search == "" && len(want) == 0 && f.name != "unknown device" {
						t.Fatal("no invoice matches the filter")
					}
					list := org.List[ledger.Invoice]{Rows: want, Total: len(want)}
					same(t, list)(s.Invoices(s.ctx, s.by.Tenant, f.filter, org.Page{Size: 20, Number: 1}))
					byPages(t, s, f.filter, want)
				})
			}
		}
	})
}

// byPages reads a filtered list in pages of three, by number and by cursor.
func byPages(t *testing.T, s *fixture, f ledger.Filter, all []ledger.Invoice) {
	t.Helper()
	want := []uuid.UUID{}
	for _, i := range all {
		want = append(want, i.ID)
	}
	filtered := pagedList{list: func(s *fixture, of org.Tenant, page org.Page) (org.List[uuid.UUID], error) {
		list, err := s.Invoices(s.ctx, of, f, page)
		return ids(list, func(i ledger.Invoice) uuid.UUID { return i.ID }), err
	}}
	readByPages(t, s, filtered, want, 3)
}

// A search can only be continued after an invoice of the organisation.
func TestSearchWithInvalidCursor(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.seller(s.by).issue(asIs)
		foreign := s.seller(s.other).issue(asIs)
		for _, after := range []uuid.UUID{foreign.ID, uuid.Max} {
			_, err := s.Invoices(s.ctx, s.by.Tenant, ledger.Filter{Search: "noor"}, org.Page{Size: 9, Number: 1, After: after})
			if fault.KindOf(err) != fault.Invalid {
				t.Errorf("search after an unknown invoice: %v, want an error of kind Invalid", err)
			}
		}
	})
}

// An idempotency key that is a UUID is found by a search, like the id of an
// invoice.
func TestSearchForUUIDs(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		const key = "5F3C9A52-6E1B-4C0B-9D57-2A1E8C4B7F10"
		seller := s.seller(s.by)
		keyed := seller.issue(func(e *issue.Entry) {
			e.Invoice.IdempotencyKey = key
			e.Words = wordsOf(e.Invoice)
		})
		plain := seller.issue(asIs)
		for search, want := range map[string]ledger.Invoice{key: keyed, keyed.ID.String(): keyed, plain.ID.String(): plain} {
			list := org.List[ledger.Invoice]{Rows: []ledger.Invoice{want}, Total: 1}
			same(t, list)(s.Invoices(s.ctx, s.by.Tenant, ledger.Filter{Search: trade.Fold(search)}, org.Page{Size: 9, Number: 1}))
			same(t, org.List[ledger.Invoice]{Rows: []ledger.Invoice{}})(s.Invoices(s.ctx, s.other.Tenant, ledger.Filter{Search: trade.Fold(search)}, org.Page{Size: 9, Number: 1}))
		}
	})
}
