package issue

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Book is where an organisation's documents stand, one after the other.
type Book interface {
	// Append is the one transaction by which documents come to be. It takes the
	// organisation's book, the devices, the items and the drafts in this order, so
	// that no two can wait for each other; reads the current state of everything
	// that the wants name; calls decide with it; and writes what decide returns,
	// or nothing.
	// When it cannot know whether it was written, it returns ErrUnknown.
	Append(ctx context.Context, of org.Tenant, wants Wants, decide func(*State) (*Entries, error)) error

	// Look reads the same state without taking anything.
	Look(ctx context.Context, of org.Tenant, wants Wants) (*State, error)

	// Issued says which of the ids stand in the book, after whoever is writing
	// in it has finished.
	Issued(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]bool, error)
}

// ErrUnknown is what Append returns when the database did not say whether it
// has committed.
var ErrUnknown = errors.New("whether the documents were written is not known")

// ErrHalted is in what the book returns once the database could not make
// written data durable: until the process is started again nothing is written,
// and what was written last may or may not be there.
var ErrHalted = errors.New("nothing more is written until the service is started again")

// ErrUnwritten is in what is unavailable for now and has certainly not been
// written: nothing about it need be kept until its outcome is known.
var ErrUnwritten = errors.New("nothing was written")

// Digest names the data of a request, for the duplicate guard.
type Digest [sha256.Size]byte

// Wants names what a State must hold.
type Wants struct {
	At      time.Time // decides the month of usage
	Devices []uuid.UUID
	Items   []uuid.UUID
	Drafts  []uuid.UUID
	Earlier []uuid.UUID
	Guards  []Digest
	Keys    []string
}

// State is everything that a document consumes, as it was when it was read.
type State struct {
	Documents int64  // that the organisation has issued
	Stopped   string // why nothing may be issued from this database; empty: it may

	Usage   org.Usage
	Series  map[string]Series
	Devices map[uuid.UUID]*Chain
	Stock   map[uuid.UUID]Stock
	Claims  map[uuid.UUID]uuid.UUID // which claim holds a draft; none if it is removed, or nobody's
	Earlier map[uuid.UUID]Earlier
	Guards  map[Digest]Guard
	Keys    map[string]Issued
}

// Series is a sequence of numbers: of one kind of document, in one year.
type Series struct {
	Prefix string
	Year   int
	Last   int64
	First  int64         // what the very first year began with
	Ahead  map[int]int64 // the last number of later years that were released
}

// Chain is a device and the end of its chain.
type Chain struct {
	device.Device
	Key      []byte // sealed
	Released bool   // its last document is dated in the future, and the next need not be
	Appended bool   // a document was added
}

// Stock is what is left of an item; nil is unlimited.
type Stock struct {
	Name   string
	Active bool
	Left   *money.Decimal
}

// Guard refuses the same data for a while.
type Guard struct {
	Invoice uuid.UUID
	Until   time.Time
}

// Issued is what is known of a document that was issued with an idempotency
// key.
type Issued struct {
	Digest  [sha256.Size]byte // of the data it was asked for with
	Invoice ledger.Invoice    // without its record
	origin  *member           // of the same batch
}

// Entries is what a batch writes.
type Entries struct {
	Invoices []Entry
	Devices  []*Chain
	Series   map[string]Series
	Stock    map[uuid.UUID]money.Decimal
	Month    time.Time // of usage
}

// Entry is one document and everything that is written with it.
type Entry struct {
	By       org.Actor
	Invoice  ledger.Invoice
	Body     [sha256.Size]byte // digest of the data, for idempotency
	Guard    Digest
	XML      []byte
	Words    Words
	Credits  []Credit
	Advances []uuid.UUID
}

// Words is what a document is found by, folded: its number, its idempotency
// key, and what it says of its buyer. Whoever searches for an id has all of it.
type Words struct {
	Number string
	Key    string
	Buyer  string
}

// Credit is how much of an original a credit note takes.
type Credit struct {
	Original uuid.UUID
	Amount   money.Decimal
	Rows     []ledger.Subtotal // of an advance, by category
}

// GuardTime is how long the same data is refused.
const GuardTime = 5 * time.Minute

// ShareTime is how long a link lives.
const ShareTime = 30 * 24 * time.Hour
