package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
)

// entry is a stored entry of the audit trail.
type entry struct {
	org.Event
	link org.Link
}

// mutation falsifies a trail at an entry and returns which entry the error must
// name.
type mutation struct {
	name  string
	forge func(trail []entry, at int, chance *rand.Rand) (forged []entry, named int)
}

// edit returns a mutation that changes one field of an entry.
func edit(name string, change func(*entry)) mutation {
	return mutation{"edit " + name, func(trail []entry, at int, _ *rand.Rand) ([]entry, int) {
		change(&trail[at])
		return trail, at + 1
	}}
}

// relink recomputes the links of the entries from an index on.
func relink(trail []entry, from int) []entry {
	before := org.Link{}
	if from > 0 {
		before = trail[from-1].link
	}
	for i := from; i < len(trail); i++ {
		trail[i].link = trail[i].Link(before)
		before = trail[i].link
	}
	return trail
}

// renumber renumbers the entries from an index on and keeps their hashes.
func renumber(trail []entry, from int) []entry {
	for i := from; i < len(trail); i++ {
		trail[i].link.Number = int64(i + 1)
	}
	return trail
}

var edits = []mutation{
	edit("id", func(e *entry) { e.ID[15]++ }),
	edit("organisation", func(e *entry) { e.Tenant = org.TenantOf(uuid.Max) }),
	edit("time", func(e *entry) { e.At = e.At.Add(time.Millisecond) }),
	edit("kind", func(e *entry) { e.Kind += "x" }),
	edit("actor", func(e *entry) { e.Actor += " " }),
	edit("address", func(e *entry) { e.Address += "1" }),
	edit("request", func(e *entry) { e.Request = strings.ToUpper(e.Request) + "." }),
	edit("action", func(e *entry) { e.Action += "d" }),
	edit("subject", func(e *entry) { e.Subject += "0" }),
	edit("details", func(e *entry) { e.Details = strings.Replace(e.Details, ":", ": ", 1) + " " }),
	edit("hash", func(e *entry) { e.link.Hash[31] ^= 1 }),
	edit("text from one field into the next", func(e *entry) { e.Actor, e.Address = e.Actor+"\"", "\""+e.Address }),
	{"edit number", func(trail []entry, at int, _ *rand.Rand) ([]entry, int) {
		trail[at].link.Number += 5000
		return trail, at + 1
	}},
}

var rebuilds = []mutation{
	{"delete one", func(trail []entry, at int, _ *rand.Rand) ([]entry, int) {
		if at == len(trail)-1 {
			return trail[:at], len(trail) // the head is missing
		}
		return slices.Delete(trail, at, at+1), at + 1
	}},
	{"delete one and close the gap", func(trail []entry, at int, _ *rand.Rand) ([]entry, int) {
		n := len(trail)
		if at == n-1 {
			return trail[:at], n
		}
		return renumber(slices.Delete(trail, at, at+1), at), at + 1
	}},
	{"delete one and relink the rest", func(trail []entry, at int, _ *rand.Rand) ([]entry, int) {
		n := len(trail)
		return relink(slices.Delete(trail, at, at+1), at), n
	}},
	{"swap two", func(trail []entry, at int, chance *rand.Rand) ([]entry, int) {
		other := (at + 1 + chance.IntN(len(trail)-1)) % len(trail)
		trail[at].Event, trail[other].Event = trail[other].Event, trail[at].Event
		return trail, min(at, other) + 1
	}},
	{"swap two neighbours with their links", func(trail []entry, at int, _ *rand.Rand) ([]entry, int) {
		at = min(at, len(trail)-2)
		trail[at], trail[at+1] = trail[at+1], trail[at]
		trail[at].link.Number, trail[at+1].link.Number = trail[at+1].link.Number, trail[at].link.Number
		return trail, at + 1
	}},
	{"insert one", func(trail []entry, at int, _ *rand.Rand) ([]entry, int) {
		forged := trail[at]
		forged.ID = uuid.Max
		return renumber(slices.Insert(trail, at, forged), at), at + 1
	}},
	{"insert one that links", func(trail []entry, at int, _ *rand.Rand) ([]entry, int) {
		forged := trail[at]
		forged.ID = uuid.Max
		before := org.Link{}
		if at > 0 {
			before = trail[at-1].link
		}
		forged.link = forged.Link(before)
		// If it replaces the head, the head does not match.
		named := min(at+2, len(trail))
		return renumber(slices.Insert(trail, at, forged), at), named
	}},
	{"cut off the end", func(trail []entry, at int, _ *rand.Rand) ([]entry, int) { return trail[:at], len(trail) }},
	{"replace the end", func(trail []entry, at int, _ *rand.Rand) ([]entry, int) {
		for i := at; i < len(trail); i++ {
			trail[i].Subject = "another"
		}
		return relink(trail, at), len(trail)
	}},
	{"edit one and relink the rest", func(trail []entry, at int, _ *rand.Rand) ([]entry, int) {
		trail[at].Actor = "somebody else"
		return relink(trail, at), len(trail)
	}},
}

// verdict verifies a trail as if it were stored.
func verdict(head org.Link, trail []entry) error {
	ordered := slices.Clone(trail)
	slices.SortFunc(ordered, func(a, b entry) int { return int(a.link.Number - b.link.Number) })
	check := org.TrailCheck{Head: head}
	for _, e := range ordered {
		if err := check.See(e.Event, e.link); err != nil {
			return err
		}
	}
	_, err := check.End()
	return err
}

// namesEntry checks that an error names the entry with the given number.
func namesEntry(t *testing.T, name string, err error, number int) {
	t.Helper()
	if err == nil {
		t.Errorf("mutation %q was not detected, want an error", name)
		return
	}
	if !strings.Contains(err.Error()+" ", fmt.Sprintf("entry %d ", number)) && !strings.Contains(err.Error(), fmt.Sprintf("entry %d:", number)) {
		t.Errorf("error of mutation %q = %v, want one that names entry %d", name, err, number)
	}
}

// trailOf returns the stored trail.
func (s *fixture) trailOf() (trail []entry) {
	s.t.Helper()
	ok(s.t, s.WalkTrail(s.ctx, func(e org.Event, link org.Link) error {
		trail = append(trail, entry{e, link})
		return nil
	}))
	return trail
}

func TestTrailMutationsAreFound(t *testing.T) {
	const mutants = 500
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	s.addEvents(testtool.Count(200, 600))
	head := s.verifiedTrail()
	trail := s.trailOf()
	ok(t, verdict(head, trail))
	chance := rand.New(rand.NewPCG(7, 7))
	mutations := slices.Concat(edits, rebuilds)
	for n := range mutants {
		m := mutations[n%len(mutations)]
		at := chance.IntN(len(trail))
		switch n / len(mutations) { // also at both ends
		case 0:
			at = 0
		case 1:
			at = len(trail) - 1
		}
		forged, named := m.forge(slices.Clone(trail), at, chance)
		namesEntry(t, fmt.Sprintf("%s at %d", m.name, at+1), verdict(head, forged), named)
	}
}
