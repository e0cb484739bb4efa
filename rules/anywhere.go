package rules

import (
	"regexp"
	"slices"

	"khatm/ubl"
)

// The sheets look for some things wherever in the document they stand. What the
// model of UBL names, a check reads from there; the rest is found here, for
// instance the delivery of a single line.

// stray is an element that the model does not name.
type stray struct {
	path string
	node *ubl.Node
}

// straysOf collects the strays of every part. Most documents have none.
func straysOf(inv *ubl.Invoice) []stray {
	var all []stray
	ubl.WalkUnmodelled(inv, func(part *ubl.Path, n *ubl.Node) {
		all = append(all, stray{part.String() + "/" + n.Name, n})
	})
	return all
}

// straysNamed returns every element of that name among the strays and within
// them.
func (d *document) straysNamed(name string) []stray {
	var found []stray
	for _, s := range d.strays {
		found = appendNamed(found, s, name)
	}
	return found
}

func appendNamed(found []stray, s stray, name string) []stray {
	if s.node.Name == name {
		found = append(found, s)
	}
	for _, c := range s.node.Children {
		found = appendNamed(found, stray{s.path + "/" + c.Name, c}, name)
	}
	return found
}

// strayMeans returns the codes of payment means elsewhere than on the document:
// the schema lets a discount have some.
func (d *document) strayMeans() []stray {
	var codes []stray
	for _, s := range d.straysNamed("cac:PaymentMeans") {
		for _, c := range s.node.Children {
			if c.Name == "cbc:PaymentMeansCode" {
				codes = append(codes, stray{s.path + "/" + c.Name, c})
			}
		}
	}
	return codes
}

// leaf returns a child of a stray as the model would, nil when there is none.
func leaf(parent *ubl.Node, name string) *ubl.Text {
	n := parent.Child(name)
	if n == nil {
		return nil
	}
	return &ubl.Text{Value: n.Text, Attrs: n.Attrs}
}

// namesAnywhere returns the values of all attributes that are called name.
// Elsewhere than on the type code they are rare: the schema lets any code have
// one.
func namesAnywhere(inv *ubl.Invoice, strays []stray) []string {
	var names []string
	add := func(attrs []ubl.Attr) {
		for _, a := range attrs {
			if a.Name == "name" {
				names = append(names, a.Value)
			}
		}
	}
	ubl.Walk(inv, func(_ *ubl.Path, t *ubl.Text) { add(t.Attrs) })
	var addAll func(n *ubl.Node)
	addAll = func(n *ubl.Node) {
		add(n.Attrs)
		for _, c := range n.Children {
			addAll(c)
		}
	}
	if inv.Extensions != nil {
		addAll(inv.Extensions)
	}
	for _, s := range strays {
		addAll(s.node)
	}
	return names
}

// What the sheets search names for. Digits of any script are digits to them.
var (
	standardName   = regexp.MustCompile(`01\p{Nd}{5}`)
	simplifiedName = regexp.MustCompile(`02\p{Nd}{5}`)
	summaryName    = regexp.MustCompile(`02\p{Nd}{3}1\p{Nd}`)
)

// anyName says whether the pattern is found within a name anywhere.
func (d *document) anyName(pattern *regexp.Regexp) bool {
	return slices.ContainsFunc(d.names, pattern.MatchString)
}
