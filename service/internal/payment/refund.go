package payment

import (
	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// Refund records money paid back on a credit note, or kept by the client as
// credit.
type Refund struct {
	ID       uuid.UUID
	Number   string
	Note     uuid.UUID
	Currency string
	Amount   money.Decimal // negative for a reversal
	Kept     bool          // as credit of the client
	Parts    []Part
	Details
}

// Check normalises what was entered for a refund and returns all problems. Today
// is the date in Riyadh.
func (r *Refund) Check(today string) []fault.Problem {
	ps := r.check(ofRefund, r.Currency, today)
	ps.amount("amount", r.Amount)
	if !r.Kept {
		ps.means(r.Means)
	} else if r.Means != "" {
		ps.add("payment_means_type_code", "must be absent if the client keeps the refund as credit", "يُترك هذا الحقل إذا بقي المبلغ رصيدًا للعميل.")
	}
	return ps
}

// Part is the part of a refund for one original of the credit note.
type Part struct {
	Original uuid.UUID
	Amount   money.Decimal
}

// Note is a credit note with the documents that it credits.
type Note struct {
	ID        uuid.UUID
	Number    string
	Client    uuid.UUID // uuid.Nil if it has none
	Currency  string
	Valid     bool // accepted by the authority, or simplified and not rejected
	Refunded  money.Decimal
	Originals []Original
}

// Original is a document that a credit note reduces, with all valid notes on it.
type Original struct {
	ID      uuid.UUID
	Place   int64 // a later document has a higher place
	Credits []Credit
	Standing
}

// parts returns the refund that is due for each original, the last one first.
func (n Note) parts() []Part {
	if !n.Valid {
		return nil
	}
	var parts []Part
	for _, o := range lastFirst(n.Originals, func(o Original) int64 { return o.Place }) {
		due, _ := o.RefundsDue(o.Credits)
		if amount, is := due[n.ID]; is {
			parts = append(parts, Part{Original: o.ID, Amount: amount})
		}
	}
	return parts
}

// RefundDue returns what is to be paid back on the credit note.
func (n Note) RefundDue() money.Decimal { return total(n.parts()) }

// Status returns the payment status of the credit note, which its refunds
// change.
func (n Note) Status() ledger.Payment { return status(n.Refunded, n.RefundDue()) }

// Refund divides a refund among the originals of the credit note, the last one
// first.
func (n Note) Refund(amount money.Decimal, kept bool) ([]Part, error) {
	if !n.Valid {
		return nil, fault.New(fault.RefundTooEarly, "The authority has not accepted credit note %s.", n.Number).Arabic("لم تقبل الهيئة الإشعار الدائن %s.", n.Number)
	}
	if kept && n.Client == uuid.Nil {
		return nil, refuse(fault.PaymentUnused, "keep_as_credit", "Credit note %s has no client who could keep the refund as credit.", "ليس للإشعار الدائن %s عميل يبقى المبلغ رصيدًا له.", n.Number)
	}
	if due := n.RefundDue(); due.Less(amount) {
		return nil, refuse(fault.RefundExceeds, "amount", "The refund due on credit note %s is %s %s, less than %s.", "المبلغ المستحق ردّه على الإشعار الدائن %s هو %s %s، وهو أقل من %s.", n.Number, due.Fixed2(), n.Currency, amount.Fixed2())
	}
	var parts []Part
	for _, p := range n.parts() {
		p.Amount = least(p.Amount, amount)
		if p.Amount.Sign() > 0 {
			parts = append(parts, p)
			amount = amount.Sub(p.Amount)
		}
	}
	return parts, nil
}

// Reverse returns the parts that take back a refund. If the client kept it as
// credit, live are the allocations of that credit, and it also returns the
// allocations that take them back.
func (r Refund) Reverse(reversed bool, live []Allocation) ([]Part, []Allocation, error) {
	if reversed || r.Amount.Sign() < 0 {
		return nil, nil, fault.New(fault.RefundReversed, "Refund %s is reversed already.", r.Number).Arabic("ردّ المبلغ %s ملغى بقيد عكسي.", r.Number)
	}
	parts := make([]Part, len(r.Parts))
	for i, p := range r.Parts {
		parts[i] = Part{Original: p.Original, Amount: p.Amount.Neg()}
	}
	return parts, takeBack(live), nil
}

// total returns the sum of the parts.
func total(parts []Part) money.Decimal {
	var sum money.Decimal
	for _, p := range parts {
		sum = sum.Add(p.Amount)
	}
	return sum
}
