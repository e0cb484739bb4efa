package store_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/money"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

func TestAppendCountsAndMovesStock(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		seller, item := s.seller(s.by), sampleItem(s.config.NewID())
		ok(t, s.AddItem(s.ctx, s.by, item))
		theirs := item
		ok(t, s.AddItem(s.ctx, s.other, theirs)) // same id: ids are unique only within an organisation
		left := decimalOf("3.5")
		ok(t, s.Append(s.ctx, s.by.Tenant, issue.Wants{At: s.config.Now(), Devices: []uuid.UUID{seller.device}}, func(d *issue.State) (*issue.Entries, error) {
			e := sampleEntry(s, s.by, d.Devices[seller.device], issue.Series{Year: 2026, Last: 1})
			return &issue.Entries{Invoices: []issue.Entry{e}, Month: d.Usage.Month, Stock: map[uuid.UUID]money.Decimal{item.ID: left}}, nil
		}))
		item.Stock = &left
		same(t, item)(s.Item(s.ctx, s.by.Tenant, item.ID))
		same(t, theirs)(s.Item(s.ctx, s.other.Tenant, item.ID))
		for of, want := range map[org.Tenant]int{s.by.Tenant: 1, s.other.Tenant: 0} {
			used, err := s.Used(s.ctx, of, s.config.Now())
			if err != nil || used.Invoices != want {
				t.Errorf("invoices used = %d, %v, want %d", used.Invoices, err, want)
			}
		}
		s.tallied()
	})
}

// A batch that cannot be written completely is not written at all.
func TestFailedAppendWritesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		first := seller.issue(asIs)
		foreign := s.seller(s.other).issue(asIs)
		no := errors.New("no")
		before := s.contents()
		for name, change := range map[string]func(*issue.Entry){
			"used id":                         func(e *issue.Entry) { e.Invoice.ID = first.ID },
			"used number":                     func(e *issue.Entry) { e.Invoice.Number = first.Number },
			"used idempotency key":            func(e *issue.Entry) { e.Invoice.IdempotencyKey = first.IdempotencyKey },
			"used counter":                    func(e *issue.Entry) { e.Invoice.Counter = first.Counter },
			"used previous hash":              func(e *issue.Entry) { e.Invoice.PreviousHash = first.PreviousHash },
			"device of another organisation":  func(e *issue.Entry) { e.Invoice.Device = foreign.Device },
			"advance of another organisation": func(e *issue.Entry) { e.Deductions = []issue.Deduction{{Advance: foreign.ID}} },
			"no XML":                          func(e *issue.Entry) { e.XML = nil },
			"no actor":                        func(e *issue.Entry) { e.By = org.Actor{Tenant: s.by.Tenant} },
			"used link":                       func(e *issue.Entry) { e.Invoice.Share.Digest = first.Share.Digest },
			"unknown payment status":          func(e *issue.Entry) { e.Invoice.Payment = "" },
			"unknown VAT category":            func(e *issue.Entry) { e.Invoice.Record.Breakdown = []ledger.Subtotal{{Category: "X"}} },
		} {
			if _, err := seller.append(asIs, change); err == nil || errors.Is(err, issue.ErrUnknown) {
				t.Errorf("append with %s: %v, want an error", name, err)
			}
		}
		wants := issue.Wants{At: s.config.Now(), Devices: []uuid.UUID{seller.device}}
		if err := s.Append(s.ctx, s.by.Tenant, wants, func(*issue.State) (*issue.Entries, error) { return nil, no }); !errors.Is(err, no) {
			t.Errorf("append with a failing decision: %v, want %v", err, no)
		}
		s.taken(s.by.Tenant, wants) // a batch without documents
		same(t, before)(s.contents(), nil)
	})
}

// A batch may have more rows than fit into one statement, as may the ids asked
// for. TestItemsByID asks for more ids than SQLite accepts in one statement.
func TestAppendLargeBatch(t *testing.T) {
	many, unknown := testtool.Count(700, 1_300), testtool.Count(5_000, 40_000)
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		changes := slices.Repeat([]func(*issue.Entry){asIs}, many)
		written, err := s.seller(s.by).append(changes...)
		ok(t, err)
		wanted := map[uuid.UUID]bool{}
		var asked []uuid.UUID
		for _, e := range written {
			wanted[e.Invoice.ID] = true
			asked = append(asked, e.Invoice.ID)
		}
		for range unknown {
			asked = append(asked, s.config.NewID())
		}
		same(t, wanted)(s.Issued(s.ctx, s.by.Tenant, asked))
		last := written[many-1].Invoice
		same(t, last)(s.Invoice(s.ctx, s.by.Tenant, last.ID))
		s.tallied()
		for _, table := range []string{"invoice", "document", "submission", "share", "guard"} {
			if n := s.count(`SELECT count(*) FROM ` + table); n != many {
				t.Errorf("table %s has %d rows, want %d", table, n, many)
			}
		}
	})
}

func TestAppendOfManyAtATime(t *testing.T) {
	const sellers, each1 = 4, 6
	each(t, func(t *testing.T, s *fixture) {
		var at []*seller
		for range sellers {
			at = append(at, s.seller(s.by))
		}
		var all sync.WaitGroup
		for _, one := range append(at, at...) { // two goroutines for each device
			all.Go(func() {
				for range each1 {
					if _, err := one.append(asIs); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		const n = 2 * sellers * each1
		if got := s.count(`SELECT count(*) FROM invoice WHERE org_id = (SELECT org_id FROM book) `); got != n {
			t.Errorf("%d invoices were issued, want %d", got, n)
		}
		if last := s.count(`SELECT last FROM series`); last != n {
			t.Errorf("last number = %d, want %d", last, n)
		}
		if last := s.count(`SELECT min(counter) FROM chain`); last != 2*each1 {
			t.Errorf("lowest counter of a device = %d, want %d", last, 2*each1)
		}
		s.tallied()
	})
}

func TestIssuedOnlyFindsOwnDocuments(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		mine, theirs := s.seller(s.by).issue(asIs), s.seller(s.other).issue(asIs)
		both := []uuid.UUID{mine.ID, theirs.ID, uuid.Nil}
		same(t, map[uuid.UUID]bool{mine.ID: true})(s.Issued(s.ctx, s.by.Tenant, both))
		same(t, map[uuid.UUID]bool{theirs.ID: true})(s.Issued(s.ctx, s.other.Tenant, both))
		same(t, map[uuid.UUID]bool{})(s.Issued(s.ctx, s.by.Tenant, nil))
	})
}

// Append returns issue.ErrUnknown only if the documents may have been written.
func TestAppendWithUnknownOutcome(t *testing.T) {
	errCut := errors.New("cut off")
	for step, unknown := range map[string]bool{"decided": false, "audit trail written": false, "commit": false, "committed": true} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, c store.Config) {
				armed := false
				c.Point = func(reached string) error {
					if armed && reached == step {
						armed = false
						return errCut
					}
					return nil
				}
				s := open(t, c)
				seller := s.seller(s.by)
				armed = true
				written, err := seller.append(asIs)
				if !errors.Is(err, errCut) || errors.Is(err, issue.ErrUnknown) != unknown {
					t.Errorf("error after a failure at %q = %v, want unknown outcome: %t", step, err, unknown)
				}
				there, err := s.Issued(s.ctx, s.by.Tenant, []uuid.UUID{written[0].Invoice.ID})
				if err != nil || len(there) == 1 != unknown {
					t.Errorf("documents after a failure at %q = %v, %v, want written: %t", step, there, err, unknown)
				}
			})
		})
	}
}
