package ledger

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
)

// Filter selects invoices of an organisation. Zero fields match everything.
type Filter struct {
	Statuses      []Status // any of these; may include Unanswered
	Search        string   // folded search text
	Kind          invoice.Kind
	Transaction   string
	Device        uuid.UUID
	Buyer         uuid.UUID
	From, To      string // issue dates, inclusive
	Payment       Payment
	IDs           []uuid.UUID
	AnsweredAfter *time.Time
}

// IsZero reports whether the filter matches every invoice.
func (f Filter) IsZero() bool {
	return len(f.Statuses) == 0 && f.onlyStatuses()
}

// OnlyStatuses reports whether the filter selects by status and nothing else.
func (f Filter) OnlyStatuses() bool { return len(f.Statuses) > 0 && f.onlyStatuses() }

func (f Filter) onlyStatuses() bool {
	return f.Search == "" && f.Kind == 0 && f.Transaction == "" && f.Device == uuid.Nil && f.Buyer == uuid.Nil &&
		f.From == "" && f.To == "" && f.Payment == "" && len(f.IDs) == 0 && f.AnsweredAfter == nil
}

// Excludes reports whether an invoice that matched the filter before no longer
// does. Only the status and the payment status of an invoice change.
func (f Filter) Excludes(i Invoice) bool {
	return len(f.Statuses) > 0 && !slices.Contains(f.Statuses, i.Status) || f.Payment != "" && f.Payment != i.Payment
}
