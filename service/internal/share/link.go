// Package share implements shared links: people without an account use them to
// view an invoice, or to view and approve a draft. It also manages the drafts
// until they are issued.
//
// A link contains a token of 256 random bits. The token is looked up by its digest
// and stored encrypted, so that its owner can see it again; it is never logged.
// Unknown, expired and revoked links all return the same error.
package share

import (
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Life is how long a link is valid.
const Life = 30 * 24 * time.Hour

// Link is a stored link to an invoice or to a draft.
type Link struct {
	Digest  []byte // digest of the token, which does not reveal it
	Of      org.Tenant
	Invoice uuid.UUID // zero for a link to a draft
	Draft   uuid.UUID
	Expires time.Time
	Revoked bool

	// Simplified and Status belong to the invoice.
	Simplified bool
	Status     ledger.Status
}

// View is what a link shows: an issued invoice or a draft.
type View struct {
	Link
	Issued *ledger.Invoice
	Draft  *Draft
}

// ErrGone returns the error for every unknown, expired or revoked token. It does
// not reveal the reason.
func ErrGone() error { return fault.New(fault.LinkNotFound, "This link is no longer available.") }
