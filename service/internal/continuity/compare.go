package continuity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// Kept is the part of the database that is compared with the marks of an
// organisation.
type Kept struct {
	Book
	// Marked maps each device of the marks to the hash that the database has
	// for the document with the marked counter; empty if there is none.
	Marked map[uuid.UUID]string
}

// Difference is an entry of the marks that the database lacks or contradicts.
type Difference struct {
	Organisation uuid.UUID
	Device       uuid.UUID // zero if the difference is in a number or the document count
	Kind         string    // kind of the number, such as INV
	Marks        string
	Database     string
	Forked       bool // the database has another document with the same counter
}

// String describes the difference for the operator.
func (d Difference) String() string {
	what := "documents"
	switch {
	case d.Device != uuid.Nil:
		what = "device " + d.Device.String()
	case d.Kind != "":
		what = "last number " + d.Kind
	}
	text := fmt.Sprintf("organisation %s, %s: the marks have %s, the database %s", d.Organisation, what, d.Marks, d.Database)
	if d.Forked {
		text += " (another document)"
	}
	return text
}

// Compare returns the differences between the marks of one organisation and the
// database.
func Compare(organisation uuid.UUID, marks Book, kept Kept) []Difference {
	var found []Difference
	if marks.Documents > kept.Documents {
		found = append(found, Difference{Organisation: organisation, Marks: fmt.Sprint(marks.Documents), Database: fmt.Sprint(kept.Documents)})
	}
	for _, kind := range slices.Sorted(maps.Keys(marks.Numbers)) {
		if n, have := marks.Numbers[kind], kept.Numbers[kind]; n.After(have) && !kept.issuedAhead(kind, n) {
			found = append(found, Difference{Organisation: organisation, Kind: kind, Marks: n.String(), Database: have.String()})
		}
	}
	byID := func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) }
	for _, id := range slices.SortedFunc(maps.Keys(marks.Devices), byID) {
		end, have := marks.Devices[id], kept.Devices[id]
		d := Difference{Organisation: organisation, Device: id, Marks: fmt.Sprint("counter ", end.Counter), Database: fmt.Sprint("counter ", have.Counter)}
		switch {
		case end.Counter > have.Counter:
			found = append(found, d)
		case end.Counter > 0 && kept.Marked[id] != end.Hash:
			d.Forked = true
			found = append(found, d)
		}
	}
	return found
}

// CompareOlder returns the differences between marks from before a recovery and
// the database. It ignores the document count and the hashes, because a
// recovery declares documents as missing. It compares counters and numbers,
// which a recovery only moves forward.
func CompareOlder(organisation uuid.UUID, marks Book, kept Book) []Difference {
	seen := Book{Numbers: marks.Numbers, Devices: map[uuid.UUID]End{}}
	have := Kept{Book: kept, Marked: map[uuid.UUID]string{}}
	for id, end := range marks.Devices {
		if kept.Devices[id].Retired || end.Retired {
			continue
		}
		seen.Devices[id], have.Marked[id] = end, end.Hash
	}
	return Compare(organisation, seen, have)
}

// issuedAhead reports whether n is a number of a future year that was issued
// before the series was released.
func (b Book) issuedAhead(kind string, n Number) bool {
	ahead, released := b.Ahead[kind]
	return released && n.Prefix == ahead.Prefix && !n.After(ahead)
}

// Facts are the inputs of the decision whether the database is complete.
type Facts struct {
	State       State
	Identity    Identity     // identity of the database now
	Marks       *Record      // nil if there are none for this generation
	Differences []Difference // between the marks and the database
	Trail       error        // error if the database lacks the end of the audit trail that is kept outside it
	Proven      bool         // the archive of the database showed that it is complete
}

// Judge returns why the database must be considered incomplete, or "" if it is
// complete as far as known. It does not take into account whether issuing is
// already stopped.
func (f Facts) Judge() string {
	changed := f.State.Identity != nil && !f.State.Identity.Same(f.Identity)
	switch {
	case f.Marks != nil && f.Marks.Generation > f.State.Generation:
		return "the database is older than the last recovery"
	case len(f.Differences) > 0:
		return f.Differences[0].String()
	case f.Trail != nil:
		return f.Trail.Error()
	case f.Proven:
		return ""
	case f.Identity.Server() && changed:
		return "the database server was restored, replaced or promoted, and other servers may have issued documents that this one does not know of"
	case f.Identity.Server() && f.Marks != nil && f.Marks.Identity != nil && !f.Marks.Identity.Same(f.Identity):
		return "the database server was restored, replaced or promoted since this server issued its last document"
	case f.Marks == nil && changed:
		return "the database is not the one that was used before, and there are no marks to compare it with"
	}
	return ""
}
