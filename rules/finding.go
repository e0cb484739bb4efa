package rules

import (
	"strconv"
	"strings"
	"time"

	"khatm/ubl"
)

// Finding is something that keeps a document from being judged: it departs
// from the UBL schema, or it makes the official sheets break off.
type Finding struct {
	ID   string
	Flag Flag
	Says Words
	Fix  Words
	Place
}

// Demand is what is asked of a document before any rule is: by the UBL schema
// (UBL-…), or by the official sheets so that they can read it (SHEET-…). The
// ids are ours and stay.
type Demand struct {
	ID   string
	Says Words // what it demands
	Fix  Words // what to change when it is not met
}

// Demands returns every demand that [Schema] and [Traps] may find not met.
func Demands() []Demand {
	return []Demand{
		wrongOrder, missingElement, repeatedElement, unknownElement, wrongType, wrongAttribute, wrongContent,
		repeatedForSheet, zeroForSheet, patternForSheet, momentForSheet, amountForSheet,
	}
}

// maxFindings is where Schema and Traps stop: whoever has a hundred faults of
// this sort has one.
const maxFindings = 100

// at makes the finding that a demand is not met at a place.
func (d *Demand) at(path, got, want string) Finding {
	return Finding{ID: d.ID, Flag: Error, Says: d.Says, Fix: d.Fix, Place: Place{Path: path, Got: shortened(got), Want: want}}
}

// nameFields adds the fields of the facts to findings of a document that can
// be bound to the model.
func nameFields(found []Finding, root *ubl.Node) {
	if len(found) == 0 {
		return
	}
	inv, err := ubl.Bind(root)
	if err != nil {
		return
	}
	d := newDocument(inv, time.Time{})
	for i := range found {
		found[i].Field = d.field(found[i].Path)
	}
}

// shortened keeps what is enough to recognise a value.
func shortened(text string) string {
	const most = 80
	for at := range text {
		if at > most {
			return text[:at] + "…"
		}
	}
	return text
}

// placed is an element on the path; many says that it may repeat.
type placed struct {
	*ubl.Node
	many bool
}

// pathOf writes a path: a part that may repeat carries its number, and so
// does whatever stands there more than once.
func pathOf(path []placed) string {
	var out strings.Builder
	for depth, p := range path {
		out.WriteString("/" + p.Name)
		if depth == 0 {
			continue
		}
		before, all := 0, 0
		for _, sibling := range path[depth-1].Children {
			if sibling.Name != p.Name {
				continue
			}
			if all++; sibling == p.Node {
				before = all
			}
		}
		if all > 1 || p.many && len(p.Children) > 0 {
			out.WriteString("[" + strconv.Itoa(before) + "]")
		}
	}
	return out.String()
}

// pathTo writes the path from the root to an element.
func pathTo(root, n *ubl.Node) string {
	table := schema()
	var find func(path []placed) []placed
	find = func(path []placed) []placed {
		last := path[len(path)-1]
		if last.Node == n {
			return path
		}
		e := table[last.Name]
		for _, child := range last.Children {
			many := false
			if e != nil && len(child.Children) > 0 {
				at := e.find(child.Name, 0)
				many = at >= 0 && e.parts[at].many
			}
			if found := find(append(path, placed{child, many})); found != nil {
				return found
			}
		}
		return nil
	}
	return pathOf(find([]placed{{root, false}}))
}
