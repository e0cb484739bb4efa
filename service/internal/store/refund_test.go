package store_test

import (
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/payment"
)

func TestRefund_OnceTheNoteIsValid(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("100")
		s.pays(shop.client, id, "100")
		note := shop.credits(id, "30", false)
		shop.owes(note, "0.00", "0.00", ledger.Pending)
		f := sampleRefund(s.config.NewID(), note)
		f.Amount = decimalOf("20.50")
		_, err := s.AddRefund(s.ctx, s.by, f, sampleKeyed)
		hasCode(t, err, fault.RefundTooEarly)

		ok(t, s.Answer(s.ctx, s.by.Tenant, note, ledger.Cleared, instantOf(40)))
		shop.owes(note, "0.00", "30.00", ledger.Pending)
		recorded, err := s.AddRefund(s.ctx, s.by, f, sampleKeyed)
		ok(t, err)
		filled(t, f.Details)
		f.Number, f.Parts = "RFD-2026-000001", []payment.Part{{Original: id, Amount: decimalOf("20.50")}}
		same(t, payment.RecordedRefund{Refund: f, By: s.by.Name, At: s.config.Now()})(recorded, nil)
		same(t, recorded)(s.Refund(s.ctx, s.by.Tenant, f.ID))
		shop.owes(note, "0.00", "9.50", ledger.PartiallyPaid)
		shop.owes(id, "0.00", "0.00", ledger.Paid)

		again := f
		again.ID = s.config.NewID()
		same(t, recorded)(s.AddRefund(s.ctx, s.by, again, sampleKeyed))
		_, err = s.AddRefund(s.ctx, s.by, again, payment.Request{Key: sampleKeyed.Key})
		hasCode(t, err, fault.PaymentKeyReused)
		again.Amount = decimalOf("9.51")
		_, err = s.AddRefund(s.ctx, s.by, again, payment.Request{})
		hasCode(t, err, fault.RefundExceeds)
		again.Amount = decimalOf("9.50")
		_, err = s.AddRefund(s.ctx, s.by, again, payment.Request{})
		ok(t, err)
		shop.owes(note, "0.00", "0.00", ledger.Paid)

		events, err := s.Events(s.ctx, s.by.Tenant, 1)
		ok(t, err)
		if e := events[0]; e.Action != "refund.create" || e.Subject != again.ID.String() {
			t.Errorf("last entry of the audit trail %+v, want refund.create", e)
		}

		recorded, err = s.ReverseRefund(s.ctx, s.by, f.ID, "not paid")
		ok(t, err)
		same(t, &payment.Undo{Number: "RFD-2026-000003", Reason: "not paid", By: s.by.Name, At: s.config.Now()})(recorded.Undone, nil)
		shop.owes(note, "0.00", "20.50", ledger.PartiallyPaid)
		_, err = s.ReverseRefund(s.ctx, s.by, f.ID, "again")
		hasCode(t, err, fault.RefundReversed)
		events, err = s.Events(s.ctx, s.by.Tenant, 1)
		ok(t, err)
		if e := events[0]; e.Action != "refund.reverse" || e.Subject != f.ID.String() {
			t.Errorf("last entry of the audit trail %+v, want refund.reverse", e)
		}

		f.ID, f.Note = s.config.NewID(), id
		_, err = s.AddRefund(s.ctx, s.by, f, payment.Request{})
		hasCode(t, err, fault.RefundOnInvoice)
		f.Note = uuid.Max
		_, err = s.AddRefund(s.ctx, s.by, f, payment.Request{})
		refused(t, err, fault.NotFound, "Invoice not found")
	})
}

func TestRefund_KeptAsCredit(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		first, second := shop.sells("100"), shop.sells("25")
		s.pays(shop.client, first, "100")
		f := sampleRefund(s.config.NewID(), shop.credits(first, "40", true))
		f.Amount, f.Kept, f.Means = decimalOf("40"), true, ""
		recorded, err := s.AddRefund(s.ctx, s.by, f, payment.Request{})
		ok(t, err)
		shop.hasCredit("40.00")
		_, err = s.Allocate(s.ctx, s.by, recorded.Receipt, []payment.Wish{{Document: second, Amount: decimalOf("25")}})
		ok(t, err)
		shop.owes(second, "0.00", "0.00", ledger.Paid)
		shop.hasCredit("15.00")
		_, err = s.ReverseReceipt(s.ctx, s.by, recorded.Receipt, "why")
		hasCode(t, err, fault.ReceiptIsCredit)

		recorded, err = s.ReverseRefund(s.ctx, s.by, f.ID, "the client wants cash")
		ok(t, err)
		if !recorded.Kept || recorded.Undone == nil {
			t.Errorf("refund %+v, want it kept and reversed", recorded)
		}
		shop.owes(second, "25.00", "0.00", ledger.Pending)
		shop.owes(f.Note, "0.00", "40.00", ledger.Pending)
		shop.hasCredit("0.00")
	})
}

// TestRefund_OnANoteThatIsRejectedLater makes the refunded amount payable again.
func TestRefund_OnANoteThatIsRejectedLater(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("100")
		s.pays(shop.client, id, "100")
		note := shop.credits(id, "30", true)
		f := sampleRefund(s.config.NewID(), note)
		f.Amount = decimalOf("30")
		_, err := s.AddRefund(s.ctx, s.by, f, payment.Request{})
		ok(t, err)
		shop.owes(id, "0.00", "0.00", ledger.Paid)
		ok(t, s.Answer(s.ctx, s.by.Tenant, note, ledger.NotReported, instantOf(40)))
		all, err := s.Accounts(s.ctx, s.by.Tenant, []uuid.UUID{id, note})
		ok(t, err)
		if a := all[id]; a.Balance.Fixed2() != "30.00" || !all[note].RefundDue.IsZero() {
			t.Errorf("balance %s, refund due %s; want 30.00 and 0.00", a.Balance, all[note].RefundDue)
		}
		s.pays(shop.client, id, "30")
		shop.owes(id, "0.00", "0.00", ledger.Paid)
	})
}

func TestPayments_OnARejectedInvoiceAreHeld(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("100")
		s.pays(shop.client, id, "60")
		ok(t, s.Answer(s.ctx, s.by.Tenant, id, ledger.NotCleared, instantOf(40)))
		all, err := s.Accounts(s.ctx, s.by.Tenant, []uuid.UUID{id})
		ok(t, err)
		if a := all[id]; a.Held.Fixed2() != "60.00" || !a.Balance.IsZero() {
			t.Errorf("held %s, balance %s; want 60.00 and 0.00", a.Held, a.Balance)
		}
		shop.owes(id, "0.00", "0.00", ledger.PartiallyPaid)
	})
}
