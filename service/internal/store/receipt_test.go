package store_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// till is a seller with a client.
type till struct {
	*seller
	client uuid.UUID
}

func (s *fixture) till() *till {
	s.t.Helper()
	c := sampleClient(s.config.NewID())
	ok(s.t, s.AddClient(s.ctx, s.by, c))
	return &till{s.seller(s.by), c.ID}
}

// toClient makes a document one for the client; uuid.Nil is no client.
func (t *till) toClient(e *issue.Entry) {
	if t.client == uuid.Nil {
		e.Invoice.Record.Buyer = nil
	} else {
		e.Invoice.Record.Buyer.ID = t.client
	}
	e.Words = wordsOf(e.Invoice)
}

// sells issues an invoice to the client.
func (t *till) sells(payable string) uuid.UUID {
	t.s.t.Helper()
	return t.issue(func(e *issue.Entry) {
		e.Invoice.Record.Totals.Payable, e.Invoice.Payment = decimalOf(payable), ledger.Pending
		t.toClient(e)
	}).ID
}

// credits issues a credit note. A simplified one is valid at once.
func (t *till) credits(original uuid.UUID, amount string, simplified bool) uuid.UUID {
	t.s.t.Helper()
	return t.issue(func(e *issue.Entry) {
		e.Invoice.Kind, e.Invoice.Transaction, e.Invoice.Payment = invoice.CreditNote, invoice.Transaction{Simplified: simplified}, ledger.Pending
		e.Invoice.Record.Buyer.ID = t.client
		e.Credits = []issue.Credit{{Original: original, Amount: decimalOf(amount), Rows: sampleRows}}
	}).ID
}

// owes checks what is owed for a document, and its payment status.
func (t *till) owes(id uuid.UUID, balance, refundDue string, status ledger.Payment) {
	t.s.t.Helper()
	all, err := t.s.Accounts(t.s.ctx, t.by.Tenant, []uuid.UUID{id})
	ok(t.s.t, err)
	i, err := t.s.Invoice(t.s.ctx, t.by.Tenant, id)
	ok(t.s.t, err)
	if a := all[id]; a.Balance.Fixed2() != balance || a.RefundDue.Fixed2() != refundDue || i.Payment != status {
		t.s.t.Errorf("balance %s, refund due %s, %s; want %s, %s, %s", a.Balance.Fixed2(), a.RefundDue.Fixed2(), i.Payment, balance, refundDue, status)
	}
	a, stored := all[id], payment.Of(i)
	if !a.Balance.Equal(stored.Balance) || !a.RefundDue.Equal(stored.RefundDue) || !a.SettledByCredit.Equal(stored.SettledByCredit) {
		t.s.t.Errorf("stored with invoice %s: %+v, computed from the rows: %+v", i.Number, stored, a)
	}
}

// hasCredit checks the credit of the client.
func (t *till) hasCredit(want string) {
	t.s.t.Helper()
	credit, err := t.s.ClientCredit(t.s.ctx, t.by.Tenant, t.client)
	ok(t.s.t, err)
	if got := credit["EUR"].Fixed2(); got != want || len(credit) > 1 {
		t.s.t.Errorf("credit %v, want EUR %s", credit, want)
	}
}

// hasCode checks the code of an error.
func hasCode(t testing.TB, err error, code fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Errorf("error %v, want the code %s", err, code)
	}
}

