package audit

import (
	"context"
	"iter"
	"time"

	"github.com/google/uuid"
)

// Source provides the stored data of one point in time, as read within one
// transaction. The audit keeps the yielded values for a while, so a source must
// not reuse them. A sequence ends with its first error.
type Source interface {
	// Devices yields every device, including those without documents.
	Devices(ctx context.Context) iter.Seq2[Device, error]
	// Documents yields the documents of a device in the order of their counters.
	Documents(ctx context.Context, of Device) iter.Seq2[Document, error]
	// Usage yields the recorded usage for each organisation and month.
	Usage(ctx context.Context) iter.Seq2[Usage, error]
	// NumberGaps yields the numbers that were declared to be missing.
	NumberGaps(ctx context.Context) iter.Seq2[NumberGap, error]
	// Trail yields the audit trail in the order of its links, followed by the
	// entries that have no link yet.
	Trail(ctx context.Context) iter.Seq2[Entry, error]
}

// Device is a stored device with the end of its chain.
type Device struct {
	ID           uuid.UUID
	Organisation uuid.UUID
	Name         string // display name
	Counter      int64  // of its last document; 0 before the first
	LastHash     string // of its last document
	LastIssuedAt time.Time

	Gaps      []Gap     // declared, in the order of their counters
	Abandoned bool      // declared: documents after its last one were issued but are not stored
	Releases  []Release // declared corrections of documents dated in the future

	Certificates [][]byte // DER of all its production certificates, including former ones
	Partial      bool     // certificates from before a renewal are missing
}

// Gap is a range of counters of a device whose documents were issued but are not
// stored, as declared when the store was recovered. The next document follows
// the last of them.
type Gap struct {
	First, Last int64
	Hash        string // of the last document
	IssuedAt    time.Time
}

// NumberGap is a range of numbers of documents that were issued but are not
// stored, or that were skipped to be safe, as declared.
type NumberGap struct {
	Organisation uuid.UUID
	Series       string // the text before the number, such as INV-2026-
	First, Last  int64
}

// Release is an operator's declaration that a device's last document was dated
// in the future by mistake, so that the next one may be dated before it.
type Release struct {
	Counter int64     // of the document that was dated in the future
	At      time.Time // when it was declared
}

// Document is a stored document with the state of its submission.
type Document struct {
	ID             uuid.UUID
	Counter        int64
	Number         string // ref_num
	TypeCode       int    // 388, 381, 383, 386
	Transaction    string // such as 0200000
	Hash           string
	PreviousHash   string
	IssueDate      string
	IssueTime      string
	IssuedAt       time.Time
	CreatedAt      time.Time
	IdempotencyKey string
	XML            []byte // as signed and sent
	QR             string

	State       string // of its submission: queued, sending, waiting, held, done; "" if it has none
	Status      Status
	Code        int
	SubmittedAt time.Time // zero if not yet
	AnsweredAt  time.Time // zero if not yet
	Verdicts    []Verdict // the stored final verdicts of the authority: at most one
	Cleared     []byte    // the document with the authority's stamp, or nil
	ClearedQR   string    // the stored QR code of that document, or ""
	Unstamped   bool      // the store records that the authority's stamp was never received
	Attempts    []Attempt // in the order of sending

	Damage string // the part that does not match its stored digest, or ""
}

// Verdict is the authority's final verdict on a document.
type Verdict struct {
	Status Status
	Code   int
}

// Attempt is one attempt to send a document.
type Attempt struct {
	Token    string
	Copy     bool   // it requested the stamped copy of a document that was already cleared
	Endpoint string // clearance or reporting
	Started  time.Time
	Ended    time.Time // zero if its end was not recorded
	Outcome  string    // accepted, duplicate or rejected; any other word is no verdict
	Code     int
}

// Usage is the recorded usage of an organisation in a month.
type Usage struct {
	Organisation uuid.UUID
	Month        time.Time // its first day, UTC
	Used         int64
	Ceiling      int64 // allowance with grace; -1 if the plan has no limit or the limit is no longer known
}
