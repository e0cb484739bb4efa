package audit

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
)

// genesis is the previous hash of a device's first document: base64 of the
// hexadecimal SHA-256 of the character 0.
const genesis = "NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ=="

// chain is the state of walking the chain of a device.
type chain struct {
	walk    *walk
	unit    *unit
	counter int64
	hash    string // of the last document, recomputed from its bytes if they could be read
	rowHash string // of the last document, according to its row
	issued  time.Time
}

func (c *chain) find(i Invariant, d *Document, format string, args ...any) {
	f := Fault{Invariant: i, Organisation: c.unit.Organisation, Device: c.unit.ID, Text: fmt.Sprintf(format, args...)}
	if d != nil {
		f.Document, f.Counter = d.ID, d.Counter
	}
	c.walk.report.find(f)
}

// take compares a document with the one before it and records the results.
func (c *chain) take(d *Document, e examined) error {
	for _, f := range e.faults {
		c.walk.report.find(f)
	}
	c.count(d)
	c.crossGap(d.Counter)
	follows := c.checkCounter(d)
	if follows {
		c.checkPrevious(d, e)
	}
	switch {
	case !d.IssuedAt.Before(c.issued):
	case follows && c.released():
		c.walk.released++
	default:
		c.find(CountersRun, d, "it was issued at %s, before its predecessor in the chain (%s)", stamp(d.IssuedAt), stamp(c.issued))
	}
	c.counter, c.rowHash, c.issued = max(c.counter, d.Counter), d.Hash, d.IssuedAt
	if c.hash = e.hash; !e.readable {
		c.hash = d.Hash
	}
	return c.walk.enter(c.unit, d, e)
}

// crossGap advances the end of the chain over declared gaps before a counter.
func (c *chain) crossGap(before int64) {
	for _, g := range c.unit.Gaps {
		if g.First == c.counter+1 && g.Last < before {
			c.counter, c.hash, c.rowHash, c.issued = g.Last, g.Hash, g.Hash, g.IssuedAt
			c.walk.gaps += g.Last - g.First + 1
		}
	}
}

// released reports whether an operator declared the last document to be dated
// in the future, and its date was in the future at that time.
func (c *chain) released() bool {
	return slices.ContainsFunc(c.unit.Releases, func(r Release) bool { return r.Counter == c.counter && r.At.Before(c.issued) })
}

// checkCounter reports whether the counter of the document continues the chain.
// It records a fault if it does not.
func (c *chain) checkCounter(d *Document) bool {
	switch want := c.counter + 1; {
	case d.Counter == want:
		return true
	case d.Counter > want && c.counter == 0:
		c.find(CountersRun, d, "it is the first document of the device, but counters begin with 1: %s missing", counters(want, d.Counter-1))
	case d.Counter > want:
		c.find(CountersRun, d, "it follows counter %d: %s missing", c.counter, counters(want, d.Counter-1))
	case d.Counter == c.counter:
		c.find(CountersRun, d, "another document of the device has the same counter")
	default:
		c.find(CountersRun, d, "it follows counter %d: counters must increase from 1", c.counter)
	}
	return false
}

func counters(from, to int64) string {
	if from == to {
		return fmt.Sprintf("counter %d is", from)
	}
	return fmt.Sprintf("counters %d to %d are", from, to)
}

// checkPrevious compares the previous hash in the document with the hash of the
// previous document. If the bytes of the document cannot be read, it uses the
// previous hash of the row.
func (c *chain) checkPrevious(d *Document, e examined) {
	got := d.PreviousHash
	if e.readable {
		got = e.previous
	}
	switch {
	case d.Counter == 1 && got != genesis:
		c.find(ChainHolds, d, "it is the first document of the device, but its previous hash is %q instead of the initial constant", clipHash(got))
	case d.Counter > 1 && got != c.hash:
		c.find(ChainHolds, d, "its previous hash is %q, but the previous document has the hash %q: the chain is broken or forks here", clipHash(got), c.hash)
	}
}

func clipHash(text string) string {
	const most = 100
	return text[:min(len(text), most)]
}

// end compares the end of the chain with the row of the device.
func (c *chain) end() {
	c.crossGap(math.MaxInt64)
	d := c.unit
	c.unit.line.Last = c.counter
	if d.Counter != c.counter {
		c.find(CountersRun, nil, "the last counter of the device is %d according to its row, but its last document has %d: documents were removed, or added without updating the device", d.Counter, c.counter)
		return
	}
	want := c.rowHash
	if c.counter == 0 {
		want = genesis
	}
	if d.LastHash != want {
		c.find(ChainHolds, nil, "the last hash of the device is %q according to its row, but its last document has %q: the next document would break the chain", clipHash(d.LastHash), clipHash(want))
	}
	if c.counter > 0 && !d.LastIssuedAt.IsZero() && !d.LastIssuedAt.Equal(c.issued) {
		c.find(CountersRun, nil, "the device issued its last document at %s according to its row, but that document is dated %s", stamp(d.LastIssuedAt), stamp(c.issued))
	}
}

// count adds the document to the line of its device.
func (c *chain) count(d *Document) {
	l := c.unit.line
	if l.Documents == 0 {
		l.First = d.Counter
	}
	l.Documents++
	c.walk.report.Documents++
	c.walk.report.Attempts += int64(len(d.Attempts))
	switch {
	case d.Status == Cleared:
		l.Cleared++
		if d.Cleared == nil && d.Unstamped {
			c.walk.unstamped++
		}
	case d.Status == Reported:
		l.Reported++
	case d.Status.rejected():
		l.Rejected++
	default:
		l.Unanswered++
	}
}

// enter passes to the sorters the data that must be compared with other
// streams.
func (w *walk) enter(u *unit, d *Document, e examined) error {
	w.months[monthOf(u.Organisation, d.CreatedAt)]++
	f := fact{
		id: d.ID, kind: factStored, device: u.place, counter: uint64(max(d.Counter, 0)), status: d.Status.place(),
		hash: hashOf(d.Hash), body: e.body, hasBody: w.options.SubmissionBody != nil,
	}
	if t := w.requests[u.place]; t != nil {
		f.created = !d.CreatedAt.Before(t.since)
	}
	if err := w.facts.put(f.bytes()); err != nil {
		return err
	}
	if err := w.enterNumber(u, d); err != nil {
		return err
	}
	if d.IdempotencyKey == "" || w.options.Clients == nil {
		return nil
	}
	k := keyUse{key: keyOf(u.Organisation, d.IdempotencyKey), stored: true, id: d.ID, device: u.place}
	return w.keys.put(k.bytes())
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000 UTC") }

// keyOf returns a digest of an Idempotency-Key of an organisation.
func keyOf(organisation uuid.UUID, key string) [32]byte {
	return digest(organisation.String() + "\x00" + key)
}
