package ledger

import (
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
)

// Invoice is a stored invoice with its current status.
type Invoice struct {
	ID             uuid.UUID
	Task           uuid.UUID // id of the submission task, shown to the caller
	Device         uuid.UUID
	Number         string // ref_num
	Kind           invoice.Kind
	Transaction    invoice.Transaction
	IssueDate      string // Riyadh time
	IssueTime      string
	IssuedAt       time.Time
	Counter        int64
	Hash           string
	PreviousHash   string
	IdempotencyKey string
	CreatedAt      time.Time
	QR             string // of the valid document: the stamped one if there is one
	Record         Record

	Status      Status
	Code        int // HTTP status of the authority's answer; 0 if unanswered
	SubmittedAt *time.Time
	AnsweredAt  *time.Time
	Payment     Payment
	Sums        Sums
	Held        bool // stored, but not queued for sending

	Share Share

	// Damage is set in lists if the stored copy is damaged. Then only ID is set,
	// and Number if it could be verified.
	Damage *Damage
}

// Payment is the payment status of an invoice.
type Payment string

// Payment statuses.
const (
	Pending       Payment = "Pending"
	PartiallyPaid Payment = "Partially Paid"
	Paid          Payment = "Paid"
)

// Sums are the amounts recorded for a document after its issue, in its currency.
// No amount is negative.
type Sums struct {
	Received  money.Decimal // payments
	Credited  money.Decimal // by valid credit notes
	Refunded  money.Decimal // on credit notes for the document
	RefundDue money.Decimal // on a credit note: what is still to be paid back
}

// Share is the link that shows an invoice without an API key.
type Share struct {
	Digest  []byte // of the token
	Sealed  []byte // the sealed token
	Expires time.Time
}

// Printable reports whether the QR code may be shown. Simplified invoices are
// printed at once, before the authority answers; standard ones once cleared. The
// code of a rejected invoice is never shown.
func (i Invoice) Printable() bool {
	if i.Transaction.Simplified {
		return i.Status != NotReported
	}
	return i.Status.Accepted()
}

// DueDate returns the date on which the document is due, or "" if it is due when
// it is issued. A simplified invoice is paid when it is issued.
func (i Invoice) DueDate() string {
	issued, err := time.Parse(time.DateOnly, i.IssueDate)
	if err != nil || i.Record.Print == nil || i.Record.Print.DueDays == 0 || i.Transaction.Simplified {
		return ""
	}
	return issued.AddDate(0, 0, i.Record.Print.DueDays).Format(time.DateOnly)
}

// Remark is an internal note on an invoice. It is never sent to the authority.
type Remark struct {
	ID        uuid.UUID
	Title     string
	Details   string
	CreatedAt time.Time
	CreatedBy string
}

// SubmissionState is the state of sending a document.
type SubmissionState string

// Submission states.
const (
	Queued  SubmissionState = "queued"  // ready to be sent
	Sending SubmissionState = "sending" // claimed by a worker
	Waiting SubmissionState = "waiting" // not answered; will be retried
	Held    SubmissionState = "held"    // not sent until released
	Done    SubmissionState = "done"    // answered
)

// Time limits for sending: short for a standard document, because its buyer is
// waiting; well within the legal 24 hours for a simplified one.
const (
	StandardDeadline   = 5 * time.Minute
	SimplifiedDeadline = 20 * time.Hour
)

// Deadline returns the time by which the document should be sent.
func (i Invoice) Deadline() time.Time {
	if i.Transaction.Simplified {
		return i.CreatedAt.Add(SimplifiedDeadline)
	}
	return i.CreatedAt.Add(StandardDeadline)
}
