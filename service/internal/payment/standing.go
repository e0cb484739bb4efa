package payment

import (
	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/ledger"
)

// Standing is the sum of everything that was recorded for an invoice, a debit
// note or an advance payment invoice, in its currency. No amount is negative.
type Standing struct {
	Payable  money.Decimal // payable amount of the document, without the advances it deducts
	Credited money.Decimal // by valid credit notes
	Received money.Decimal // allocated from receipts
	Refunded money.Decimal // refunds of credit notes on the document

	// Rejected documents demand nothing, and notes cannot credit them. What was
	// received stays with the document until it is moved to a replacement.
	Rejected bool
}

// owed returns what the client owes for the document, negative if more was
// received.
func (s Standing) owed() money.Decimal {
	paid := s.Refunded.Sub(s.Received)
	if s.Rejected {
		return paid
	}
	return s.Payable.Sub(s.Credited).Add(paid)
}

// Balance returns the amount that is still to be paid.
func (s Standing) Balance() money.Decimal { return positive(s.owed()) }

// Over returns the amount that was received beyond what the document demands.
func (s Standing) Over() money.Decimal { return positive(s.owed().Neg()) }

// SettledByCredit returns the part of the payable amount that credit notes have
// settled.
func (s Standing) SettledByCredit() money.Decimal {
	if s.Rejected {
		return money.Decimal{}
	}
	return least(s.Credited, s.Payable)
}

// Status returns the payment status. A rejection by the authority does not
// change it. It is Pending if nothing was received, even if nothing is to be
// paid, because a credit note is not a payment.
func (s Standing) Status() ledger.Payment {
	s.Rejected = false
	return status(s.Received, s.Balance())
}

func status(moved, open money.Decimal) ledger.Payment {
	switch {
	case moved.Sign() <= 0:
		return ledger.Pending
	case open.Sign() > 0:
		return ledger.PartiallyPaid
	}
	return ledger.Paid
}

// Credit is the part of a valid credit note that reduces one document.
type Credit struct {
	Note     uuid.UUID
	Place    int64         // a later note has a higher place
	Amount   money.Decimal // by which the note reduces the document
	Refunded money.Decimal // refunds of this part
}

// RefundsDue divides what was received beyond the balance among the credit notes on the
// document, from the last to the first, each up to what is not refunded yet. It
// returns the refund that is due on each note. What no note explains is held: it
// was received for a document that was rejected, or after a refund on a note
// that was rejected.
func (s Standing) RefundsDue(credits []Credit) (due map[uuid.UUID]money.Decimal, held money.Decimal) {
	held = s.Over()
	if s.Rejected {
		return nil, held
	}
	due = map[uuid.UUID]money.Decimal{}
	for _, c := range lastFirst(credits, func(c Credit) int64 { return c.Place }) {
		part := least(held, positive(c.Amount.Sub(c.Refunded)))
		if part.Sign() > 0 {
			due[c.Note] = part
			held = held.Sub(part)
		}
	}
	return due, held
}