func TestReceipt_SplitOverInvoices(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		first, second := shop.sells("60.50"), shop.sells("100")
		r := sampleReceipt(s.config.NewID(), shop.client)
		r.Amount = decimalOf("150")
		filled(t, r.Details)
		wishes := []payment.Wish{{Document: first, Amount: decimalOf("60.50")}, {Document: second, Amount: decimalOf("20")}}
		recorded, err := s.AddReceipt(s.ctx, s.by, r, wishes, sampleKeyed)
		ok(t, err)

		r.Number = "RCT-2026-000001"
		want := payment.Recorded{Receipt: r, By: s.by.Name, At: s.config.Now(), Allocations: recorded.Allocations}
		same(t, want)(recorded, nil)
		same(t, recorded)(s.Receipt(s.ctx, s.by.Tenant, r.ID))
		if n := len(recorded.Allocations); n != 2 || recorded.Unused().Fixed2() != "69.50" {
			t.Errorf("%d allocations, %s unused; want 2 and 69.50", n, recorded.Unused().Fixed2())
		}
		shop.owes(first, "0.00", "0.00", ledger.Paid)
		shop.owes(second, "80.00", "0.00", ledger.PartiallyPaid)
		shop.hasCredit("69.50")

		// The rest pays the second invoice later.
		_, err = s.Allocate(s.ctx, s.by, r.ID, []payment.Wish{{Document: second, Amount: decimalOf("69.50")}})
		ok(t, err)
		shop.owes(second, "10.50", "0.00", ledger.PartiallyPaid)
		shop.hasCredit("0.00")
		_, err = s.Allocate(s.ctx, s.by, r.ID, []payment.Wish{{Document: second, Amount: decimalOf("0.01")}})
		hasCode(t, err, fault.PaymentExceedsRest)

		recorded, err = s.ReverseReceipt(s.ctx, s.by, r.ID, "typed twice")
		ok(t, err)
		same(t, &payment.Undo{Number: "RCT-2026-000002", Reason: "typed twice", By: s.by.Name, At: s.config.Now()})(recorded.Undone, nil)
		if n := len(payment.Live(recorded.Allocations)); n != 0 || len(recorded.Allocations) != 6 {
			t.Errorf("%d of %d allocations are live, want 0 of 6", n, len(recorded.Allocations))
		}
		shop.owes(first, "60.50", "0.00", ledger.Pending)
		shop.owes(second, "100.00", "0.00", ledger.Pending)
		shop.hasCredit("0.00")
		_, err = s.ReverseReceipt(s.ctx, s.by, r.ID, "again")
		hasCode(t, err, fault.ReceiptReversed)
		_, err = s.Allocate(s.ctx, s.by, r.ID, wishes)
		hasCode(t, err, fault.ReceiptReversed)
	})
}

func TestReceipts_PageAndFilters(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop, another := s.till(), s.till()
		first := shop.sells("100")
		one, two := s.pays(shop.client, first, "10"), s.pays(shop.client, first, "20")
		other := s.pays(another.client, another.sells("5"), "5")
		_, err := s.ReverseReceipt(s.ctx, s.by, one.ID, "typed twice")
		ok(t, err)
		list := func(f payment.Filter, page org.Page) (found []uuid.UUID, total int) {
			l, err := s.Receipts(s.ctx, s.by.Tenant, f, page)
			ok(t, err)
			for _, r := range l.Rows {
				if len(r.Allocations) == 0 {
					t.Errorf("receipt %s has no allocations in a list", r.Number)
				}
				found = append(found, r.ID)
			}
			return found, l.Total
		}
		page := org.Page{Size: 9, Number: 1}
		for name, c := range map[string]struct {
			f    payment.Filter
			page org.Page
			want []uuid.UUID
			all  int
		}{
			"all":             {payment.Filter{}, page, []uuid.UUID{other.ID, two.ID, one.ID}, 3},
			"the second page": {payment.Filter{}, org.Page{Size: 1, Number: 2}, []uuid.UUID{two.ID}, 3},
			"after a row":     {payment.Filter{}, org.Page{Size: 9, After: two.ID}, []uuid.UUID{one.ID}, 3},
			"of a client":     {payment.Filter{Client: another.client}, page, []uuid.UUID{other.ID}, 1},
			"of an invoice":   {payment.Filter{Invoice: first}, page, []uuid.UUID{two.ID, one.ID}, 2},
			"of nothing":      {payment.Filter{Client: uuid.Max}, page, nil, 0},
		} {
			if got, total := list(c.f, c.page); !slices.Equal(got, c.want) || total != c.all {
				t.Errorf("%s: %v of %d, want %v of %d", name, got, total, c.want, c.all)
			}
		}
	})
}

func TestReceipt_RefusalsWriteNothing(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop, another := s.till(), s.till()
		good, small, foreign := shop.sells("100"), shop.sells("1"), another.sells("100")
		rejected := shop.sells("100")
		ok(t, s.Answer(s.ctx, s.by.Tenant, rejected, ledger.NotCleared, instantOf(40)))
		note := shop.credits(good, "1", true)
		before := s.contents()
		for name, c := range map[string]struct {
			client  uuid.UUID
			second  uuid.UUID
			code    fault.Code
			another string // currency
		}{
			"more than the balance": {shop.client, small, fault.PaymentExceeds, "EUR"},
			"another client":        {shop.client, foreign, fault.PaymentClient, "EUR"},
			"a credit note":         {shop.client, note, fault.PaymentOnNote, "EUR"},
			"a rejected invoice":    {shop.client, rejected, fault.PaymentOnRejected, "EUR"},
			"another currency":      {shop.client, good, fault.PaymentCurrency, "USD"},
			"an unknown invoice":    {shop.client, uuid.Max, fault.ValidationFailed, "EUR"},
			"an unknown client":     {uuid.Max, good, fault.ValidationFailed, "EUR"},
		} {
			r := sampleReceipt(s.config.NewID(), c.client)
			r.Currency = c.another
			_, err := s.AddReceipt(s.ctx, s.by, r, []payment.Wish{{Document: good, Amount: decimalOf("2")}, {Document: c.second, Amount: decimalOf("2")}}, payment.Request{})
			if fault.CodeOf(err) != c.code {
				t.Errorf("%s: error %v, want the code %s", name, err, c.code)
			}
		}
		same(t, before)(s.contents(), nil)
	})
}

