package ubl

import "strings"

// Read parses a document and binds it to the model.
func Read(document []byte) (*Invoice, error) {
	root, err := Parse(document)
	if err != nil {
		return nil, err
	}
	return Bind(root)
}

// Bind converts a tree that Parse returned to an Invoice. It accepts elements in
// any order; package rules checks the order.
func Bind(root *Node) (*Invoice, error) {
	if root.Name != "Invoice" {
		return nil, &SyntaxError{Line: root.Line, Path: "/" + root.Name, Reason: "root element must be Invoice of " + nsInvoice}
	}
	inv := new(Invoice)
	r := new(reader)
	r.bind(root, inv)
	if r.err != nil {
		return nil, r.err
	}
	for i, n := range inv.Unmodelled {
		if n.Name == "ext:UBLExtensions" {
			inv.Extensions = n
			inv.Unmodelled = append(inv.Unmodelled[:i:i], inv.Unmodelled[i+1:]...)
			break
		}
	}
	return inv, nil
}

// reader is the visitor that sets the fields of parts from the children of their
// elements.
type reader struct {
	path  []string
	nodes []*Node // buffer for the children of every part on the path
	err   error   // the first error
	children
}

// children are the children of the current part.
type children struct {
	left   []*Node // in document order; nil if removed
	start  int     // index of the first that is not removed
	sought string  // the name of the last search
	at     int     // where that search continues
}

// next removes and returns the first remaining child of that name, or nil.
// Children are mostly in the order of the schema, so the search mostly ends at
// its first step. Otherwise a repeated search for the same name continues after
// the last match.
func (c *children) next(name string) *Node {
	if name != c.sought {
		c.sought, c.at = name, c.start
	}
	for ; c.at < len(c.left); c.at++ {
		n := c.left[c.at]
		if n == nil || n.Name != name {
			continue
		}
		c.left[c.at] = nil
		for c.start < len(c.left) && c.left[c.start] == nil {
			c.start++
		}
		return n
	}
	return nil
}

func (r *reader) leaf(name string, field **Text) {
	if n := r.next(name); n != nil {
		*field = r.text(n)
	}
}

func (r *reader) leaves(name string, field *[]*Text) {
	for n := r.next(name); n != nil; n = r.next(name) {
		*field = append(*field, r.text(n))
	}
}

func (r *reader) text(n *Node) *Text {
	if len(n.Children) > 0 {
		r.fail(n, "/"+n.Name, "element must contain text, not "+n.Children[0].Name)
	}
	return &Text{Value: n.Text, Attrs: n.Attrs}
}

func (r *reader) present(string, int, part) {}

func (r *reader) bind(n *Node, p part) {
	outer, room := r.children, len(r.nodes)
	r.path = append(r.path, n.Name)
	if !allSpace(n.Text) {
		r.fail(n, "", "element must contain other elements, not text")
	}
	r.nodes = append(r.nodes, n.Children...)
	r.children = children{left: r.nodes[room:]}
	p.shape(r)
	if s, is := p.(*Signature); is {
		s.Spaced = n.Spaced || n.Text != ""
	}
	rest := p.rest()
	for _, n := range r.left {
		if n != nil {
			rest.Unmodelled = append(rest.Unmodelled, n)
		}
	}
	r.path, r.nodes, r.children = r.path[:len(r.path)-1], r.nodes[:room], outer
}

func (r *reader) fail(n *Node, leaf, reason string) {
	if r.err == nil {
		r.err = &SyntaxError{Line: n.Line, Path: "/" + strings.Join(r.path, "/") + leaf, Reason: reason}
	}
}
