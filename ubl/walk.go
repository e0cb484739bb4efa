package ubl

import (
	"strconv"
	"strings"
)

// Path is the current position of a walk. It is valid only during the visit.
type Path struct {
	steps []step
}

// String formats the path, such as "/Invoice/cac:InvoiceLine[2]/cbc:ID". A part
// that may repeat has its index, a repeated leaf does not.
func (p *Path) String() string {
	var out strings.Builder
	for _, s := range p.steps {
		out.WriteByte('/')
		out.WriteString(s.name)
		if s.index > 0 {
			out.WriteByte('[')
			out.WriteString(strconv.Itoa(s.index))
			out.WriteByte(']')
		}
	}
	return out.String()
}

// Name returns the name of an element on the path: 0 is the leaf itself, 1 its
// parent, and so on. Beyond the root it returns "".
func (p *Path) Name(outwards int) string {
	i := len(p.steps) - 1 - outwards
	if i < 0 {
		return ""
	}
	return p.steps[i].name
}

// Depth returns the number of elements on the path, including root and leaf.
func (p *Path) Depth() int { return len(p.steps) }

// Walk visits every leaf of the model that is present, in the order of the
// schema.
func Walk(inv *Invoice, visit func(p *Path, leaf *Text)) {
	w := &walker{visit: visit}
	w.steps = append(w.steps, step{name: "Invoice"})
	inv.shape(w)
}

// WalkUnmodelled visits every element that is not in the model, with the path of
// its parent.
func WalkUnmodelled(inv *Invoice, visit func(part *Path, n *Node)) {
	w := &walker{visit: func(*Path, *Text) {}, stray: visit}
	w.steps = append(w.steps, step{name: "Invoice"})
	w.part(inv)
}

// walker is the visitor that calls a function for each leaf.
type walker struct {
	Path
	visit func(*Path, *Text)
	stray func(*Path, *Node) // nil to skip elements outside the model
}

func (w *walker) next(string) *Node { return nil }
func (w *walker) bind(*Node, part)  {}

func (w *walker) leaf(name string, field **Text) {
	if *field != nil {
		w.show(name, *field)
	}
}

func (w *walker) leaves(name string, field *[]*Text) {
	for _, t := range *field {
		w.show(name, t)
	}
}

func (w *walker) show(name string, t *Text) {
	w.steps = append(w.steps, step{name: name})
	w.visit(&w.Path, t)
	w.steps = w.steps[:len(w.steps)-1]
}

func (w *walker) present(name string, index int, p part) {
	w.steps = append(w.steps, step{name, index})
	w.part(p)
	w.steps = w.steps[:len(w.steps)-1]
}

func (w *walker) part(p part) {
	p.shape(w)
	if w.stray == nil {
		return
	}
	for _, n := range p.rest().Unmodelled {
		w.stray(&w.Path, n)
	}
}