func TestReceipt_RepeatedRequest(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("100")
		r := sampleReceipt(s.config.NewID(), shop.client)
		wishes := []payment.Wish{{Document: id, Amount: decimalOf("40")}}
		first, err := s.AddReceipt(s.ctx, s.by, r, wishes, sampleKeyed)
		ok(t, err)
		r.ID = s.config.NewID()
		same(t, first)(s.AddReceipt(s.ctx, s.by, r, wishes, sampleKeyed))
		shop.owes(id, "60.00", "0.00", ledger.PartiallyPaid)
		_, err = s.AddReceipt(s.ctx, s.by, r, wishes, payment.Request{Key: sampleKeyed.Key, Digest: [32]byte{9}})
		hasCode(t, err, fault.PaymentKeyReused)
		if n := s.count(`SELECT count(*) FROM receipt`); n != 1 {
			t.Errorf("%d receipts, want 1", n)
		}
	})
}

func TestPayments_OtherOrganisationsFindNothing(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("100")
		r := s.pays(shop.client, id, "100")
		note := shop.credits(id, "10", true)
		f, err := s.AddRefund(s.ctx, s.by, sampleRefund(s.config.NewID(), note), payment.Request{})
		ok(t, err)
		before := s.contents()
		for _, of := range []org.Actor{s.other, {Kind: s.by.Kind, Name: s.by.Name}} {
			_, err := s.Receipt(s.ctx, of.Tenant, r.ID)
			refused(t, err, fault.NotFound, "Receipt not found")
			_, err = s.Refund(s.ctx, of.Tenant, f.ID)
			refused(t, err, fault.NotFound, "Refund not found")
			list, err := s.Receipts(s.ctx, of.Tenant, payment.Filter{}, org.Page{Size: 9, Number: 1})
			ok(t, err)
			credit, err := s.ClientCredit(s.ctx, of.Tenant, shop.client)
			ok(t, err)
			all, err := s.Accounts(s.ctx, of.Tenant, []uuid.UUID{id, note})
			ok(t, err)
			if len(list.Rows)+list.Total+len(credit)+len(all) != 0 {
				t.Errorf("found %v, %v, %v; want nothing", list, credit, all)
			}
			own := sampleReceipt(s.config.NewID(), uuid.Nil)
			for name, write := range map[string]func() error{
				"AddReceipt": func() error {
					_, err := s.AddReceipt(s.ctx, of, own, []payment.Wish{{Document: id, Amount: own.Amount}}, payment.Request{})
					return err
				},
				"Allocate":       func() error { _, err := s.Allocate(s.ctx, of, r.ID, nil); return err },
				"ReverseReceipt": func() error { _, err := s.ReverseReceipt(s.ctx, of, r.ID, "why"); return err },
				"AddRefund": func() error {
					_, err := s.AddRefund(s.ctx, of, sampleRefund(s.config.NewID(), note), payment.Request{})
					return err
				},
				"ReverseRefund": func() error { _, err := s.ReverseRefund(s.ctx, of, f.ID, "why"); return err },
			} {
				if err := write(); err == nil {
					t.Errorf("%s succeeded, want an error", name)
				}
			}
		}
		same(t, before)(s.contents(), nil)
	})
}

