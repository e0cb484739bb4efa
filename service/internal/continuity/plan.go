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

// Device is a device that issues, as the database has it.
type Device struct {
	DeviceID
	Name     string
	Pending  bool // it cannot issue yet
	End      End
	IssuedAt time.Time // of its last document
}

// Last is the last document of a device, as its verified bytes say.
type Last struct {
	Device       uuid.UUID
	Counter      int64
	Hash         string
	PreviousHash string
	IssuedAt     time.Time
	Kind         string // of its number
	Number       Number
}

// Evidence is what the operator brings to a recovery.
type Evidence struct {
	Complete  bool // nothing is missing
	Last      []Last
	Numbers   map[uuid.UUID]map[string]Number // the last number by organisation and kind
	Unchanged []uuid.UUID                     // devices that issued nothing which is missing
	Retired   []uuid.UUID                     // devices that issue nothing any more
}

// Plan works out a recovery, or returns everything that is missing or
// contradicts it.
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

// complete refuses the operator's word that nothing is missing if something is
// known to be.
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

// planUnknown demands that the operator abandons devices that have issued and
// that the database does not have at all: they were created after the backup.
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
				p.problem("device %s of organisation %s issued %d documents and is not in the database: its chain cannot go on; use --abandon %s", id, organisation, end.Counter, id)
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
		p.problem("device %s (%s) has another document in the database than was issued: its chain cannot go on; use --abandon %s", d.Device, d.Name, d.Device)
	case last != nil:
		p.planGap(d, *last, marked)
	case marked.Counter > d.End.Counter:
		p.problem("device %s (%s) has counter %d in the database and issued %d: give its last document with --last, or use --abandon %s", d.Device, d.Name, d.End.Counter, marked.Counter, d.Device)
	case slices.Contains(p.evidence.Unchanged, d.Device):
	case !p.impliedUnchanged(d, marked):
		p.problem("device %s (%s) has counter %d in the database, and it is not known what it issued since: give its last document with --last, or pass --unchanged %s if it issued nothing else, or use --abandon %s",
			d.Device, d.Name, d.End.Counter, d.Device, d.Device)
	}
}

// marked returns the end of the device's chain that the marks know.
func (p *planning) marked(d Device) End {
	if p.facts.Marks == nil {
		return End{}
	}
	return p.facts.Marks.Books[d.Organisation].Devices[d.Device]
}

func (p *planning) forked(d Device) bool {
	return slices.ContainsFunc(p.facts.Differences, func(f Difference) bool { return f.Device == d.Device && f.Forked })
}

// impliedUnchanged reports whether marks prove that nothing of the device is
// missing. Marks of one server prove nothing about a database that others share.
func (p *planning) impliedUnchanged(d Device, marked End) bool {
	return !p.facts.Identity.Server() && p.facts.Trail == nil && p.facts.Marks != nil && p.facts.Marks.Generation == p.facts.State.Generation && marked.Counter <= d.End.Counter
}

// planGap compares the last document with the database and the marks.
func (p *planning) planGap(d Device, l Last, marked End) {
	for _, other := range p.evidence.Last {
		if other.Device == d.Device && other.Counter == l.Counter && other.Hash != l.Hash {
			p.problem("%s and %s are different documents with the same counter of device %s (%s)", l.Number, other.Number, d.Device, d.Name)
			return
		}
	}
	switch {
	case l.Counter < d.End.Counter:
		p.problem("%s is document %d of device %s (%s), and the database has %d: give a later one, or pass --unchanged %s", l.Number, l.Counter, d.Device, d.Name, d.End.Counter, d.Device)
	case l.Counter < marked.Counter:
		p.problem("%s is document %d of device %s (%s), and it issued %d: give the last one", l.Number, l.Counter, d.Device, d.Name, marked.Counter)
	case l.Counter == marked.Counter && l.Hash != marked.Hash,
		l.Counter == d.End.Counter && l.Hash != d.End.Hash,
		l.Counter == d.End.Counter+1 && d.End.Counter > 0 && l.PreviousHash != d.End.Hash:
		p.problem("%s does not belong to the chain of device %s (%s)", l.Number, d.Device, d.Name)
	case l.Counter > d.End.Counter:
		at := l.IssuedAt
		if at.Before(d.IssuedAt) {
			at = d.IssuedAt // documents show whole seconds
		}
		p.recovery.Gaps = append(p.recovery.Gaps, Gap{
			Organisation: d.Organisation, Device: d.Device, First: d.End.Counter + 1, Last: l.Counter, Hash: l.Hash, IssuedAt: at,
		})
		p.missing[d.Organisation] += l.Counter - d.End.Counter
	}
}

// planNumbers moves the numbers of each organisation behind those that were
// used, or gives it new prefixes if a device is retired.
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

// Kinds are the kinds of numbers.
func Kinds() []string { return []string{"INV", "CRN", "DBN", "ADV"} }

// newPrefixes begins series that cannot have been used before.
func (p *planning) newPrefixes(id uuid.UUID) {
	for _, kind := range Kinds() {
		prefix := kind
		from := p.books[id].Numbers[kind]
		if from.Prefix != "" {
			prefix = from.Prefix
		}
		// Generations are never used twice, so neither is the prefix.
		prefix = fmt.Sprintf("%s%d", strings.TrimRight(prefix, "0123456789"), p.recovery.Generation+1)
		p.recovery.Numbers = append(p.recovery.Numbers, NumberMove{Organisation: id, Kind: kind, From: from, To: Number{Prefix: prefix}})
	}
}

// lastNumbers returns the latest number of each kind that anything knows of.
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
			p.problem("organisation %s: %s cannot be the last number, for %s was issued", id, n, last[kind])
		}
		take(kind, n)
	}
	return last
}

// moveNumbers demands that the numbers account for every document that is
// missing: each has one.
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
			certain = false // how many numbers the year before had is not known
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
