package rules

import (
	"regexp"
	"slices"
	"strings"

	"khatm/ubl"
)

// stray is an element that is not in the model of package ubl, for instance the
// delivery of a single line. The sheets look for some elements anywhere in the
// document; the checks of those rules read the model and the strays.
type stray struct {
	path string
	node *ubl.Node
}

// straysOf returns the stray elements of all parts. Most documents have none.
func straysOf(inv *ubl.Invoice) []stray {
	var all []stray
	ubl.WalkUnmodelled(inv, func(part *ubl.Path, n *ubl.Node) {
		all = append(all, stray{part.String() + "/" + n.Name, n})
	})
	return all
}

// straysNamed returns the strays with the given name, and the elements with
// that name within strays.
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

// strayMeans returns the codes of payment means in stray elements: the schema
// allows them in a discount, for example.
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

// strayCategoryIDs returns the stray ids of VAT categories where the sheets check
// them: in the breakdown, in advances, in discounts and charges on the document,
// and in items. The schema allows only one in each.
func (d *document) strayCategoryIDs() []stray {
	return slices.DeleteFunc(d.straysNamed("cbc:ID"), func(s stray) bool {
		pattern, _ := splitNumbers(s.path)
		switch strings.TrimSuffix(pattern, "/cbc:ID") {
		case "/Invoice/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory", "/Invoice/cac:InvoiceLine/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory",
			"/Invoice/cac:AllowanceCharge/cac:TaxCategory", "/Invoice/cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory":
			return false
		}
		return true
	})
}

// leaf returns a child of a stray element as a text, or nil if it is missing.
func leaf(parent *ubl.Node, name string) *ubl.Text {
	n := parent.Child(name)
	if n == nil {
		return nil
	}
	return &ubl.Text{Value: n.Text, Attrs: n.Attrs}
}

// namesAnywhere returns the values of all attributes called name. Besides the
// type code few elements have such an attribute, although the schema allows it
// on any code.
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

// The patterns that the sheets search names for. Digits of all scripts match.
var (
	standardName   = regexp.MustCompile(`01\p{Nd}{5}`)
	simplifiedName = regexp.MustCompile(`02\p{Nd}{5}`)
	summaryName    = regexp.MustCompile(`02\p{Nd}{3}1\p{Nd}`)
)

// anyName reports whether the pattern matches within any name attribute.
func (d *document) anyName(pattern *regexp.Regexp) bool {
	return slices.ContainsFunc(d.names, pattern.MatchString)
}
