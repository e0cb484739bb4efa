package payment

import (
	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
)

// Cause is the reason for an allocation.
type Cause string

// Causes of allocations.
const (
	ByPayment  Cause = "payment"
	ByReversal Cause = "reversal" // of the receipt
	ByMove     Cause = "moved"    // from a rejected document to its replacement
)

// Allocation says that a receipt pays a part of a document. An allocation that
// takes another one back has its amount with the opposite sign.
type Allocation struct {
	ID       uuid.UUID
	Receipt  uuid.UUID
	Document uuid.UUID
	Amount   money.Decimal
	Reverses uuid.UUID // the allocation that it takes back; uuid.Nil if none
	Cause    Cause
}

// Live returns the allocations that were not taken back.
func Live(all []Allocation) []Allocation {
	back := map[uuid.UUID]bool{}
	for _, a := range all {
		back[a.Reverses] = true
	}
	var live []Allocation
	for _, a := range all {
		if a.Reverses == uuid.Nil && !back[a.ID] {
			live = append(live, a)
		}
	}
	return live
}

// Rest returns what the allocations leave of the receipt.
func (r Receipt) Rest(allocations []Allocation) money.Decimal {
	rest := r.Amount
	for _, a := range allocations {
		rest = rest.Sub(a.Amount)
	}
	return rest
}

// Reverse returns the allocations that take back all live ones of a receipt.
func (r Receipt) Reverse(reversed bool, live []Allocation) ([]Allocation, error) {
	switch {
	case reversed || r.Kind == Reversal:
		return nil, fault.New(fault.ReceiptReversed, "Receipt %s is reversed already.", r.Number).Arabic("سند القبض %s ملغى بقيد عكسي.", r.Number)
	case r.Kind == Kept:
		return nil, fault.New(fault.ReceiptIsCredit, "Receipt %s is a refund that the client keeps as credit. Reverse the refund.", r.Number).Arabic("السند %s مبلغ مردود أُبقي رصيدًا للعميل.", r.Number)
	}
	return takeBack(live), nil
}

func takeBack(live []Allocation) []Allocation {
	rows := make([]Allocation, len(live))
	for i, a := range live {
		rows[i] = a.back(ByReversal)
	}
	return rows
}

// back returns the allocation that takes a back.
func (a Allocation) back(why Cause) Allocation {
	return Allocation{Receipt: a.Receipt, Document: a.Document, Amount: a.Amount.Neg(), Reverses: a.ID, Cause: why}
}

// Move returns the allocations that move what is held for a rejected document to
// its replacement, up to the balance of the replacement. A replacement for
// another client or in another currency gets nothing. What remains is credit of
// the client; without a client it stays with the rejected document. The live
// allocations are moved in their order.
func Move(from, to Document, live []Allocation) []Allocation {
	var rows []Allocation
	held, open := from.Over(), to.Balance()
	if from.Client != to.Client || from.Currency != to.Currency {
		open = money.Decimal{}
	}
	for _, a := range live {
		free := least(held, a.Amount)
		forth := least(free, open)
		held, open = held.Sub(free), open.Sub(forth)
		stays := a.Amount.Sub(free)
		if from.Client == uuid.Nil {
			stays = a.Amount.Sub(forth)
		}
		if stays.Equal(a.Amount) {
			continue
		}
		rows = append(rows, a.back(ByMove))
		for _, part := range []Allocation{{Document: from.ID, Amount: stays}, {Document: to.ID, Amount: forth}} {
			if part.Amount.Sign() > 0 {
				part.Receipt, part.Cause = a.Receipt, ByMove
				rows = append(rows, part)
			}
		}
	}
	return rows
}
