package rules

import (
	"strconv"
	"strings"
	"time"

	"khatm/ubl"
)

// Finding is a fault at one place of a document. [Schema] and [Traps] return
// the faults that prevent the rules from being evaluated; package check uses
// the type for all its findings.
type Finding struct {
	ID   string
	Flag Flag
	Says Words
	Fix  Words
	Place
}

// Demand is a requirement that a document must meet before any rule is
// evaluated: of the UBL schema (ids UBL-…), or of the official sheets, which
// abort otherwise (ids SHEET-…). The ids are our own and do not change.
type Demand struct {
	ID   string
	Says Words // what it demands
	Fix  Words // what to change when it is not met
}

// Demands returns every demand that [Schema] and [Traps] check.
func Demands() []Demand {
	return []Demand{
		wrongOrder, missingElement, repeatedElement, unknownElement, wrongType, wrongAttribute, wrongContent,
		repeatedForSheet, zeroForSheet, patternForSheet, momentForSheet, amountForSheet,
	}
}

// maxFindings is the number of findings after which Schema and Traps stop.
// Further findings usually have the same cause.
const maxFindings = 100

// at returns the finding for a demand that is not met at the given place.
func (d *Demand) at(path, got, want string) Finding {
	return Finding{ID: d.ID, Flag: Error, Says: d.Says, Fix: d.Fix, Place: Place{Path: path, Got: shortened(got), Want: want}}
}

// nameFields sets the JSON field of each finding, if the document can be bound
// to the UBL model.
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

// shortened cuts a long value to about 80 bytes, enough to recognise it.
func shortened(text string) string {
	const most = 80
	for at := range text {
		if at > most {
			return text[:at] + "…"
		}
	}
	return text
}

// placed is an element on a path; many is set if the element may repeat.
type placed struct {
	*ubl.Node
	many bool
}

// pathOf formats a path. An element has an index if it may repeat and has
// children, or if its parent contains several of that name.
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

// pathTo formats the path from the root to an element.
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
