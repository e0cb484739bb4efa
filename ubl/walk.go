package ubl

import (
	"strconv"
	"strings"
)

// Path is where a walk has come to. It is only good during the visit.
type Path struct {
	steps []step
}

// String writes the path, "/Invoice/cac:InvoiceLine[2]/cbc:ID". A part that
// may repeat carries its number, a leaf that repeats does not.
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

// Name returns the name of an element on the path: 0 is the leaf itself, 1 the
// part it stands in, and so on outwards. Beyond the root it is "".
func (p *Path) Name(outwards int) string {
	i := len(p.steps) - 1 - outwards
	if i < 0 {
		return ""
	}
	return p.steps[i].name
}

// Depth counts the elements on the path, root and leaf included.
func (p *Path) Depth() int { return len(p.steps) }

// Walk visits every leaf that the model names, in the order of the schema.
func Walk(inv *Invoice, visit func(p *Path, leaf *Text)) {
	w := &walker{visit: visit}
	w.steps = append(w.steps, step{name: "Invoice"})
	inv.shape(w)
}

// WalkUnmodelled visits every element that the model does not name, with the
// path of the part that holds it.
func WalkUnmodelled(inv *Invoice, visit func(part *Path, n *Node)) {
	w := &walker{visit: func(*Path, *Text) {}, stray: visit}
	w.steps = append(w.steps, step{name: "Invoice"})
	w.part(inv)
}

// walker is the visitor that shows the leaves to somebody else.
type walker struct {
	Path
	visit func(*Path, *Text)
	stray func(*Path, *Node) // nil when nobody asks
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
