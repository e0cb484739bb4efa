package issue_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
)

// outcome is the result of a request.
type outcome struct {
	ledger.Invoice
	err error
}

// together issues requests as one batch, in order: they queue while another
// document holds the lock. It must run in a synctest bubble.
func (s *shop) together(requests ...issue.Request) []outcome {
	s.t.Helper()
	held := make(chan struct{})
	var first sync.Once
	before := s.book.taking
	s.book.taking = func() { first.Do(func() { <-held }) }
	defer func() { s.book.taking = before }()

	outcomes := make([]outcome, len(requests)+1)
	var all sync.WaitGroup
	for n, r := range append([]issue.Request{standard(note("holds the book"), kind(386), from(secondDevice))}, requests...) {
		all.Go(func() { outcomes[n].Invoice, outcomes[n].err = s.issuer.Create(s.t.Context(), s.by, r) })
		synctest.Wait() // until it is queued, so that the order is fixed
	}
	close(held)
	all.Wait()
	if err := outcomes[0].err; err != nil {
		s.t.Fatalf("create the document that holds the lock: %v", err)
	}
	return outcomes[1:]
}

// Within a batch, numbers, counters and hashes follow the order of the
// requests, and a refused request consumes nothing.
func TestBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		got := s.together(
			standard(note("a")),
			standard(items(chairs, "11")), // refused
			standard(note("b"), from(secondDevice)),
			standard(note("c")),
		)
		same(t, "batches", len(s.book.batches), 2)
		same(t, "refusal", refusalOf(got[1].err), "stock")
		for n, want := range map[int]string{0: "INV-2026-000001 1", 2: "INV-2026-000002 2", 3: "INV-2026-000003 2"} {
			same(t, "place", fmt.Sprint(got[n].Number, " ", got[n].Counter), want)
		}
		same(t, "chain", got[3].PreviousHash, got[0].Hash)
		same(t, "chain of the other device", got[2].PreviousHash, s.book.entries[0].Invoice.Hash)
		var order []string
		for _, e := range s.book.batches[1].Invoices {
			order = append(order, e.Invoice.Number)
		}
		same(t, "order", strings.Join(order, " "), "INV-2026-000001 INV-2026-000002 INV-2026-000003")
		same(t, "devices that are written", len(s.book.batches[1].Devices), 2)
		same(t, "usage", s.book.used, 4)
	})
}

// A batch writes only the devices that issued a document.
func TestBatchLeavesOtherDevices(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		s.together(standard(), standard(from(secondDevice), items(chairs, "11")))
		same(t, "devices", len(s.book.batches[1].Devices), 1)
		same(t, "device", s.book.batches[1].Devices[0].ID, firstDevice)
	})
}

