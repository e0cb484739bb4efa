package witness

import (
	"fmt"
	"slices"

	"github.com/beevik/etree"
)

// shape is the required structure of an element outside the hash: these
// attributes, these children in this order, and nothing else but white space.
type shape struct {
	name     name
	attrs    []fixed
	text     string // the required text of a leaf
	slot     slot   // or the meaning of its variable text
	children []shape
}

// fixed is an attribute with its required value.
type fixed struct{ key, value string }

// slot names a variable value inside a shape.
type slot string

// slots maps the values found to the elements that contain them.
type slots map[slot]*etree.Element

func (s slots) text(key slot) string {
	el := s[key]
	if el == nil {
		return ""
	}
	text, _ := wholeText(el)
	return text
}

func (s slots) at(key slot) spot { return at(s[key], "") }

// fit compares el with its shape; kind is the first word of the finding ids.
func (j *judge) fit(kind string, el *etree.Element, want shape, found slots) {
	if want.slot != "" {
		found[want.slot] = el
	}
	j.fitAttributes(kind, el, want.attrs)
	if want.children == nil {
		j.fitLeaf(kind, el, want)
		return
	}
	j.fitChildren(kind, el, want.children, found)
}

func (j *judge) fitAttributes(kind string, el *etree.Element, want []fixed) {
	for _, attr := range want {
		got, there := attribute(el, attr.key)
		if !there || got != attr.value {
			j.find(kind+"-value", at(el, "/@"+attr.key), "the attribute must have exactly this value", attr.value, got)
		}
	}
	for _, attr := range el.Attr {
		if prefix, is := declares(attr.Space, attr.Key); is {
			// A declaration could carry any text that the hash does not cover, or
			// change the meaning of the names in the XPath texts.
			if customary, known := prefixOf(attr.Value); !known || customary != prefix {
				j.find(kind+"-foreign", at(el, "/@"+attr.FullKey()), "the namespace declaration is not allowed here", customary, attr.Value)
			}
			continue
		}
		if attr.Space != "" || !isWanted(attr.Key, want) {
			j.find(kind+"-foreign", at(el, "/@"+attr.FullKey()), "the attribute is not allowed here", "", attr.Value)
		}
	}
}

func isWanted(key string, want []fixed) bool {
	for _, attr := range want {
		if attr.key == key {
			return true
		}
	}
	return false
}

func (j *judge) fitLeaf(kind string, el *etree.Element, want shape) {
	text, whole := wholeText(el)
	switch {
	case !whole:
		j.find(kind+"-foreign", at(el, ""), "only text is allowed here, no elements or comments", want.text, text)
	case want.slot != "" && text == "":
		j.find(kind+"-missing", at(el, ""), "the value is empty", "", "")
	case want.slot == "" && text != want.text:
		j.find(kind+"-value", at(el, ""), "the text must be exactly this", want.text, text)
	}
}

func (j *judge) fitChildren(kind string, el *etree.Element, want []shape, found slots) {
	next := 0
	passed := passedOver(el, want)
	for _, token := range el.Child {
		switch token := token.(type) {
		case *etree.Element:
			if passed[token] {
				j.find(kind+"-repeated", at(token, ""), "the element is repeated or out of order", "", nameOf(token).String())
				continue
			}
			next = j.fitChild(kind, token, want, next, found)
		case *etree.CharData:
			if !isBlank(token.Data) {
				j.find(kind+"-foreign", at(el, ""), "text is not allowed here", "", token.Data)
			}
		case *etree.Comment:
			j.find(kind+"-foreign", at(el, ""), "a comment is not allowed here", "", token.Data)
		default:
			j.find(kind+"-foreign", at(el, ""), "only elements are allowed here", "", fmt.Sprintf("%T", token))
		}
	}
	j.lack(kind, el, want[next:])
}

// fitChild compares a child with the shapes from next on and returns the index
// of the shape for the next child.
func (j *judge) fitChild(kind string, child *etree.Element, want []shape, next int, found slots) int {
	own := nameOf(child)
	for i := next; i < len(want); i++ {
		if want[i].name == own {
			j.lack(kind, child.Parent(), want[next:i])
			j.fit(kind, child, want[i], found)
			return i + 1
		}
	}
	for _, earlier := range want[:next] {
		if earlier.name == own {
			j.find(kind+"-repeated", at(child, ""), "the element is repeated or out of order", "", own.String())
			return next
		}
	}
	j.find(kind+"-foreign", at(child, ""), "the element is not allowed here", "", own.String())
	return next
}

// lack reports missing elements. An element without variable values is only
// customary: nothing in it is needed to verify the document.
func (j *judge) lack(kind string, parent *etree.Element, missing []shape) {
	for _, m := range missing {
		where := at(parent, "/"+m.name.String())
		if m.holdsValues() {
			j.find(kind+"-missing", where, "the element is missing or out of order", m.name.String(), "")
		} else {
			j.find(kind+"-incomplete", where, "the element is missing or out of order", m.name.String(), "")
		}
	}
}

// holdsValues reports whether the element or a descendant has a variable value.
func (s shape) holdsValues() bool {
	return s.slot != "" || slices.ContainsFunc(s.children, shape.holdsValues)
}

// begunIn reports whether an element has a descendant that the shape names
// inside the stamp. A reader could take it for a part of the stamp.
func (s shape) begunIn(el *etree.Element) bool {
	for child := range el.ChildElementsSeq() {
		if own := nameOf(child); isOfStamp(own.space) && s.names(own) || s.begunIn(child) {
			return true
		}
	}
	return false
}

// isOfStamp reports whether a namespace is used only by stamps.
func isOfStamp(space string) bool {
	switch space {
	case nsSIG, nsSAC, nsSBC, nsDS, nsXADES:
		return true
	}
	return false
}

// names reports whether a descendant of the shape has the given name.
func (s shape) names(own name) bool {
	return slices.ContainsFunc(s.children, func(c shape) bool { return c.name == own || c.names(own) })
}

// passedOver returns the children that are not compared with the shape of their
// name, because only a later sibling contains parts of it: an extension of
// another kind may precede the stamp.
func passedOver(el *etree.Element, want []shape) elements {
	passed := elements{}
	for i, s := range want {
		same := func(other shape) bool { return other.name == s.name }
		if len(s.children) == 0 || !s.holdsValues() || slices.ContainsFunc(want[:i], same) || slices.ContainsFunc(want[i+1:], same) {
			continue
		}
		named := childrenOf(el, s.name)
		for _, child := range named[:max(slices.IndexFunc(named, s.begunIn), 0)] {
			passed[child] = true
		}
	}
	return passed
}
