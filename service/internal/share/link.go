// Package share is what people without an account see and do by a link: look at
// an invoice, look at a draft and approve it. It also holds the drafts
// themselves, until they are issued.
//
// A link is a token of 256 random bits. It is found by its digest, and kept
// sealed so that its owner can be shown it again; it is never logged. One that
// is unknown, over or revoked is told in the same words.
package share

import (
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Life is how long a link lasts.
const Life = 30 * 24 * time.Hour

// Link is a link as kept. It leads to an invoice or to a draft.
type Link struct {
	Digest  []byte // of the token: names the link without giving it away
	Of      org.Tenant
	Invoice uuid.UUID // zero: it leads to a draft
	Draft   uuid.UUID
	Expires time.Time
	Revoked bool

	// Simplified and Status are those of the invoice.
	Simplified bool
	Status     ledger.Status
}

// View is what a link shows: an invoice that was issued, or a draft.
type View struct {
	Link
	Issued *ledger.Invoice
	Draft  *Draft
}

// ErrGone is the answer to every token that opens nothing, whatever the reason.
func ErrGone() error { return fault.New(fault.NotFound, "This link is no longer available.") }
