package continuity

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Device is an issuing device as recorded in the database.
type Device struct {
	DeviceID
	Name     string
	Pending  bool // the device cannot issue yet
	End      End
	IssuedAt time.Time // issue time of its last document
}

// Last is the last document of a device, read from its verified bytes.
type Last struct {
	Device       uuid.UUID
	Counter      int64
	Hash         string
	PreviousHash string
	IssuedAt     time.Time
	Kind         string // kind of its number
	Number       Number
}

// Evidence is the information that the operator provides for a recovery.
type Evidence struct {
	Complete  bool // the operator confirms that no document is missing
	Last      []Last
	Numbers   map[uuid.UUID]map[string]Number // last number by organisation and kind
	Unchanged []uuid.UUID                     // devices of which no document is missing
	Retired   []uuid.UUID                     // devices that must not issue any more
}

// Plan returns the recovery that follows from the evidence. The error lists
// everything that is missing or contradictory.
func Plan(f Facts, books Books, devices []Device, e Evidence) (Recovery, error) {
	p := planning{facts: f, books: books, devices: devices, evidence: e, missing: map[uuid.UUID]int64{}, retired: map[uuid.UUID]bool{}}
	p.recovery.Identity = f.Identity
	p.recovery.Generation = f.State.Generation + 1
	if f.Marks != nil {
		p.recovery.Generation = max(p.recovery.Generation, f.Marks.Generation+1)
	}
	if e.Complete {
		p.complete()
	} else {
		p.planDevices()
		p.planNumbers()
	}
	return p.recovery, errors.Join(p.problems...)
}

type planning struct {
	facts    Facts
	books    Books
	devices  []Device
	evidence Evidence
	recovery Recovery
	missing  map[uuid.UUID]int64 // documents in gaps, by organisation
	retired  map[uuid.UUID]bool  // organisations with a retired device
	problems []error
}

func (p *planning) problem(format string, args ...any) {
	p.problems = append(p.problems, fmt.Errorf(format, args...))
}

// complete adds a problem for each sign that documents are missing, although
// the operator has confirmed that the database is complete.
func (p *planning) complete() {
	for _, d := range p.facts.Differences {
		p.problem("the database is not complete: %s", d)
	}
	if p.facts.Trail != nil {
		p.problem("the database is not complete: %w", p.facts.Trail)
	}
	if p.facts.Marks != nil && p.facts.Marks.Generation > p.facts.State.Generation {
		p.problem("the database is not complete: it is older than the last recovery")
	}
}

func (p *planning) planDevices() {
	known := map[uuid.UUID]bool{}
	for _, d := range p.devices {
		known[d.Device] = true
		p.planDevice(d)
	}
	p.planUnknown(known)
	for _, l := range p.evidence.Last {
		if !known[l.Device] {
			p.problem("device %s of the document %s does not exist or is retired", l.Device, l.Number)
		}
	}
	for _, id := range slices.Concat(p.evidence.Unchanged, p.evidence.Retired) {
		if !known[id] {
			p.problem("device %s does not exist or is retired", id)
		}
	}
}

// planUnknown adds a problem for each device that has issued and is not in the
// database, because it was created after the backup, unless the operator
// abandons it.
func (p *planning) planUnknown(known map[uuid.UUID]bool) {
	if p.facts.Marks == nil {
		return
	}
	for organisation, b := range p.facts.Marks.Books {
		for id, end := range b.Devices {
			kept, there := p.books[organisation].Devices[id]
			if known[id] || end.Retired || end.Counter == 0 || there && kept.Retired {
				continue
			}
			known[id] = true
			if !slices.Contains(p.evidence.Retired, id) {
				p.problem("device %s of organisation %s issued %d documents and is not in the database: its chain cannot be continued; use --abandon %s", id, organisation, end.Counter, id)
			}
			p.retired[organisation] = true
		}
	}
}

