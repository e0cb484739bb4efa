package ubl

import (
	"strconv"

	"khatm/money"
)

// Difference is a place where a tree differs from an invoice.
type Difference struct {
	Path          string // "/Invoice/cac:TaxTotal[2]/cbc:TaxAmount/@currencyID"
	How           Departure
	Tree, Invoice string // the two texts, if Changed
}

// Departure is the way in which a tree differs from an invoice.
type Departure int

// The departures. The content of an element that is Added or Missing is not
// reported.
const (
	Added     Departure = iota + 1 // only the tree has it
	Missing                        // only the invoice has it
	Changed                        // the texts differ
	Reordered                      // the children are in another order
)

// Differ compares a tree that Parse returned with an invoice that [Write] can
// write, as if the invoice had been written and parsed: element by element, in
// order, with attributes and texts verbatim. It returns up to most
// differences, and their total number. Attributes that only the tree has, and
// equal numbers that are written differently, are last.
func Differ(tree *Node, inv *Invoice, most int) (found []Difference, all int) {
	d := &differ{most: most}
	d.steps = append(d.steps, step{name: tree.Name})
	d.part(tree, inv)
	slight := d.slight[:min(len(d.slight), most-len(d.weighty))]
	return append(d.weighty, slight...), d.all
}

// differ is the visitor that compares the parts of an invoice with the children
// of their elements.
type differ struct {
	Path
	most            int
	all             int
	weighty, slight []Difference
	nodes           []*Node // buffer for the children of every part on the path
	beside          children
	furthest        int // largest index of the children found so far
	reordered       bool
}

func (d *differ) next(string) *Node { return nil }
func (d *differ) bind(*Node, part)  {}

func (d *differ) leaf(name string, field **Text) {
	if *field != nil {
		d.text(step{name: name}, *field)
	}
}

func (d *differ) leaves(name string, field *[]*Text) {
	for i, t := range *field {
		s := step{name: name}
		if len(*field) > 1 {
			s.index = i + 1
		}
		d.text(s, t)
	}
}

func (d *differ) present(name string, index int, p part) {
	d.steps = append(d.steps, step{name, index})
	if n := d.take(name); n == nil {
		d.tell(Missing, "", "", "")
	} else {
		d.part(n, p)
	}
	d.steps = d.steps[:len(d.steps)-1]
}

// take returns the element for the next part of the invoice, or nil.
func (d *differ) take(name string) *Node {
	n := d.beside.next(name)
	if n == nil {
		return nil
	}
	if d.beside.at < d.furthest {
		d.reordered = true
	}
	d.furthest = max(d.furthest, d.beside.at)
	return n
}

func (d *differ) part(n *Node, p part) {
	outer, furthest, reordered, room := d.beside, d.furthest, d.reordered, len(d.nodes)
	d.nodes = append(d.nodes, n.Children...)
	d.beside, d.furthest, d.reordered = children{left: d.nodes[room:]}, 0, false
	d.attributes(n.Attrs, nil)
	if n.Text != "" {
		d.tell(Changed, "", n.Text, "")
	}
	p.shape(d)
	if d.reordered {
		d.tell(Reordered, "", "", "")
	}
	for i, child := range d.beside.left {
		if child != nil {
			d.added(n, i)
		}
	}
	d.beside, d.furthest, d.reordered, d.nodes = outer, furthest, reordered, d.nodes[:room]
}

// added records a child that the invoice does not have. It counts siblings only
// if the difference is reported.
func (d *differ) added(n *Node, at int) {
	if len(d.weighty) >= d.most {
		d.all++
		return
	}
	name, number, same := n.Children[at].Name, 0, 0
	for i, sibling := range n.Children {
		if sibling.Name == name {
			same++
		}
		if i == at {
			number = same
		}
	}
	suffix := "/" + name
	if same > 1 {
		suffix += "[" + strconv.Itoa(number) + "]"
	}
	d.tell(Added, suffix, "", "")
}

func (d *differ) text(s step, t *Text) {
	d.steps = append(d.steps, s)
	if n := d.take(s.name); n == nil {
		d.tell(Missing, "", "", "")
	} else {
		d.attributes(n.Attrs, t.Attrs)
		if n.Text != t.Value {
			d.tell(Changed, "", n.Text, t.Value)
		}
	}
	d.steps = d.steps[:len(d.steps)-1]
}

func (d *differ) attributes(tree, invoice []Attr) {
	for _, a := range tree {
		switch value, there := valueOf(invoice, a.Name); {
		case !there:
			d.tell(Added, "/@"+a.Name, "", "")
		case value != a.Value:
			d.tell(Changed, "/@"+a.Name, a.Value, value)
		}
	}
	for _, a := range invoice {
		if _, there := valueOf(tree, a.Name); !there {
			d.tell(Missing, "/@"+a.Name, "", "")
		}
	}
}

func valueOf(attrs []Attr, name string) (value string, there bool) {
	for _, a := range attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}

// tell records a difference, if the limit is not reached.
func (d *differ) tell(how Departure, suffix, tree, invoice string) {
	d.all++
	list := &d.weighty
	if how == Added && len(suffix) > 1 && suffix[1] == '@' || how == Changed && sameNumber(tree, invoice) {
		list = &d.slight
	}
	if len(*list) < d.most {
		*list = append(*list, Difference{Path: d.String() + suffix, How: how, Tree: tree, Invoice: invoice})
	}
}

func sameNumber(a, b string) bool {
	x, err := money.Parse(a)
	if err != nil {
		return false
	}
	y, err := money.Parse(b)
	return err == nil && x.Equal(y)
}
