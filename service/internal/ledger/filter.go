package ledger

import (
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
)

// Filter is which invoices of an organisation are wanted. Empty fields ask for
// nothing.
type Filter struct {
	Statuses      []Status // any of them; Unanswered too
	Search        string   // folded
	Kind          invoice.Kind
	Transaction   string
	Device        uuid.UUID
	Buyer         uuid.UUID
	From, To      string // of the issue date, both included
	Payment       Payment
	IDs           []uuid.UUID
	AnsweredAfter *time.Time
}

// IsZero says whether everything is wanted.
func (f Filter) IsZero() bool {
	return len(f.Statuses) == 0 && f.onlyStatuses()
}

// OnlyStatuses says whether nothing but the status is asked for.
func (f Filter) OnlyStatuses() bool { return len(f.Statuses) > 0 && f.onlyStatuses() }

func (f Filter) onlyStatuses() bool {
	return f.Search == "" && f.Kind == 0 && f.Transaction == "" && f.Device == uuid.Nil && f.Buyer == uuid.Nil &&
		f.From == "" && f.To == "" && f.Payment == "" && len(f.IDs) == 0 && f.AnsweredAfter == nil
}
