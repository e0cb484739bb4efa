package submit

import (
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Keeper stores submissions, attempts and verdicts.
type Keeper interface {
	// Claim claims queued documents, writes an attempt for each, all in one
	// commit, and returns them with their content.
	Claim(ctx context.Context, c Claiming) (Claimed, error)
	// Record stores the results of attempts, all or none. A result whose lease has
	// been lost is ignored, unless it is a final answer and the invoice has none.
	Record(ctx context.Context, of org.Tenant, results []Result) ([]Recorded, error)
	// Ask queues a document again at the request of a caller, or returns an
	// error that says why not.
	Ask(ctx context.Context, by org.Actor, invoice uuid.UUID) error

	// Promote queues waiting documents that are due. Here and below, a time after
	// far was written by a wrong clock and counts as past.
	Promote(ctx context.Context, now, far time.Time, most int) (int, error)
	// Lapse ends claims whose lease has expired.
	Lapse(ctx context.Context, now, far time.Time, most int, retry func(failures int) time.Duration) (int, error)
	// StopInDoubt holds unanswered documents that may have been received before
	// the given time.
	StopInDoubt(ctx context.Context, before time.Time, most int) ([]Stopped, error)
	// HoldParked holds the queued documents of parked devices. FreeHeld queues the
	// held documents of other devices.
	HoldParked(ctx context.Context, most int) (int, error)
	FreeHeld(ctx context.Context, most int) (int, error)
	// ReleaseWhole reads the documents held as damaged, and releases those that are
	// intact so that FreeHeld queues them.
	ReleaseWhole(ctx context.Context) (int, error)
	// Probe queues one document of each parked device that is due for a try, and
	// sets the time of its next try.
	Probe(ctx context.Context, now, far time.Time, again func(probes int) time.Duration) (int, error)

	// ClaimCopies claims cleared documents whose stamped copy is due to be
	// requested, except those of parked devices, and writes an attempt for each in
	// one commit. Record stores the result.
	ClaimCopies(ctx context.Context, c Claiming) ([]Job, error)
	// LapseCopies ends copy requests whose lease has expired.
	LapseCopies(ctx context.Context, now, far time.Time, most int, retry func(failures int) time.Duration) (int, error)
	// StopCopies ends the requests for documents that may have been accepted
	// before the given time.
	StopCopies(ctx context.Context, before time.Time, most int) ([]Stopped, error)

	// Backlog counts unanswered documents.
	Backlog(ctx context.Context, now time.Time) (Backlog, error)
}

// Authority sends documents to the authority. Failures are returned as verdicts
// too.
type Authority interface {
	Clear(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict
	Report(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict
}

// Claiming selects what to claim.
type Claiming struct {
	Route      ledger.Route
	Most       int
	Now        time.Time
	Far        time.Time // for copies: a due time after it counts as past
	LeaseUntil time.Time
	Worker     string
	Doubt      time.Time // unanswered documents sent before it are not claimed

	// Urgent selects documents whose deadline is before it, of all organisations.
	// If zero, organisations take turns, starting after After.
	Urgent time.Time
	After  uuid.UUID
	// Probe selects the documents that have been in doubt longest. With an open
	// breaker only few calls are made, and no document should stay in doubt until
	// it can no longer be sent.
	Probe bool
}

// Claimed is the result of a claim. Last is the organisation that had the last
// turn.
type Claimed struct {
	Jobs []Job
	Last uuid.UUID
}

// Job is a claimed document with its attempt; see ledger.Attempt.
type Job struct {
	Tenant     org.Tenant
	Invoice    uuid.UUID
	Device     uuid.UUID
	Simplified bool
	Route      ledger.Route
	Attempt    int // identifies this claim
	Failures   int // earlier unanswered attempts
	ClaimedAt  time.Time
	Document   ledger.Dispatch
	Copy       bool // the document is cleared; only its stamped copy is requested
}

// Result is the result of an attempt, with the changes to store.
type Result struct {
	Invoice   uuid.UUID
	Device    uuid.UUID
	Attempt   int
	ClaimedAt time.Time
	At        time.Time

	Event   ledger.Event
	Verdict ledger.Verdict // stored with the attempt
	Answer  *ledger.Answer // set on a final outcome
	QR      string         // of the stamped document, if there is one

	Copy    bool   // the attempt requested the stamped copy of a cleared document
	Stamped []byte // verified copy; nil if none arrived

	Route ledger.Route // of the next attempt
	Due   time.Time    // of the next attempt, if it waits
	Stop  string       // why there is no automatic next attempt
	Park  *Parking     // set to park the device
}

// Parking says why a device is parked and when it is tried again.
type Parking struct {
	Why     string
	ProbeAt time.Time
}

// Reasons to hold a document until a caller requests another attempt.
const (
	InDoubt  = "in doubt"
	TooLarge = "too large"
	Damaged  = "damaged"
)

// Reasons to stop requesting a stamped copy.
const (
	CopyExpired = "expired" // the authority may no longer recognise the document
	CopyRefused = "refused" // the authority refused the request for good
)

// Recorded is the effect of storing a Result.
type Recorded struct {
	Taken    bool // false if the claim was lost
	Parked   bool // the device was parked
	Released bool // the device is no longer parked
	Stamped  bool // the missing stamped copy was stored
}

// Stopped identifies a document that is no longer sent automatically.
type Stopped struct {
	Tenant  org.Tenant
	Invoice uuid.UUID
}

// Backlog counts the documents that are not answered.
type Backlog struct {
	States  map[ledger.SubmissionState]int
	Stopped int       // held until a caller requests another attempt
	Parked  int       // devices
	Lapsing int       // devices in use whose certificate is expiring or has expired
	Oldest  time.Time // creation time of the oldest; zero if there is none
	// Over counts the simplified documents that have waited longer than each of
	// Ages.
	Over []int

	Unstamped     int // cleared documents whose stamped copy is being requested
	UnstampedLost int // cleared documents whose stamped copy is no longer requested
}

// Ages returns the waiting times after which unreported simplified documents are
// logged and counted.
func Ages() []time.Duration { return []time.Duration{6 * time.Hour, 12 * time.Hour, 20 * time.Hour} }

// Legal is the legal time limit for reporting. A document with less than
// UrgentLeft to go is sent ahead of the turns. An unanswered document older
// than DoubtTime is not sent again automatically, because after 24 hours the
// authority no longer recognises duplicates.
const (
	Legal      = 24 * time.Hour
	UrgentLeft = 4 * time.Hour
	DoubtTime  = 23 * time.Hour
)
