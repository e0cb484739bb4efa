package witness

import (
	"maps"
	"sort"

	"github.com/beevik/etree"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

// elements is a set of elements.
type elements map[*etree.Element]bool

// canonical returns an element as Canonical XML 1.1 without comments and without
// the descendants in leftOut, with the same bytes as goxmldsig. It is much
// faster, because goxmldsig copies each element once for each of its ancestors.
func canonical(el *etree.Element, leftOut elements) ([]byte, error) {
	doc := etree.NewDocument()
	doc.SetRoot(bare(el, map[string]string{}, leftOut))
	doc.WriteSettings = etree.WriteSettings{CanonicalAttrVal: true, CanonicalEndTags: true, CanonicalText: true}
	return doc.WriteToBytes()
}

// bare returns a copy of an element with its attributes sorted, without comments,
// the descendants in leftOut and namespace declarations that are already in
// scope. CDATA sections become ordinary text. It does not change the element
// itself.
func bare(el *etree.Element, declared map[string]string, leftOut elements) *etree.Element {
	out := &etree.Element{Space: el.Space, Tag: el.Tag, Child: make([]etree.Token, 0, len(el.Child))}
	if len(el.Attr) > 0 {
		out.Attr, declared = bareAttributes(el.Attr, declared)
	}
	for _, token := range el.Child {
		switch token := token.(type) {
		case *etree.Comment:
		case *etree.Element:
			if !leftOut[token] {
				out.Child = append(out.Child, bare(token, declared, leftOut))
			}
		case *etree.CharData:
			if token.IsCData() {
				token = etree.NewText(token.Data)
			}
			out.Child = append(out.Child, token)
		default:
			out.Child = append(out.Child, token)
		}
	}
	return out
}

// bareAttributes returns the attributes sorted and without the namespaces that
// are already declared, and the namespaces that are in scope inside the element.
func bareAttributes(all []etree.Attr, declared map[string]string) ([]etree.Attr, map[string]string) {
	all = append([]etree.Attr(nil), all...)
	sort.Sort(etreeutils.SortedAttrs(all))
	kept, inner := all[:0], maps.Clone(declared)
	for _, a := range all {
		key, isDefault := a.FullKey(), a.Space == "" && a.Key == "xmlns"
		if a.Space != "xmlns" && !isDefault {
			kept = append(kept, a)
			continue
		}
		// No declaration and a default namespace of "" are equivalent.
		uri, seen := inner[key]
		if (seen || isDefault) && uri == a.Value {
			continue
		}
		inner[key] = a.Value
		kept = append(kept, a)
	}
	return kept, inner
}