func (p *planning) planDevice(d Device) {
	marked := p.marked(d)
	var last *Last
	for i, l := range p.evidence.Last {
		if l.Device == d.Device && (last == nil || l.Counter > last.Counter) {
			last = &p.evidence.Last[i]
		}
	}
	switch {
	case slices.Contains(p.evidence.Retired, d.Device):
		p.recovery.Retired = append(p.recovery.Retired, d.DeviceID)
		p.retired[d.Organisation] = true
	case marked.Retired:
		p.problem("device %s (%s) was abandoned in a recovery that this database does not have: use --abandon %s again", d.Device, d.Name, d.Device)
	case d.Pending && marked.Counter == 0:
	case d.Pending:
		p.problem("device %s (%s) issued %d documents, and in the database it cannot issue yet: use --abandon %s", d.Device, d.Name, marked.Counter, d.Device)
	case p.forked(d):
		p.problem("device %s (%s) has another document in the database than was issued: its chain cannot be continued; use --abandon %s", d.Device, d.Name, d.Device)
	case last != nil:
		p.planGap(d, *last, marked)
	case marked.Counter > d.End.Counter:
		p.problem("device %s (%s) has counter %d in the database but issued %d: give its last document with --last, or use --abandon %s", d.Device, d.Name, d.End.Counter, marked.Counter, d.Device)
	case slices.Contains(p.evidence.Unchanged, d.Device):
	case !p.impliedUnchanged(d, marked):
		p.problem("device %s (%s) has counter %d in the database, and it is not known what it issued since: give its last document with --last, or pass --unchanged %s if it issued nothing else, or use --abandon %s",
			d.Device, d.Name, d.End.Counter, d.Device, d.Device)
	}
}

// marked returns the end of the device's chain in the marks.
func (p *planning) marked(d Device) End {
	if p.facts.Marks == nil {
		return End{}
	}
	return p.facts.Marks.Books[d.Organisation].Devices[d.Device]
}

func (p *planning) forked(d Device) bool {
	return slices.ContainsFunc(p.facts.Differences, func(f Difference) bool { return f.Device == d.Device && f.Forked })
}

// impliedUnchanged reports whether the marks prove that no document of the
// device is missing. The marks of one server prove nothing about a database
// shared with other servers.
func (p *planning) impliedUnchanged(d Device, marked End) bool {
	return !p.facts.Identity.Server() && p.facts.Trail == nil && p.facts.Marks != nil && p.facts.Marks.Generation == p.facts.State.Generation && marked.Counter <= d.End.Counter
}

// planGap checks the last document of a device against the database and the
// marks and adds the gap.
func (p *planning) planGap(d Device, l Last, marked End) {
	for _, other := range p.evidence.Last {
		if other.Device == d.Device && other.Counter == l.Counter && other.Hash != l.Hash {
			p.problem("%s and %s are different documents with the same counter of device %s (%s)", l.Number, other.Number, d.Device, d.Name)
			return
		}
	}
	switch {
	case l.Counter < d.End.Counter:
		p.problem("%s is document %d of device %s (%s), but the database has %d: give a later document, or pass --unchanged %s", l.Number, l.Counter, d.Device, d.Name, d.End.Counter, d.Device)
	case l.Counter < marked.Counter:
		p.problem("%s is document %d of device %s (%s), but it issued %d: give the last document", l.Number, l.Counter, d.Device, d.Name, marked.Counter)
	case l.Counter == marked.Counter && l.Hash != marked.Hash,
		l.Counter == d.End.Counter && l.Hash != d.End.Hash,
		l.Counter == d.End.Counter+1 && d.End.Counter > 0 && l.PreviousHash != d.End.Hash:
		p.problem("%s does not belong to the chain of device %s (%s)", l.Number, d.Device, d.Name)
	case l.Counter > d.End.Counter:
		at := l.IssuedAt
		if at.Before(d.IssuedAt) {
			at = d.IssuedAt // documents contain whole seconds only
		}
		p.recovery.Gaps = append(p.recovery.Gaps, Gap{
			Organisation: d.Organisation, Device: d.Device, First: d.End.Counter + 1, Last: l.Counter, Hash: l.Hash, IssuedAt: at,
		})
		p.missing[d.Organisation] += l.Counter - d.End.Counter
	}
}

