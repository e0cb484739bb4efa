package trade

import (
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
)

// Reason is a predefined text that invoices refer to: payment terms, or the
// reason for a credit or debit note.
type Reason struct {
	ID          uuid.UUID
	Description string // text on the document
	Active      bool   // can be used on new documents
	CreatedAt   time.Time
}

// Check normalises the reason and returns all problems.
func (r *Reason) Check() []fault.Problem {
	r.Description = paragraph(r.Description)
	var ps problems
	ps.text("description", r.Description, maxText, required)
	return ps
}
