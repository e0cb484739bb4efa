package trade

import (
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
)

// Reason is a text that invoices refer to: payment terms, or why a credit or
// debit note is issued.
type Reason struct {
	ID          uuid.UUID
	Description string // becomes the payment terms
	Active      bool   // may be referred to
	CreatedAt   time.Time
}

// Check tidies the reason and lists everything that is wrong with it.
func (r *Reason) Check() []fault.Problem {
	r.Description = paragraph(r.Description)
	var ps problems
	ps.text("description", r.Description, maxText, required)
	return ps
}
