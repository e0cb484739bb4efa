package submit

import (
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Keeper is where submissions, attempts and verdicts are kept.
type Keeper interface {
	// Claim takes queued documents, writes an attempt for each, all in one
	// commit, and gives them with their bytes.
	Claim(ctx context.Context, c Claiming) (Claimed, error)
	// Record keeps what came of attempts, all of it or nothing. Whoever has lost
	// the turn is not taken, unless the answer is final and the invoice is not.
	Record(ctx context.Context, of org.Tenant, results []Result) ([]Recorded, error)
	// Ask queues a document anew because a caller wants it, or says why not.
	Ask(ctx context.Context, by org.Actor, invoice uuid.UUID) error

	// Promote queues what waited until now. A time after far, here and below, was
	// written by a clock that was wrong, and counts as past.
	Promote(ctx context.Context, now, far time.Time, most int) (int, error)
	// Lapse takes back what somebody claimed and did not bring back by now.
	Lapse(ctx context.Context, now, far time.Time, most int, retry func(failures int) time.Duration) (int, error)
	// StopInDoubt holds what may have arrived before an instant and was not
	// answered.
	StopInDoubt(ctx context.Context, before time.Time, most int) ([]Stopped, error)
	// HoldParked holds what is queued of parked devices; FreeHeld queues what is
	// held of others.
	HoldParked(ctx context.Context, most int) (int, error)
	FreeHeld(ctx context.Context, most int) (int, error)
	// ReleaseWhole reads documents that are held as damaged, and leaves those that
	// are whole to FreeHeld.
	ReleaseWhole(ctx context.Context) (int, error)
	// Probe queues one document of each parked device whose time has come, and
	// sets the next time.
	Probe(ctx context.Context, now, far time.Time, again func(probes int) time.Duration) (int, error)

	// ClaimCopies claims cleared documents whose stamped copy is due to be
	// requested again, and writes an attempt for each in one commit. It leaves
	// out parked devices. Record stores the result.
	ClaimCopies(ctx context.Context, c Claiming) ([]Job, error)
	// LapseCopies takes back copy requests whose lease has ended.
	LapseCopies(ctx context.Context, now, far time.Time, most int, retry func(failures int) time.Duration) (int, error)
	// StopCopies ends the requests for documents that may have been accepted
	// before an instant.
	StopCopies(ctx context.Context, before time.Time, most int) ([]Stopped, error)

	// Backlog counts what is not answered.
	Backlog(ctx context.Context, now time.Time) (Backlog, error)
}

// Authority is whom documents are sent to. Whatever happens is a verdict.
type Authority interface {
	Clear(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict
	Report(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict
}

// Claiming says what is to be claimed.
type Claiming struct {
	Route      ledger.Route
	Most       int
	Now        time.Time
	Far        time.Time // of copies: a later time that one is due counts as past
	LeaseUntil time.Time
	Worker     string
	Doubt      time.Time // what was sent before and not answered is left alone

	// Urgent asks for what runs out before this instant, whoever it belongs to;
	// zero asks by turns of the organisations, beginning after this one.
	Urgent time.Time
	After  uuid.UUID
	// Probe asks for what has been in doubt for the longest: while an endpoint is
	// tried with one call now and then, no document must be in doubt for so long
	// that it is not sent any more.
	Probe bool
}

// Claimed is what was claimed, and which organisation's turn was last.
type Claimed struct {
	Jobs []Job
	Last uuid.UUID
}

// Job is a document to be sent, and the attempt: see ledger.Attempt.
type Job struct {
	Tenant     org.Tenant
	Invoice    uuid.UUID
	Device     uuid.UUID
	Simplified bool
	Route      ledger.Route
	Attempt    int // the token of this turn
	Failures   int // tries before without an answer
	ClaimedAt  time.Time
	Document   ledger.Dispatch
	Copy       bool // the document is cleared, and only its stamped copy is requested
}

// Result is what came of an attempt and what is written because of it.
type Result struct {
	Invoice   uuid.UUID
	Device    uuid.UUID
	Attempt   int
	ClaimedAt time.Time
	At        time.Time

	Event   ledger.Event
	Verdict ledger.Verdict // of which the attempt keeps the facts
	Answer  *ledger.Answer // with a final outcome
	QR      string         // of the stamped document, where the answer brought one

	Copy    bool   // the attempt requested the stamped copy of a cleared document
	Stamped []byte // the copy that arrived and was verified; nil without one

	Route ledger.Route // of the next try
	Due   time.Time    // of the next try, when it waits
	Stop  string       // why there is none by itself
	Park  *Parking     // of the device
}

// Parking is why a device is parked and when it is tried again.
type Parking struct {
	Why     string
	ProbeAt time.Time
}

// Why a document is held until a caller asks for it.
const (
	InDoubt  = "in doubt"
	TooLarge = "too large"
	Damaged  = "damaged"
)

// Why a stamped copy is not requested any more.
const (
	CopyExpired = "expired" // the authority may have forgotten the document
	CopyRefused = "refused" // the authority refused the request for good
)

// Recorded is what became of a result.
type Recorded struct {
	Taken    bool // false: somebody else has the turn
	Parked   bool // the device was parked by it
	Released bool // the device was parked, and is not any more
	Stamped  bool // the missing stamped copy of a cleared document was stored
}

// Stopped names a document that is not sent by itself any more.
type Stopped struct {
	Tenant  org.Tenant
	Invoice uuid.UUID
}

// Backlog is what is not answered.
type Backlog struct {
	States  map[ledger.SubmissionState]int
	Stopped int       // held until a caller asks
	Parked  int       // devices
	Oldest  time.Time // when the oldest was created; zero without one
	// Over counts simplified documents that have waited longer than each of
	// Ages.
	Over []int

	Unstamped     int // cleared documents whose stamped copy is being requested
	UnstampedLost int // cleared documents whose stamped copy is not requested any more
}

// Ages are the marks of the 24-hour clock: how long a simplified document may
// have waited before somebody should look.
func Ages() []time.Duration { return []time.Duration{6 * time.Hour, 12 * time.Hour, 20 * time.Hour} }

// The law's time for reporting, what is left when turns no longer matter, and
// after which time without an answer nothing is sent again by itself: the
// authority forgets after 24 hours what it has accepted.
const (
	Legal      = 24 * time.Hour
	UrgentLeft = 4 * time.Hour
	DoubtTime  = 23 * time.Hour
)
