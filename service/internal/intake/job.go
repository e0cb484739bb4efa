package intake

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Limits of an import.
const (
	MaxRows   = 50_000   // rows of a file, without the heading
	MaxFile   = 20 << 20 // bytes of a file
	MaxActive = 10       // jobs of an organisation that are being checked or run
	MaxKept   = 50       // jobs of an organisation that have ended and are kept
)

// Lease is how long a server has a job that it has taken, after each step.
const Lease = 15 * time.Second

// Forget is how long a job that was checked waits until it is run.
const Forget = 7 * 24 * time.Hour

// ErrTaken is the error of a step if another server has taken the job, or if the
// job was cancelled.
var ErrTaken = errors.New("the import is no longer this server's")

// Batch is the number of rows of one step.
const Batch = 200

// Kind is what the rows of a file are.
type Kind string

// The kinds.
const (
	Clients  Kind = "clients"
	Items    Kind = "items"
	Invoices Kind = "earlier_invoices" // of an older system; never the kind of a job
)

// State is the state of a job.
type State string

// The states. A job that has been checked waits until a person runs it.
const (
	Checking  State = "checking"
	Checked   State = "checked"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Active reports whether a job in this state is being processed.
func (s State) Active() bool { return s == Checking || s == Running }

// Fate is what happens to a row. In a job that has only been checked, it is what
// would happen.
type Fate string

// The fates.
const (
	Create    Fate = "create"    // becomes a new record
	Change    Fate = "change"    // changes an existing record
	Unchanged Fate = "unchanged" // there is such a record, with the same data
	Differs   Fate = "differs"   // there is such a record, with other data, which it keeps
	Repeated  Fate = "repeated"  // an earlier row of the file is about the same record
	Refused   Fate = "refused"   // the row has problems
)

// Fates returns all fates.
func Fates() []Fate { return []Fate{Create, Change, Unchanged, Differs, Repeated, Refused} }

// Job is an import of one file.
type Job struct {
	ID       uuid.UUID
	Kind     Kind
	State    State
	Filename string // as uploaded; may be empty
	File     string // storage key; empty once the file was removed
	Options  Options
	Total    int          // rows of the file
	Done     int          // rows that were checked, or run
	Counts   map[Fate]int // rows by fate, among those that are done
	Problem  fault.Code   // why it failed; empty otherwise
	By       org.Actor    // who created it, or who ran it
	Turn     int64        // number of times that a server took it
	Created  time.Time
	Changed  time.Time
}

// Options are the choices of the person who uploads a file.
type Options struct {
	Update  bool     `json:"update,omitempty"`  // change existing records whose data differs
	Columns []Column `json:"columns,omitempty"` // in addition to the headings that are known
}

// Column says where the value of a field is: in the column with a heading, or the
// same for all rows.
type Column struct {
	Field   string `json:"field"`
	Heading string `json:"heading,omitempty"`
	Value   string `json:"value,omitempty"`
}

// Result is the fate of a row.
type Result struct {
	Row      int    // number in the file, from 1
	Name     string // name of the client or item, to recognise the row
	Fate     Fate
	Record   uuid.UUID // existing or new record; zero if there is no such record
	First    int       // of a repeated row: number of the earlier one
	Problems []fault.Problem

	identity []byte // of a row that others can repeat; nil otherwise
	code     []byte // of its barcode
	row      *Row
}

// Keys returns the identity of the row and that of its barcode, which no other row
// of the file may have. They are nil if the row has none or is not imported.
func (r *Result) Keys() (identity, code []byte) { return r.identity, r.code }
