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
	Version   int // number of the version, starting at 1; a code and an approval belong to one version
	Request   issue.Request
	Recipient Recipient
	CreatedBy string // e-mail address
	CreatedAt time.Time
	ChangedAt time.Time
	Summary   *Summary // nil if it was last changed by an earlier version

	Shown    *Shown        // what the recipient sees; nil if not shared
	Share    *ledger.Share // its link; nil if not shared
	Approval *Approval
	Decline  *Decline   // set if the recipient declined it, until it is shared again
	Claim    *Claim     // set while it is being issued
	Invoice  *uuid.UUID // the issued invoice
	Corrects *uuid.UUID // the rejected invoice that it replaces; nil if none
}

// Recipient is the person a draft is shared with.
type Recipient struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Language string `json:"language"` // ar or en
}

// Shown is a draft as its recipient sees it. It is computed when the draft is
// shared or changed, so that the recipient approves exactly what they saw.
type Shown struct {
	Version int
	Invoice ledger.Invoice // the preview; its number is not an invoice number
	XML     []byte         // unsigned document, for the PDF
}

// Approval is the approval of the recipient. A draft is approved only once.
type Approval struct {
	Name    string    `json:"name"` // as typed by the recipient
	Email   string    `json:"email"`
	At      time.Time `json:"at"`
	Version int       `json:"version"`
}

// Decline is the recipient's refusal of a draft.
type Decline struct {
	Name    string    `json:"name"` // as typed by the recipient
	Email   string    `json:"email"`
	Comment string    `json:"comment"` // may be empty or have several lines
	At      time.Time `json:"at"`
	Version int       `json:"version"`
}

// State is the state of a draft.
type State string

// The states of a draft.
const (
	Open     State = "open"     // being written
	Shared   State = "shared"   // waiting for the recipient
	Approved State = "approved" // can be issued
	Declined State = "declined" // can be changed and shared again
	Issued   State = "issued"
)

// State returns the state of the draft.
func (d Draft) State() State {
	switch {
	case d.Invoice != nil:
		return Issued
	case d.Approval != nil:
		return Approved
	case d.Decline != nil:
		return Declined
	case d.Share != nil:
		return Shared
	}
	return Open
}
