package trade

import (
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/ubl"
)

// Reason is a predefined text that invoices refer to: payment terms, or the
// reason for a credit or debit note.
type Reason struct {
	ID          uuid.UUID
	Description string // text on the document
	Active      bool   // can be used on new documents
	DueDays     *int   // days from the issue until the invoice is due; nil: as in the settings of the organisation
	CreatedAt   time.Time
}

// Check normalises the reason and returns all problems.
func (r *Reason) Check() []fault.Problem {
	r.Description = paragraph(r.Description)
	var ps problems
	ps.text("description", r.Description, maxText, required)
	if r, found := ubl.Reordering(r.Description); found {
		ps.addCode(fault.InvalidCharacters, "description", notice{"must not contain the character %U", fault.CharacterAR}, r)
	}
	if r.DueDays != nil && (*r.DueDays < 0 || *r.DueDays > maxDueDays) {
		ps = append(ps, fault.Problem{Path: "due_days", Message: "must be between 0 and 365", MessageAR: fault.DueDaysAR})
	}
	return ps
}

// maxDueDays is the maximum of Reason.DueDays.
const maxDueDays = 365