// Members of a batch see what earlier members consumed.
func TestBatchSharesWhatIsLeft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		prepare  func(*shop) []issue.Request
		refusals []string // empty if issued
	}{
		{"stock", func(*shop) []issue.Request {
			return []issue.Request{
				standard(items(chairs, "6")), standard(items(chairs, "5")), standard(items(chairs, "4")), standard(items(chairs, "0.000001")),
			}
		}, []string{"", "stock", "", "stock"}},
		{"stock that a credit note returns", func(s *shop) []issue.Request {
			sale := s.accepted(items(chairs, "10"))
			return []issue.Request{
				standard(items(chairs, "1")), standard(corrects(381, sale.ID), items(chairs, "2")), standard(items(chairs, "2")), standard(items(chairs, "1"), note("late")),
			}
		}, []string{"stock", "", "", "stock"}},
		{"credits", func(s *shop) []issue.Request {
			sale := s.accepted().ID
			return []issue.Request{
				standard(corrects(381, sale), priced("70")), standard(corrects(381, sale), priced("30.01")), standard(corrects(381, sale), priced("30")),
			}
		}, []string{"", "credit above the original", ""}},
		{"credits over several originals", func(s *shop) []issue.Request {
			a, b := s.accepted(note("a")).ID, s.accepted(note("b")).ID
			return []issue.Request{
				standard(corrects(381, a, b), priced("150")), standard(corrects(381, a), priced("0.01")), standard(corrects(381, b), priced("50.01")), standard(corrects(381, b), priced("50")),
			}
		}, []string{"", "credit above the original", "credit above the original", ""}},
		{"credits of an advance, by category", func(s *shop) []issue.Request {
			a := s.accepted(kind(386), lines(line(), zero("100"))).ID
			return []issue.Request{
				standard(corrects(381, a), priced("60")), standard(corrects(381, a), priced("41")), standard(corrects(381, a), lines(zero("100"))), standard(corrects(381, a), priced("40")),
			}
		}, []string{"", "credit of an advance by category", "", ""}},
		{"an advance", func(s *shop) []issue.Request {
			a := s.accepted(kind(386)).ID
			return []issue.Request{standard(deducts(a), priced("60")), standard(deducts(a), note("rest")), standard(deducts(a), note("again"))}
		}, []string{"", "", "advance spent"}},
		{"the same data", func(*shop) []issue.Request {
			return []issue.Request{standard(), standard(), key(standard(), "k"), standard(note("other"))}
		}, []string{"", "duplicate", "", ""}},
		{"a key with other data", func(*shop) []issue.Request {
			return []issue.Request{key(standard(), "k"), key(standard(note("other")), "k"), key(standard(note("other")), "l")}
		}, []string{"", "idempotency key", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := open(t)
				got := s.together(c.prepare(s)...)
				for n, want := range c.refusals {
					refusal := ""
					if got[n].err != nil {
						refusal = refusalOf(got[n].err)
					}
					same(t, fmt.Sprint(n), refusal, want)
				}
				one := s.book.batches[len(s.book.batches)-1].Invoices
				same(t, "documents of the batch", len(one), len(slices.DeleteFunc(c.refusals, func(r string) bool { return r != "" })))
			})
		})
	}
}

// If a credit note and an invoice that deducts the same advance are in one
// batch, the invoice is computed again.
func TestBatchCreditsAnAdvanceThatIsDeducted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		advance := s.accepted(kind(386)).ID
		got := s.together(standard(corrects(381, advance), priced("40")), standard(deducts(advance)))
		if got[1].err != nil {
			t.Fatal(got[1].err)
		}
		amounts(t, "prepaid", got[1].Record.Totals.Prepaid, "69")
		same(t, "batches", len(s.book.batches), 3) // the advance, the first document, the credit with the invoice
	})
}

// The monthly allowance also applies within a batch.
func TestBatchAndAllowance(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		s.book.plan.Invoices = 3 // the first document uses one of them
		got := s.together(standard(note("a")), standard(items(chairs, "11")), standard(note("b")), standard(note("c")))
		same(t, "refused for its stock", refusalOf(got[1].err), "stock")
		same(t, "kind", fault.KindOf(got[3].err), fault.Forbidden)
		same(t, "usage", faultOf(t, got[3].err).Fields["current_usage"], any(3))
		if got[0].err != nil || got[2].err != nil {
			t.Errorf("requests within the allowance: errors %v, %v; want none", got[0].err, got[2].err)
		}
	})
}

// Requests with the same key and data in one batch create one document, which
// all of them return.
func TestBatchWithOneKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		r := key(standard(items(chairs, "10")), "k")
		got := s.together(r, r, r)
		for n, o := range got {
			if o.err != nil {
				t.Fatal(o.err)
			}
			same(t, fmt.Sprint(n, ": number"), o.Number, "INV-2026-000001")
			same(t, fmt.Sprint(n, ": id"), o.ID, got[0].ID)
			if o.Hash == "" || o.QR == "" {
				t.Errorf("request %d: Hash or QR is missing", n)
			}
		}
		same(t, "documents of the batch", len(s.book.batches[1].Invoices), 1)
		amounts(t, "stock", *s.book.items[chairs].Stock, "0")
	})
}