// planNumbers moves the number series of each organisation past the numbers
// that were used, or starts series with new prefixes if a device is retired.
func (p *planning) planNumbers() {
	organisations := map[uuid.UUID]bool{}
	for _, d := range p.devices {
		organisations[d.Organisation] = true
	}
	for id := range p.books {
		organisations[id] = true
	}
	for id := range p.evidence.Numbers {
		organisations[id] = true
	}
	for _, id := range slices.SortedFunc(maps.Keys(organisations), func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) }) {
		if p.retired[id] {
			p.newPrefixes(id)
			continue
		}
		p.moveNumbers(id, p.lastNumbers(id))
	}
}

// Kinds returns the kinds of numbers.
func Kinds() []string { return []string{"INV", "CRN", "DBN", "ADV"} }

// newPrefixes starts series with prefixes that have not been used before.
func (p *planning) newPrefixes(id uuid.UUID) {
	for _, kind := range Kinds() {
		prefix := kind
		from := p.books[id].Numbers[kind]
		if from.Prefix != "" {
			prefix = from.Prefix
		}
		// A generation is never used twice, so a prefix with it is new.
		prefix = fmt.Sprintf("%s%d", strings.TrimRight(prefix, "0123456789"), p.recovery.Generation+1)
		p.recovery.Numbers = append(p.recovery.Numbers, NumberMove{Organisation: id, Kind: kind, From: from, To: Number{Prefix: prefix}})
	}
}

// lastNumbers returns the last known number of each kind.
func (p *planning) lastNumbers(id uuid.UUID) map[string]Number {
	last := map[string]Number{}
	take := func(kind string, n Number) {
		if n.After(last[kind]) {
			last[kind] = n
		}
	}
	if p.facts.Marks != nil {
		for kind, n := range p.facts.Marks.Books[id].Numbers {
			if !p.books[id].issuedAhead(kind, n) {
				take(kind, n)
			}
		}
	}
	for _, l := range p.evidence.Last {
		if slices.ContainsFunc(p.devices, func(d Device) bool { return d.Device == l.Device && d.Organisation == id }) {
			take(l.Kind, l.Number)
		}
	}
	for kind, n := range p.evidence.Numbers[id] {
		if last[kind].After(n) {
			p.problem("organisation %s: %s cannot be the last number: %s was issued", id, n, last[kind])
		}
		take(kind, n)
	}
	return last
}

// moveNumbers moves the number series and checks that the skipped numbers
// account for all missing documents, because each document has a number.
func (p *planning) moveNumbers(id uuid.UUID, last map[string]Number) {
	accounted, certain := int64(0), true
	for _, kind := range Kinds() {
		to, known := last[kind]
		have := p.books[id].Numbers[kind]
		if !known || !to.After(have) {
			continue
		}
		move := NumberMove{Organisation: id, Kind: kind, First: 1, From: have, To: to}
		switch {
		case have.Prefix == to.Prefix && have.Year == to.Year:
			move.First = have.Last + 1
		case have.Year > 0:
			certain = false // the last number of the previous year is not known
		}
		accounted += to.Last - move.First + 1
		p.recovery.Numbers = append(p.recovery.Numbers, move)
	}
	missing := p.missing[id]
	switch {
	case certain && accounted != missing:
		p.problem("organisation %s: %d documents are missing, and their numbers account for %d: give the last number of each kind with --number, such as --number INV-2026-000123", id, missing, accounted)
	case !certain && p.facts.Marks == nil:
		for kind := range p.books[id].Numbers {
			if _, given := p.evidence.Numbers[id][kind]; !given {
				p.problem("organisation %s: a year has ended since the backup: give the last number of kind %s with --number, also if it is still %s", id, kind, p.books[id].Numbers[kind])
			}
		}
	}
}
