package store_test

import (
	"github.com/google/uuid"

	"khatm/service/internal/payment"
)

// sampleKeyed identifies a request.
var sampleKeyed = payment.Request{Key: "till 3 – صندوق", Digest: [32]byte{1, 2, 3}}

// sampleReceipt returns a payment in the currency of the sample invoices.
func sampleReceipt(id, client uuid.UUID) payment.Receipt {
	return payment.Receipt{ID: id, Kind: payment.Payment, Client: client, Currency: "EUR", Amount: decimalOf("100"), Details: sampleDetails()}
}

func sampleDetails() payment.Details {
	return payment.Details{SAR: pointerTo(decimalOf("412.34")), Means: "48", Date: "2026-11-14", Note: "two \"cards\" – بطاقتان"}
}

func sampleRefund(id, note uuid.UUID) payment.Refund {
	return payment.Refund{ID: id, Note: note, Currency: "EUR", Amount: decimalOf("1"), Details: sampleDetails()}
}

// pays records a payment that pays one invoice.
func (s *fixture) pays(client, invoice uuid.UUID, amount string) payment.Recorded {
	s.t.Helper()
	r := sampleReceipt(s.config.NewID(), client)
	r.Amount = decimalOf(amount)
	recorded, err := s.AddReceipt(s.ctx, s.by, r, []payment.Wish{{Document: invoice, Amount: r.Amount}}, payment.Request{})
	ok(s.t, err)
	return recorded
}
