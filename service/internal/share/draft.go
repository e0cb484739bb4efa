package share

import (
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
)

// Draft is an invoice that is not issued yet.
type Draft struct {
	ID        uuid.UUID
	Version   int // counts the edits, from 1: a code and an approval are of one version
	Request   issue.Request
	Recipient Recipient
	CreatedBy string // e-mail address
	CreatedAt time.Time
	ChangedAt time.Time

	Shown    *Shown        // what the recipient sees; nil while it is not shared
	Share    *ledger.Share // its link; nil while it is not shared
	Approval *Approval
	Claim    *Claim     // by whoever is issuing it
	Invoice  *uuid.UUID // what it became
}

// Recipient is whom a draft is shared with.
type Recipient struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Language string `json:"language"` // ar or en
}

// Shown is a draft as its recipient sees it: computed when it was shared, or
// changed after that, so that what is approved is what was seen.
type Shown struct {
	Version int
	Invoice ledger.Invoice // as previewed; its number is not that of an invoice
	XML     []byte         // the unsigned document, for the PDF
}

// Approval is the recipient's word, given once.
type Approval struct {
	Name    string    `json:"name"` // as the recipient wrote it
	Email   string    `json:"email"`
	At      time.Time `json:"at"`
	Version int       `json:"version"`
}

// State is where a draft stands.
type State string

// The states of a draft.
const (
	Open     State = "open"     // being written
	Shared   State = "shared"   // waits for the recipient
	Approved State = "approved" // can be issued
	Issued   State = "issued"
)

// State tells where the draft stands.
func (d Draft) State() State {
	switch {
	case d.Invoice != nil:
		return Issued
	case d.Approval != nil:
		return Approved
	case d.Share != nil:
		return Shared
	}
	return Open
}
