package payment

import (
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/ledger"
)

// Request identifies a request to record something, so that a repetition does not
// record it twice. An empty key identifies nothing.
type Request struct {
	Key    string
	Digest [32]byte // of what is to be recorded
}

// Undo is the reversal of a receipt or refund.
type Undo struct {
	Number string
	Reason string
	By     string
	At     time.Time
}

// Recorded is a stored receipt with all its allocations, in their order.
type Recorded struct {
	Receipt
	By          string
	At          time.Time
	Undone      *Undo // nil if it is not reversed
	Allocations []Allocation
}

// Unused returns what is left of the receipt as credit of the client.
func (r Recorded) Unused() money.Decimal {
	if r.Undone != nil {
		return money.Decimal{}
	}
	return r.Rest(r.Allocations)
}

// RecordedRefund is a stored refund.
type RecordedRefund struct {
	Refund
	Receipt uuid.UUID // the credit of the client who keeps the refund; uuid.Nil if it was paid out
	By      string
	At      time.Time
	Undone  *Undo // nil if it is not reversed
}

// Account is what is owed for one document.
type Account struct {
	Balance         money.Decimal
	SettledByCredit money.Decimal
	RefundDue       money.Decimal // on a credit note
	Held            money.Decimal // received without a valid document or refund that explains it
}

// Of returns what is owed for a document that was issued here. What is held is not
// known from the document alone.
func Of(i ledger.Invoice) Account {
	if i.Kind == invoice.CreditNote {
		return Account{RefundDue: i.Sums.RefundDue}
	}
	s := Standing{
		Payable: i.Record.Totals.Payable, Credited: i.Sums.Credited, Received: i.Sums.Received, Refunded: i.Sums.Refunded,
		Rejected: i.Status.Final() && !i.Status.Accepted(),
	}
	return Account{Balance: s.Balance(), SettledByCredit: s.SettledByCredit()}
}

// Filter selects receipts. Zero values select all.
type Filter struct {
	Client  uuid.UUID
	Invoice uuid.UUID // that the receipt pays, or paid before a reversal
}
