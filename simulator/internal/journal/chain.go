package journal

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxFaults is the number of faults that are listed for each device.
const maxFaults = 20

// chain collects the documents of one device during an audit.
type chain struct {
	row   Row
	seed  maphash.Seed
	links map[uint64]link   // by counter
	extra map[uint64][]link // further documents with the same counter
}

// link is one document in 16 bytes.
type link struct {
	hash     uint64 // keyed hash; the lowest bit is set if the document was accepted
	previous uint64 // keyed hash with the lowest bit 0
}

const accepted = 1

func (c *chain) keyed(text string) uint64 { return maphash.String(c.seed, text) &^ accepted }

func (l link) is(hash uint64) bool { return l.hash&^accepted == hash }

func newChain(seed maphash.Seed, r Record) *chain {
	return &chain{
		row:   Row{Environment: strings.Clone(r.Environment), Device: strings.Clone(r.Device)},
		seed:  seed,
		links: map[uint64]link{},
		extra: map[uint64][]link{},
	}
}

func (c *chain) fault(kind FaultKind, counter, until uint64, format string, args ...any) {
	if len(c.row.Faults) < maxFaults {
		c.row.Faults = append(c.row.Faults, Fault{kind, counter, until, fmt.Sprintf(format, args...)})
	}
}

// take adds one submission.
func (c *chain) take(r Record) {
	c.row.Submissions++
	counter, err := strconv.ParseUint(r.Counter, 10, 64)
	if err != nil || counter == 0 {
		c.row.Unreadable++
		c.fault(Unreadable, 0, 0, "document %s has the invalid counter %q", r.UUID, r.Counter)
		return
	}
	hash := c.keyed(r.Hash)
	first, taken := c.links[counter]
	switch {
	case !taken:
		first = link{hash, c.keyed(r.PreviousHash)}
		c.row.Documents++
		c.links[counter] = c.verdict(first, r, counter)
	case first.is(hash):
		c.links[counter] = c.verdict(first, r, counter)
	default:
		c.another(r, counter, hash)
	}
}

// another adds a document whose counter is already used by a different one.
func (c *chain) another(r Record, counter, hash uint64) {
	for i, l := range c.extra[counter] {
		if l.is(hash) {
			c.extra[counter][i] = c.verdict(l, r, counter)
			return
		}
	}
	c.row.Documents++
	c.row.Forks++
	c.fault(Fork, counter, 0, "document %s has the same counter as another document", r.UUID)
	c.extra[counter] = append(c.extra[counter], c.verdict(link{hash, c.keyed(r.PreviousHash)}, r, counter))
}

// verdict returns the link, marked as accepted if the record is.
func (c *chain) verdict(l link, r Record, counter uint64) link {
	if r.Outcome != Accepted {
		return l
	}
	if l.hash&accepted != 0 {
		c.row.Repeats++
		c.fault(Repeat, counter, 0, "document %s was accepted as new more than once", r.UUID)
		return l
	}
	c.row.Accepted++
	l.hash |= accepted
	return l
}

// finish checks the chain in the order of the counters and returns its row.
func (c *chain) finish() Row {
	counters := slices.Sorted(maps.Keys(c.links))
	expected := uint64(1)
	for _, n := range counters {
		if n > expected {
			c.row.Gaps++
			c.row.Missing += n - expected
			c.fault(Gap, expected, n-1, "%d documents are missing", n-expected)
		}
		c.checkPrevious(n)
		expected = n + 1
	}
	if len(counters) > 0 {
		c.row.First, c.row.Last = counters[0], counters[len(counters)-1]
	}
	c.checkShared()
	return c.row
}

// at returns the documents with one counter.
func (c *chain) at(counter uint64) []link {
	first, there := c.links[counter]
	if !there {
		return nil
	}
	return append([]link{first}, c.extra[counter]...)
}

// checkPrevious checks that the previous hash of each document with this
// counter is the hash of a document with the counter before, if there is one.
func (c *chain) checkPrevious(counter uint64) {
	before := c.at(counter - 1)
	if counter == 1 {
		before = []link{{hash: c.keyed(genesis)}}
	}
	if before == nil {
		return
	}
	for _, l := range c.at(counter) {
		if !slices.ContainsFunc(before, func(b link) bool { return b.is(l.previous) }) {
			c.row.Mismatches++
			c.fault(Mismatch, counter, 0, "the previous hash does not match the document before")
		}
	}
}

// checkShared finds documents with different counters and the same previous
// hash.
func (c *chain) checkShared() {
	type use struct{ previous, counter uint64 }
	uses := make([]use, 0, len(c.links))
	for n, l := range c.links {
		uses = append(uses, use{l.previous, n})
		for _, other := range c.extra[n] {
			uses = append(uses, use{other.previous, n})
		}
	}
	slices.SortFunc(uses, func(a, b use) int {
		return cmp.Or(cmp.Compare(a.previous, b.previous), cmp.Compare(a.counter, b.counter))
	})
	uses = slices.Compact(uses)
	for i := 1; i < len(uses); i++ {
		if uses[i].previous == uses[i-1].previous {
			c.row.Forks++
			c.fault(Fork, uses[i-1].counter, uses[i].counter, "two documents have the same previous hash")
		}
	}
}
