package continuity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// Kept is what the database holds of an organisation that marks know.
type Kept struct {
	Book
	// Marked has, for each device of the marks, the hash of the document with the
	// marked counter; empty if there is none.
	Marked map[uuid.UUID]string
}

// Difference is something that the marks know and the database lacks or has
// differently.
type Difference struct {
	Organisation uuid.UUID
	Device       uuid.UUID // zero for a number or the count of documents
	Kind         string    // of a number
	Marks        string
	Database     string
	Forked       bool // the database has another document in that place
}

// String describes the difference to the operator.
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

// Compare returns what the marks of one organisation know and the database does
// not have.
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

// CompareOlder returns what marks from before a recovery know and the database
// still does not have. A recovery declares documents as missing, so their count
// and their hashes say nothing; but it moves counters and numbers only forward.
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

// issuedAhead reports whether a number is one of a later year that the series was
// released from.
func (b Book) issuedAhead(kind string, n Number) bool {
	ahead, released := b.Ahead[kind]
	return released && n.Prefix == ahead.Prefix && !n.After(ahead)
}

// Facts are what a server knows when it decides whether the database is
// complete.
type Facts struct {
	State       State
	Identity    Identity     // of the database as it is now
	Marks       *Record      // nil: there are none for this generation
	Differences []Difference // between marks and database
	Trail       error        // not nil: the database does not have the end of the audit trail that is kept outside it
}

// Judge returns why the database must be taken as incomplete, or "" if it is
// known to be complete. It does not look at whether issuing is stopped already.
func (f Facts) Judge() string {
	changed := f.State.Identity != nil && !f.State.Identity.Same(f.Identity)
	switch {
	case f.Marks != nil && f.Marks.Generation > f.State.Generation:
		return "the database is older than the last recovery"
	case len(f.Differences) > 0:
		return f.Differences[0].String()
	case f.Trail != nil:
		return f.Trail.Error()
	case f.Identity.Server() && changed:
		return "the database server was restored, replaced or promoted, and other servers may have issued documents that this one does not know of"
	case f.Identity.Server() && f.Marks != nil && f.Marks.Identity != nil && !f.Marks.Identity.Same(f.Identity):
		return "the database server was restored, replaced or promoted since this server issued its last document"
	case f.Marks == nil && changed:
		return "the database is not the one that was used before, and there are no marks to compare it with"
	}
	return ""
}
