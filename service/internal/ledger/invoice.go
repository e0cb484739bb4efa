package ledger

import (
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
)

// Invoice is an invoice as kept: what it is, and what became of it.
type Invoice struct {
	ID             uuid.UUID
	Task           uuid.UUID // names the submission; informational
	Device         uuid.UUID
	Number         string // ref_num
	Kind           invoice.Kind
	Transaction    invoice.Transaction
	IssueDate      string // in Riyadh
	IssueTime      string
	IssuedAt       time.Time
	Counter        int64
	Hash           string
	PreviousHash   string
	IdempotencyKey string
	CreatedAt      time.Time
	QR             string // of the document that counts: with the authority's stamp once it has one
	Record         Record

	Status      Status
	Code        int // the authority's HTTP status; 0 before an answer
	SubmittedAt *time.Time
	AnsweredAt  *time.Time
	Payment     Payment
	Held        bool // stored, and not queued for sending

	Share Share

	// Damage is set in lists for an invoice whose stored copy is damaged. Of such
	// an invoice only the id is set, and the number if it can be proved.
	Damage *Damage
}

// Payment is how much of an invoice is paid.
type Payment string

// What is known of payment.
const (
	Pending       Payment = "Pending"
	PartiallyPaid Payment = "Partially Paid"
	Paid          Payment = "Paid"
)

// Share is the link by which an invoice can be seen without a key.
type Share struct {
	Digest  []byte // of the token
	Sealed  []byte // the token itself, sealed
	Expires time.Time
}

// Printable says whether the QR code may be shown: a simplified document's at
// once, since a till prints it, a standard one's when it is cleared, a rejected
// one's never.
func (i Invoice) Printable() bool {
	if i.Transaction.Simplified {
		return i.Status != NotReported
	}
	return i.Status.Accepted()
}

// Remark is a note that people keep against an invoice. The authority never
// sees it.
type Remark struct {
	ID        uuid.UUID
	Title     string
	Details   string
	CreatedAt time.Time
	CreatedBy string
}

// SubmissionState is where the sending of a document stands.
type SubmissionState string

// The states of a submission.
const (
	Queued  SubmissionState = "queued"  // waits for its turn
	Sending SubmissionState = "sending" // somebody has claimed it
	Waiting SubmissionState = "waiting" // no answer; will be tried again
	Held    SubmissionState = "held"    // will not be tried until it is released
	Done    SubmissionState = "done"    // answered
)

// How soon a document should be with the authority: a standard one before its
// buyer waits for long, a simplified one well within the law's 24 hours.
const (
	StandardDeadline   = 5 * time.Minute
	SimplifiedDeadline = 20 * time.Hour
)

// Deadline is by when a document should have been sent.
func (i Invoice) Deadline() time.Time {
	if i.Transaction.Simplified {
		return i.CreatedAt.Add(SimplifiedDeadline)
	}
	return i.CreatedAt.Add(StandardDeadline)
}