// The numbers begin anew with the year in Riyadh, and go on if the clock was set
// back.
func TestReceiptNumbers_YearInRiyadh(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		c.Now = func() time.Time { return time.Date(2026, 12, 31, 21, 0, 0, 0, time.UTC) }
		s := open(t, c)
		shop := s.till()
		id := shop.sells("100")
		s.execute(`INSERT INTO receipt_series (org_id, kind, year, last) VALUES ($1, 'RCT', 2026, 41)`, s.by.Tenant.ID())
		got := []string{s.pays(shop.client, id, "1").Number, s.pays(shop.client, id, "1").Number}
		s.execute(`UPDATE receipt_series SET year = 2028, last = 7`)
		got = append(got, s.pays(shop.client, id, "1").Number)
		if want := []string{"RCT-2027-000001", "RCT-2027-000002", "RCT-2028-000008"}; !slices.Equal(got, want) {
			t.Errorf("numbers %v, want %v", got, want)
		}
	})
}

// TestPayments_50ConcurrentNeverExceedTheBalance records 50 payments at once that
// together exceed the balance.
func TestPayments_50ConcurrentNeverExceedTheBalance(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("100")
		errs := atOnce(50, func(n int) error {
			r := sampleReceipt(s.config.NewID(), shop.client)
			r.Amount = decimalOf("3")
			_, err := s.AddReceipt(s.ctx, s.by, r, []payment.Wish{{Document: id, Amount: r.Amount}}, payment.Request{Key: fmt.Sprint("payment ", n)})
			return err
		})
		paid := 0
		for _, err := range errs {
			if err == nil {
				paid++
			} else {
				hasCode(t, err, fault.PaymentExceeds)
			}
		}
		if paid != 33 {
			t.Errorf("%d payments were recorded, want 33", paid)
		}
		shop.owes(id, "1.00", "0.00", ledger.PartiallyPaid)
		if numbers := s.texts(`SELECT number FROM receipt ORDER BY number`); len(numbers) != 33 || numbers[32] != "RCT-2026-000033" {
			t.Errorf("numbers %v, want 33 without a gap", numbers)
		}
	})
}

// TestPayments_ConcurrentSplitsInOppositeOrder pays two invoices from both ends,
// while credit notes are issued on them.
func TestPayments_ConcurrentSplitsInOppositeOrder(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		ids := []uuid.UUID{shop.sells("100"), shop.sells("100")}
		var issuing sync.Mutex // one device issues one document after the other
		errs := atOnce(50, func(n int) error {
			if n%10 == 0 {
				issuing.Lock()
				defer issuing.Unlock()
				shop.credits(ids[n/10%2], "10", true)
				return nil
			}
			r := sampleReceipt(s.config.NewID(), shop.client)
			r.Amount = decimalOf("10")
			_, err := s.AddReceipt(s.ctx, s.by, r, []payment.Wish{{Document: ids[n%2], Amount: decimalOf("5")}, {Document: ids[1-n%2], Amount: decimalOf("5")}}, payment.Request{Key: fmt.Sprint("payment ", n)})
			return err
		})
		for _, err := range errs {
			if err != nil {
				hasCode(t, err, fault.PaymentExceeds)
			}
		}
		all, err := s.Accounts(s.ctx, s.by.Tenant, ids)
		ok(t, err)
		for n, credited := range []string{"30.00", "20.00"} {
			received := s.count(`SELECT CAST(sum(amount) AS BIGINT) FROM allocation WHERE invoice_id = $1`, ids[n])
			a := all[ids[n]]
			if received > 100_00 || a.SettledByCredit.Fixed2() != credited {
				t.Errorf("invoice %d received %d hundredths, and credit notes settle %s; want at most 10000 and %s", n, received, a.SettledByCredit, credited)
			}
			if net := 100_00 - received - s.credited(ids[n]); a.Balance.Fixed2() != money.FromInt(int64(max(net, 0))).Mul(decimalOf("0.01")).Fixed2() {
				t.Errorf("invoice %d has the balance %s, want %d hundredths", n, a.Balance, net)
			}
		}
	})
}

// credited returns the sum of the credits on an invoice, in hundredths.
func (s *fixture) credited(id uuid.UUID) (sum int) {
	s.t.Helper()
	for _, amount := range s.texts(`SELECT amount FROM credit WHERE original_id = $1`, id) {
		var whole int
		_, err := fmt.Sscanf(decimalOf(amount).String(), "%d", &whole)
		ok(s.t, err)
		sum += whole * 100
	}
	return sum
}

// atOnce calls do concurrently and returns the errors. It repeats calls that the
// database did not accept in time.
func atOnce(n int, do func(int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			for range 10 {
				if errs[i] = do(i); fault.CodeOf(errs[i]) != fault.DatabaseUnavailable {
					return
				}
			}
		})
	}
	close(start)
	all.Wait()
	return errs
}
