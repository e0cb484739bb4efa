// Package continuity detects a database that lacks documents which were already
// issued, as after a restored backup, a rollback or a failover, and works out
// how issuing can go on. Issuing from such a database would fork the chains of
// its devices and use numbers twice.
//
// What was issued is recorded in marks: a small file outside the data folder and
// outside the database, kept by each server for itself.
package continuity

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Identity tells a database from its copies. Fields that an engine does not
// have, or does not reveal, are zero.
type Identity struct {
	Inode uint64 `json:"inode,omitempty"` // of the SQLite file
	Born  int64  `json:"born,omitempty"`  // birth time of the SQLite file, in nanoseconds

	System   string `json:"system,omitempty"`   // PostgreSQL's system identifier
	Timeline string `json:"timeline,omitempty"` // PostgreSQL's timeline
	Database uint32 `json:"database,omitempty"` // OID of the database
	Table    uint32 `json:"table,omitempty"`    // OID of the table installation
}

// Server reports whether the identity is that of a database server, which
// several processes share and which can fail over.
func (i Identity) Server() bool { return i.Inode == 0 && i.Born == 0 }

// Same reports whether two identities can belong to the same database. A field
// that is missing on one side is not compared.
func (i Identity) Same(as Identity) bool {
	return same(i.Inode, as.Inode) && same(i.Born, as.Born) && same(i.System, as.System) &&
		same(i.Timeline, as.Timeline) && same(i.Database, as.Database) && same(i.Table, as.Table)
}

func same[T comparable](a, b T) bool {
	var zero T
	return a == b || a == zero || b == zero
}

// State is what the database records about its own continuity.
type State struct {
	Generation int64     // grows with each recovery
	Identity   *Identity // when it was last compared; nil: never
	StoppedAt  time.Time // since when nothing is issued; zero: issuing goes on
	Reason     string    // why nothing is issued
	TrailHead  []byte    // sealed end of the audit trail at the last recovery; nil before the first
}

// Stopped reports whether nothing may be issued.
func (s State) Stopped() bool { return !s.StoppedAt.IsZero() }

// Books are the ends of the chains and numbers of organisations, by their ids.
type Books map[uuid.UUID]Book

// Book is where the documents of one organisation end.
type Book struct {
	Documents int64             `json:"documents"`
	Numbers   map[string]Number `json:"numbers,omitempty"` // by kind: INV, CRN, DBN, ADV
	Devices   map[uuid.UUID]End `json:"devices,omitempty"`
	// Ahead has the last number of a kind in a later year than the present one,
	// if the series was released from a clock in the future. Marks do not have it.
	Ahead map[string]Number `json:"-"`
}

// Number is the last number of a series.
type Number struct {
	Prefix string `json:"prefix"`
	Year   int    `json:"year"`
	Last   int64  `json:"last"`
}

// String returns the number as documents show it, or the prefix alone if no
// number was used yet.
func (n Number) String() string {
	if n.Year == 0 {
		return n.Prefix
	}
	return fmt.Sprintf("%s%06d", n.Series(), n.Last)
}

// Series returns the text before the number, such as INV-2026-.
func (n Number) Series() string { return fmt.Sprintf("%s-%d-", n.Prefix, n.Year) }

// After reports whether n is a later number than o of the same series. A new
// prefix begins a new series, which is later than any other.
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
	Retired bool   `json:"retired,omitempty"` // the device issues nothing any more
}

// merge adds what o knows beyond b.
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
