package witness

import (
	"fmt"

	"github.com/beevik/etree"
)

// shape is the one form an element outside the hash may have: these
// attributes, these children in this order, and nothing else but white space.
type shape struct {
	name     name
	attrs    []fixed
	text     string // the fixed text of a leaf
	slot     slot   // or what its free text means
	children []shape
}

// fixed is an attribute with the value it must have.
type fixed struct{ key, value string }

// slot names a free value inside a shape.
type slot string

// slots are the values met, with the element each was read from.
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

// fit holds el against its shape; kind is the first word of the finding ids.
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
			j.find(kind+"-value", at(el, "/@"+attr.key), "the attribute has one fixed value", attr.value, got)
		}
	}
	for _, attr := range el.Attr {
		if prefix, is := declares(attr.Space, attr.Key); is {
			// A declaration could carry any text past the hash, or change what
			// the names in the XPath texts mean.
			if customary, known := prefixOf(attr.Value); !known || customary != prefix {
				j.find(kind+"-foreign", at(el, "/@"+attr.FullKey()), "this namespace declaration has no place here", customary, attr.Value)
			}
			continue
		}
		if attr.Space != "" || !isWanted(attr.Key, want) {
			j.find(kind+"-foreign", at(el, "/@"+attr.FullKey()), "this attribute has no place here", "", attr.Value)
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
		j.find(kind+"-foreign", at(el, ""), "only text may stand here, no element and no comment", want.text, text)
	case want.slot != "" && text == "":
		j.find(kind+"-missing", at(el, ""), "the value is empty", "", "")
	case want.slot == "" && text != want.text:
		j.find(kind+"-value", at(el, ""), "the text is fixed", want.text, text)
	}
}

func (j *judge) fitChildren(kind string, el *etree.Element, want []shape, found slots) {
	next := 0
	for _, token := range el.Child {
		switch token := token.(type) {
		case *etree.Element:
			next = j.fitChild(kind, token, want, next, found)
		case *etree.CharData:
			if !isBlank(token.Data) {
				j.find(kind+"-foreign", at(el, ""), "text has no place here", "", token.Data)
			}
		case *etree.Comment:
			j.find(kind+"-foreign", at(el, ""), "a comment has no place here", "", token.Data)
		default:
			j.find(kind+"-foreign", at(el, ""), "only elements have a place here", "", fmt.Sprintf("%T", token))
		}
	}
	j.lack(kind, el, want[next:])
}

// fitChild holds one child against the shapes from next on and returns which
// shape comes after it.
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
			j.find(kind+"-repeated", at(child, ""), "this element is there once too often, or out of order", "", own.String())
			return next
		}
	}
	j.find(kind+"-foreign", at(child, ""), "this element has no place here", "", own.String())
	return next
}

func (j *judge) lack(kind string, parent *etree.Element, missing []shape) {
	for _, m := range missing {
		j.find(kind+"-missing", at(parent, "/"+m.name.String()), "the element is missing, or out of order", m.name.String(), "")
	}
}
