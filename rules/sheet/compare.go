package sheet

import (
	"maps"
	"slices"
	"strings"
)

// Kind is what changed.
type Kind string

// The kinds of changes.
const (
	Added     Kind = "added"
	Removed   Kind = "removed"
	Severity  Kind = "severity"
	Text      Kind = "text"
	Condition Kind = "condition" // what is tested; compared between sheets of one format only
)

// Change is a difference between two kits.
type Change struct {
	ID   string `json:"id"`
	Kind Kind   `json:"change"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Compare returns the differences between two kits, in the order of the ids. The
// old and new values of an added or removed rule are its severity and text.
func Compare(before, after Kit) []Change {
	ids := map[string]bool{}
	for id := range before {
		ids[id] = true
	}
	for id := range after {
		ids[id] = true
	}
	changes := []Change{}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		switch was, is := before[id], after[id]; {
		case was == nil:
			changes = append(changes, Change{ID: id, Kind: Added, New: is.summary()})
		case is == nil:
			changes = append(changes, Change{ID: id, Kind: Removed, Old: was.summary()})
		default:
			changes = append(changes, was.compare(id, is)...)
		}
	}
	return changes
}

func (r *Rule) summary() string { return joined(r.Flags) + ": " + joined(r.Texts) }

func (r *Rule) compare(id string, with *Rule) []Change {
	var changes []Change
	for _, part := range []struct {
		kind    Kind
		was, is []string
	}{
		{Severity, r.Flags, with.Flags},
		{Text, r.Texts, with.Texts},
		{Condition, r.compiled, with.compiled},
		{Condition, r.schema, with.schema},
	} {
		incomparable := part.kind == Condition && (len(part.was) == 0 || len(part.is) == 0)
		if !incomparable && !slices.Equal(part.was, part.is) {
			changes = append(changes, Change{ID: id, Kind: part.kind, Old: joined(part.was), New: joined(part.is)})
		}
	}
	return changes
}

func joined(list []string) string { return strings.Join(list, " | ") }
