// Package continuity detects a database that lacks documents which were already
// issued, for example after a restored backup, a rollback or a failover, and
// plans how issuing can continue. Issuing from such a database would fork the
// chains of its devices and use numbers twice.
//
// The issued documents are recorded in marks: a small file outside the database
// and outside the data folder. Each server writes its own.
package continuity

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Identity distinguishes a database from its copies. Fields that an engine does
// not have, or does not reveal, are zero.
type Identity struct {
	Inode uint64 `json:"inode,omitempty"` // inode of the SQLite file
	Born  int64  `json:"born,omitempty"`  // birth time of the SQLite file, in nanoseconds

	System   string `json:"system,omitempty"`   // system identifier of PostgreSQL
	Timeline string `json:"timeline,omitempty"` // timeline of PostgreSQL
	Database uint32 `json:"database,omitempty"` // OID of the PostgreSQL database
	Table    uint32 `json:"table,omitempty"`    // OID of the table installation in PostgreSQL
}

// Server reports whether the identity belongs to a database server, which
// several processes share and which can fail over.
func (i Identity) Server() bool { return i.Inode == 0 && i.Born == 0 }

// Same reports whether two identities can belong to the same database. A field
// that is zero on one side is not compared.
func (i Identity) Same(as Identity) bool {
	return same(i.Inode, as.Inode) && same(i.Born, as.Born) && same(i.System, as.System) &&
		same(i.Timeline, as.Timeline) && same(i.Database, as.Database) && same(i.Table, as.Table)
}

func same[T comparable](a, b T) bool {
	var zero T
	return a == b || a == zero || b == zero
}

// State is the continuity state that is recorded in the database.
type State struct {
	Generation int64     // increases with each recovery
	Identity   *Identity // at the last comparison; nil if there was none
	StoppedAt  time.Time // zero if issuing is not stopped
	Reason     string    // why issuing is stopped
	TrailHead  []byte    // sealed end of the audit trail at the last recovery; nil if there was none

	Replication *Replication // synchronous replication that was in force; nil if there was none
}

// Stopped reports whether issuing is stopped.
func (s State) Stopped() bool { return !s.StoppedAt.IsZero() }

// Books maps the ids of organisations to their books.
type Books map[uuid.UUID]Book

// Book holds the ends of one organisation's chains and number series.
type Book struct {
	Documents int64             `json:"documents"`
	Numbers   map[string]Number `json:"numbers,omitempty"` // by kind: INV, CRN, DBN, ADV
	Devices   map[uuid.UUID]End `json:"devices,omitempty"`
	// Ahead maps a kind to the last number of a future year, if a wrong clock
	// moved the series to that year and the series was released since. Marks do
	// not contain it.
	Ahead map[string]Number `json:"-"`
}

// Number is the last used number of a series.
type Number struct {
	Prefix string `json:"prefix"`
	Year   int    `json:"year"`
	Last   int64  `json:"last"`
}

// String returns the number as printed on documents, or only the prefix if no
// number has been used.
func (n Number) String() string {
	if n.Year == 0 {
		return n.Prefix
	}
	return fmt.Sprintf("%s%06d", n.Series(), n.Last)
}

// Series returns the text before the number, for example "INV-2026-".
func (n Number) Series() string { return fmt.Sprintf("%s-%d-", n.Prefix, n.Year) }

// After reports whether n is later than o. Numbers with different prefixes
// belong to different series and are not compared, except that any number is
// later than the zero Number.
func (n Number) After(o Number) bool {
	if n.Prefix != o.Prefix {
		return o.Prefix == ""
	}
	return n.Year > o.Year || n.Year == o.Year && n.Last > o.Last
}

// End is the end of a device's chain.
type End struct {
	Counter int64  `json:"counter"`
	Hash    string `json:"hash"`
	Retired bool   `json:"retired,omitempty"` // the device does not issue any more
}

// merge returns b with all later entries of o.
func (b Book) merge(o Book) Book {
	b.Documents = max(b.Documents, o.Documents)
	numbers := map[string]Number{}
	for kind, n := range b.Numbers {
		numbers[kind] = n
	}
	for kind, n := range o.Numbers {
		if before, known := numbers[kind]; !known || n.Prefix != before.Prefix || n.After(before) {
			numbers[kind] = n
		}
	}
	devices := map[uuid.UUID]End{}
	for id, end := range b.Devices {
		devices[id] = end
	}
	for id, end := range o.Devices {
		if end.Counter >= devices[id].Counter {
			devices[id] = end
		}
	}
	b.Numbers, b.Devices = numbers, devices
	return b
}