// The refusal of a duplicate within a batch contains the location of the first
// document.
func TestBatchOfDuplicates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		got := s.together(standard(), standard())
		e := faultOf(t, got[1].err)
		same(t, "location", e.Fields["location"], any(issue.Location(got[0].ID)))
		if !strings.Contains(e.Message, "wait 300 seconds") {
			t.Errorf("message %q, want one with \"wait 300 seconds\"", e.Message)
		}
	})
}

// A batch has at most 64 documents; the rest go into the next one.
func TestBatchSize(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		var requests []issue.Request
		for n := range 66 {
			requests = append(requests, standard(simplified, note(fmt.Sprint(n))))
		}
		got := s.together(requests...)
		var sizes []int
		for _, b := range s.book.batches {
			sizes = append(sizes, len(b.Invoices))
		}
		same(t, "sizes", fmt.Sprint(sizes), "[1 64 2]")
		for n, o := range got {
			same(t, "number", o.Number, fmt.Sprintf("INV-2026-%06d", n+1))
		}
	})
}

// Requests that arrive while a batch waits for the lock are added to it, as many as
// its transaction has room for.
func TestBatchGrowsWhileItWaits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		documents, bytes int
		want             string
	}{
		{64, 1 << 20, "[5]"},
		{2, 1 << 20, "[3 2]"},
		{64, 15_000, "[3 2]"}, // 7,000 for a document of one line
		{1, 1 << 20, "[2 3]"},
		{0, 1 << 20, "[1 4]"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := open(t)
			s.book.adding = func() (int, int) { return c.documents, c.bytes }
			got := s.together(standard(note("a")), standard(note("b"), from(secondDevice)), key(standard(note("c")), "k"), key(standard(note("c")), "k"), standard(items(chairs, "1")))
			var sizes []int
			for _, b := range s.book.batches {
				sizes = append(sizes, len(b.Invoices))
			}
			for n, o := range got {
				if o.err != nil {
					t.Errorf("request %d: %v", n, o.err)
				}
			}
			same(t, "documents", len(s.book.entries), 5)
			same(t, "the same key", got[3].Number, got[2].Number)
			same(t, "sizes", fmt.Sprint(sizes), c.want)
		})
	}
}

// Documents that were added to a batch keep their outcomes if its transaction fails:
// all are written one by one, or looked for if the outcome of the commit is unknown.
func TestGrownBatchFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failure error
		lost    bool
		want    string
	}{
		"it cannot be written":                  {errors.New("no"), true, "[1 1 1]"},
		"the outcome is unknown, it is written": {issue.ErrUnknown, false, "[3]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := open(t)
				s.book.adding = func() (int, int) { return 64, 1 << 20 }
				s.book.commit, s.book.lost = failing(c.failure), c.lost
				got := s.together(standard(note("a")), standard(note("b")))
				var sizes []int
				for _, b := range s.book.batches {
					sizes = append(sizes, len(b.Invoices))
				}
				same(t, "sizes", fmt.Sprint(sizes), c.want)
				for n, o := range got {
					if o.err != nil || o.Counter != int64(n+1) {
						t.Errorf("request %d: counter %d, error %v; want %d and none", n, o.Counter, o.err, n+1)
					}
				}
			})
		})
	}
}

// Close finishes the queued requests and refuses later ones.
func TestClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		held := make(chan struct{})
		s.book.taking = func() { <-held }
		var got outcome
		go func() { got.Invoice, got.err = s.issuer.Create(t.Context(), s.by, standard()) }()
		synctest.Wait()
		closed := false
		go func() { s.issuer.Close(); closed = true }()
		synctest.Wait()
		same(t, "closed while a request waits", closed, false)
		_, err := s.issuer.Create(t.Context(), s.by, standard(note("late")))
		same(t, "kind", fault.KindOf(err), fault.Unavailable)
		close(held)
		synctest.Wait()
		same(t, "closed", closed, true)
		same(t, "number of the waiting request", got.Number, "INV-2026-000001")
		same(t, "documents", len(s.book.entries), 1)
	})
}
