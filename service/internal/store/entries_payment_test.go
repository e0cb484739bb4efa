package store_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/share"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// replaces issues an invoice from a draft that corrects a rejected one.
func (t *till) replaces(rejected uuid.UUID, change func(*issue.Entry)) (uuid.UUID, error) {
	t.s.t.Helper()
	d := sampleDraft(t.s.config.NewID())
	d.Corrects = &rejected
	ok(t.s.t, t.s.AddDraft(t.s.ctx, t.by, d))
	written, err := t.append(func(e *issue.Entry) {
		e.Invoice.Payment, e.Draft = ledger.Pending, d.ID
		t.toClient(e)
		change(e)
	})
	if err != nil {
		return uuid.Nil, err
	}
	id := written[0].Invoice.ID
	t.s.folder(d, func(f *share.Folder) { f.Invoice = &id })
	return id, nil
}

// rejects issues an invoice that is paid and then rejected.
func (t *till) rejects(payable, paid string) uuid.UUID {
	t.s.t.Helper()
	id := t.sells(payable)
	t.s.pays(t.client, id, paid)
	ok(t.s.t, t.s.Answer(t.s.ctx, t.by.Tenant, id, ledger.NotCleared, instantOf(40)))
	return id
}

// held checks what is held for a rejected invoice.
func (t *till) held(id uuid.UUID, want string) {
	t.s.t.Helper()
	all, err := t.s.Accounts(t.s.ctx, t.by.Tenant, []uuid.UUID{id})
	ok(t.s.t, err)
	if got := all[id].Held.Fixed2(); got != want {
		t.s.t.Errorf("%s is held, want %s", got, want)
	}
}

func payableOf(amount string) func(*issue.Entry) {
	return func(e *issue.Entry) { e.Invoice.Record.Totals.Payable = decimalOf(amount) }
}

// TestReplacement_GetsThePayment moves a payment along two replacements. What the
// second does not need is credit of the client.
func TestReplacement_GetsThePayment(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		first := shop.rejects("100", "90")
		shop.owes(first, "0.00", "0.00", ledger.PartiallyPaid)
		shop.held(first, "90.00")
		second, err := shop.replaces(first, payableOf("115"))
		ok(t, err)
		shop.owes(first, "0.00", "0.00", ledger.Pending)
		shop.held(first, "0.00")
		shop.owes(second, "25.00", "0.00", ledger.PartiallyPaid)
		shop.hasCredit("0.00")

		ok(t, s.Answer(s.ctx, s.by.Tenant, second, ledger.NotCleared, instantOf(41)))
		third, err := shop.replaces(second, payableOf("80"))
		ok(t, err)
		shop.owes(second, "0.00", "0.00", ledger.Pending)
		shop.owes(third, "0.00", "0.00", ledger.Paid)
		shop.hasCredit("10.00")
		if n := s.count(`SELECT count(*) FROM event WHERE action = 'receipt.move'`); n != 2 {
			t.Errorf("%d moves in the audit trail, want 2", n)
		}

		// A reversal takes back the payment where it is now.
		list, err := s.Receipts(s.ctx, s.by.Tenant, payment.Filter{Invoice: third}, org.Page{Size: 9, Number: 1})
		ok(t, err)
		_, err = s.ReverseReceipt(s.ctx, s.by, list.Rows[0].ID, "bounced")
		ok(t, err)
		shop.owes(third, "80.00", "0.00", ledger.Pending)
		shop.owes(first, "0.00", "0.00", ledger.Pending)
		shop.hasCredit("0.00")
	})
}

// TestReplacement_WithoutClient holds what the replacement does not need: it can be
// credit of nobody.
func TestReplacement_WithoutClient(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		shop.client = uuid.Nil
		first := shop.rejects("100", "100")
		second, err := shop.replaces(first, payableOf("60"))
		ok(t, err)
		shop.owes(second, "0.00", "0.00", ledger.Paid)
		shop.held(first, "40.00")
		if r := s.texts(`SELECT CAST(amount AS TEXT) FROM allocation ORDER BY id`); len(r) != 4 {
			t.Errorf("allocations %v, want the first, its reversal, and two parts", r)
		}
	})
}

// TestReplacement_PaidOnIssue writes a receipt only over what the moved payment leaves.
func TestReplacement_PaidOnIssue(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		for _, c := range []struct {
			payable  string
			receipts int
		}{{"100", 0}, {"130", 1}, {"0", 0}} {
			before := s.count(`SELECT count(*) FROM receipt`)
			id, err := shop.replaces(shop.rejects("100", "100"), func(e *issue.Entry) {
				payableOf(c.payable)(e)
				e.Paid = true
			})
			ok(t, err)
			if n := s.count(`SELECT count(*) FROM receipt`) - before - 1; n != c.receipts {
				t.Errorf("payable %s: %d new receipts, want %d", c.payable, n, c.receipts)
			}
			if c.payable != "0" {
				shop.owes(id, "0.00", "0.00", ledger.Paid)
			}
		}
		shop.hasCredit("100.00")
	})
}

// TestReplacement_OfDamagedInvoice issues the replacement; the payment stays.
func TestReplacement_OfDamagedInvoice(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		first := shop.rejects("100", "100")
		s.unprotected()
		s.execute(`UPDATE document SET record = '{}' WHERE invoice_id = $1`, first.String())
		second, err := shop.replaces(first, payableOf("60"))
		ok(t, err)
		shop.owes(second, "60.00", "0.00", ledger.Pending)
	})
}

// TestPaidOnIssue_IsOneTransaction ends the transaction at each step. The document,
// its receipt and the moved payment are written together or not at all.
func TestPaidOnIssue_IsOneTransaction(t *testing.T) {
	errCut := errors.New("cut off")
	for step, written := range map[string]bool{"batch written": false, "receipts written": false, "commit": false, "committed": true} {
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
				shop := s.till()
				first := shop.rejects("100", "90")
				before := s.count(`SELECT count(*) FROM invoice`)
				cut := func(e *issue.Entry) {
					payableOf("100")(e)
					e.Paid, armed = true, true
				}
				if _, err := shop.replaces(first, cut); !errors.Is(err, errCut) {
					t.Fatalf("error %v, want the cut at %q", err, step)
				}
				documents := s.count(`SELECT count(*) FROM invoice`) - before
				got := []int{documents, s.count(`SELECT count(*) FROM receipt`) - 1, s.count(`SELECT count(*) FROM allocation WHERE cause = 'moved'`)}
				want := []int{0, 0, 0}
				if written {
					want = []int{1, 1, 2}
				}
				same(t, want)(got, nil)
				if !written {
					shop.held(first, "90.00")
				}
			})
		})
	}
}
