package witness

import (
	"maps"
	"sort"

	"github.com/beevik/etree"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

// canonical writes an element in the form of Canonical XML 1.1 without comments,
// byte for byte as goxmldsig does. That copies each element once for every one
// around it and all of them once more, which is a tenth of the work of judging a
// document; this copies none of the text.
func canonical(el *etree.Element) ([]byte, error) {
	doc := etree.NewDocument()
	doc.SetRoot(bare(el, map[string]string{}))
	doc.WriteSettings = etree.WriteSettings{CanonicalAttrVal: true, CanonicalEndTags: true, CanonicalText: true}
	return doc.WriteToBytes()
}

// bare is an element with its attributes in order, and without namespaces that
// are declared around it already and without comments. The element itself stays
// as it is.
func bare(el *etree.Element, declared map[string]string) *etree.Element {
	out := &etree.Element{Space: el.Space, Tag: el.Tag, Child: make([]etree.Token, 0, len(el.Child))}
	if len(el.Attr) > 0 {
		out.Attr, declared = bareAttributes(el.Attr, declared)
	}
	for _, token := range el.Child {
		switch token := token.(type) {
		case *etree.Comment:
		case *etree.Element:
			out.Child = append(out.Child, bare(token, declared))
		default:
			out.Child = append(out.Child, token)
		}
	}
	return out
}

// bareAttributes are attributes in order, without namespaces that are declared
// already, and what is declared with them.
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
		// Nothing declared and the default namespace of "" are the same.
		uri, seen := inner[key]
		if (seen || isDefault) && uri == a.Value {
			continue
		}
		inner[key] = a.Value
		kept = append(kept, a)
	}
	return kept, inner
}
