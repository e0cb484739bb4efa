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

// Book stores the documents of organisations in the order of issue.
type Book interface {
	// Append adds documents in one transaction. It locks the organisation's book,
	// the devices, the items and the drafts, always in this order so that two
	// appends cannot deadlock; reads the current state of everything listed in
	// wants; calls decide with it; and writes all that decide returns, or nothing.
	// It may call Wants.More when the book is locked.
	// It returns ErrUnknown if it cannot tell whether the commit succeeded.
	Append(ctx context.Context, of org.Tenant, wants Wants, decide func(*State) (*Entries, error)) error

	// Look reads the same state as Append without locking anything.
	Look(ctx context.Context, of org.Tenant, wants Wants) (*State, error)

	// Issued reports which of the ids are in the book, after waiting for any
	// append in progress.
	Issued(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]bool, error)
}

// ErrUnknown is returned by Append when the database did not report whether the
// commit succeeded.
var ErrUnknown = errors.New("commit outcome unknown: the documents may have been written")

// ErrHalted is wrapped by errors of the book after the database could not make
// written data durable. The last write may be lost, and nothing more is written
// until the process restarts.
var ErrHalted = errors.New("nothing more is written until the service is started again")

// ErrUnwritten is wrapped by errors of kind unavailable when certainly nothing
// was written, so callers need not remember the request.
var ErrUnwritten = errors.New("nothing was written")

// Digest identifies the data of a request for the duplicate guard.
type Digest [sha256.Size]byte

// Wants lists what a State must contain.
type Wants struct {
	Bytes   int       // approximate size of the new documents
	At      time.Time // selects the month of usage
	Seller  bool
	Devices []uuid.UUID
	Items   []uuid.UUID
	Drafts  []uuid.UUID
	Earlier []uuid.UUID
	Guards  []Digest
	Keys    []string
	Buyers  []string // search texts of buyers; see Words.Buyer

	// More adds documents that arrived after Append was called to the batch, within
	// these limits, and returns the new wants of the batch, which replace these. It
	// may be called again if the transaction is repeated. It may be nil.
	More func(documents, bytes int) Wants
}

// State is everything that a document can consume, as of the time it was read.
type State struct {
	Documents int64  // number of documents issued by the organisation
	Stopped   string // why this database may not issue; empty if it may

	Seller  *org.Organisation // nil if not wanted
	Usage   org.Usage
	Series  map[string]Series
	Devices map[uuid.UUID]*Chain
	Stock   map[uuid.UUID]Stock
	Claims  map[uuid.UUID]uuid.UUID // current claims by draft; no entry if the draft was deleted or is not claimed
	Earlier map[uuid.UUID]Earlier
	Guards  map[Digest]Guard
	Keys    map[string]Issued
}

// Series numbers one kind of document in one year.
type Series struct {
	Prefix string
	Year   int
	Last   int64
	First  int64         // first number of the first year
	Ahead  map[int]int64 // last numbers of released later years
}

// Chain is a device with the state of its hash chain.
type Chain struct {
	device.Device
	Key      []byte // sealed
	Released bool   // the next document may be dated before the last one, which is in the future
	Appended bool   // a document was added in this batch
}

// Stock is the remaining stock of an item.
type Stock struct {
	Name   string
	Active bool
	Left   *money.Decimal // nil if unlimited
}

// Guard refuses requests with the data of an issued invoice until a certain
// time.
type Guard struct {
	Invoice uuid.UUID
	Until   time.Time
}

// Issued is a document that was issued with an idempotency key.
type Issued struct {
	Digest  [sha256.Size]byte // of the request data
	Invoice ledger.Invoice    // without its Record
	origin  *member           // set if issued in the same batch
}

// Entries is what one batch writes.
type Entries struct {
	Invoices []Entry
	Devices  []*Chain
	Series   map[string]Series
	Stock    map[uuid.UUID]money.Decimal
	Month    time.Time // month of usage
}

// Entry is one document with everything that is written along with it.
type Entry struct {
	By         org.Actor
	Invoice    ledger.Invoice
	Body       [sha256.Size]byte // digest of the request data, for idempotency
	Guard      Digest
	XML        []byte
	Words      Words
	Credits    []Credit
	Deductions []Deduction
	Draft      uuid.UUID // that it is issued from; zero if none
	Paid       bool      // a receipt over its balance is written with it
}

// Words are the folded texts that an invoice search matches: number,
// idempotency key, and the buyer's names and VAT number. Ids match only exactly.
type Words struct {
	Number string
	Key    string
	Buyer  string
}

// Credit is the amount that a credit note credits to one original.
type Credit struct {
	Original uuid.UUID
	Amount   money.Decimal
	Rows     []ledger.Subtotal // by VAT category, only for an advance
}

// Deduction is what an invoice deducts from one advance.
type Deduction struct {
	Advance uuid.UUID
	Rows    []ledger.Subtotal
}

// GuardTime is how long a repeated request is refused.
const GuardTime = 5 * time.Minute

// ShareTime is how long a share link is valid.
const ShareTime = 30 * 24 * time.Hour
