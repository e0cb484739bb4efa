package audit

import (
	"context"
	"iter"
	"time"

	"github.com/google/uuid"
)

// Source hands over what is kept, all of one moment: a read within one
// transaction. What it yields is kept for a while and must not be reused. A
// sequence ends with its first error.
type Source interface {
	// Devices yields every device, those without a document included.
	Devices(ctx context.Context) iter.Seq2[Device, error]
	// Documents yields the documents of a device in the order of their counters.
	Documents(ctx context.Context, of Device) iter.Seq2[Document, error]
	// Usage yields what is booked for each organisation and month.
	Usage(ctx context.Context) iter.Seq2[Usage, error]
	// NumberGaps yields the numbers that were declared to be missing.
	NumberGaps(ctx context.Context) iter.Seq2[NumberGap, error]
	// Trail yields the audit trail in the order of its links, and at the end
	// what is not linked yet.
	Trail(ctx context.Context) iter.Seq2[Entry, error]
}

// Device is a device as kept, with the end of its chain.
type Device struct {
	ID           uuid.UUID
	Organisation uuid.UUID
	Name         string // for people
	Counter      int64  // of its last document; 0 before the first
	LastHash     string // of its last document
	LastIssuedAt time.Time

	Gaps      []Gap     // declared, in the order of their counters
	Abandoned bool      // documents behind its last one were issued and are not kept, as was declared
	Releases  []Release // declared returns of its clock from the future

	Certificates [][]byte // DER of every production certificate it has had
	Partial      bool     // certificates from before a renewal are not among them
}

// Gap is a run of counters of a device whose documents were issued and are not
// kept, as was declared when the store was recovered. The next document follows
// the last of them.
type Gap struct {
	First, Last int64
	Hash        string // of the last document
	IssuedAt    time.Time
}

// NumberGap is a run of numbers of documents that were issued and are not kept,
// or that were left out to be safe, as was declared.
type NumberGap struct {
	Organisation uuid.UUID
	Series       string // the text before the number, such as INV-2026-
	First, Last  int64
}

// Release is an operator's declaration that a device's last document was dated
// in the future by mistake, so that the next one is dated before it.
type Release struct {
	Counter int64     // of the document that was dated in the future
	At      time.Time // when it was declared
}

// Document is a document as kept: what it is, and what became of it.
type Document struct {
	ID             uuid.UUID
	Counter        int64
	Number         string // ref_num
	TypeCode       int    // 388, 381, 383, 386
	Transaction    string // as 0200000
	Hash           string
	PreviousHash   string
	IssueDate      string
	IssueTime      string
	IssuedAt       time.Time
	CreatedAt      time.Time
	IdempotencyKey string
	XML            []byte // as signed and sent
	QR             string

	State       string // of its submission: queued, sending, waiting, held, done; "" if there is none
	Status      Status
	Code        int
	SubmittedAt time.Time // zero before
	AnsweredAt  time.Time // zero before
	Verdicts    []Verdict // the authority's final word as kept: one, or none before it
	Cleared     []byte    // the document with the authority's stamp; nil if there is none
	ClearedQR   string    // of that document, as it is kept; "" if it is not
	Unstamped   bool      // it is known that the authority's stamp never came
	Attempts    []Attempt // in the order of sending

	Damage string // the part that does not match the digest it was stored with; "" if all do
}

// Verdict is the authority's final word on a document.
type Verdict struct {
	Status Status
	Code   int
}

// Attempt is one sending of a document.
type Attempt struct {
	Token    string
	Copy     bool   // it requested the stamped copy of a document that was cleared already
	Endpoint string // clearance or reporting
	Started  time.Time
	Ended    time.Time // zero when nothing was recorded of its end
	Outcome  string    // accepted, duplicate, rejected, or any other word for no verdict
	Code     int
}

// Usage is what is booked for an organisation in a month.
type Usage struct {
	Organisation uuid.UUID
	Month        time.Time // its first day, UTC
	Used         int64
	Ceiling      int64 // allowance with grace; -1 when there is none, or it is not known any more
}
