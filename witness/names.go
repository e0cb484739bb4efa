package witness

import (
	"fmt"
	"strings"

	"github.com/beevik/etree"
)

// The namespaces of an invoice and of its stamp.
const (
	nsInvoice = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
	nsCAC     = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
	nsCBC     = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
	nsEXT     = "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"
	nsSIG     = "urn:oasis:names:specification:ubl:schema:xsd:CommonSignatureComponents-2"
	nsSAC     = "urn:oasis:names:specification:ubl:schema:xsd:SignatureAggregateComponents-2"
	nsSBC     = "urn:oasis:names:specification:ubl:schema:xsd:SignatureBasicComponents-2"
	nsDS      = "http://www.w3.org/2000/09/xmldsig#"
	nsXADES   = "http://uri.etsi.org/01903/v1.3.2#"
)

// name is a namespace and a local name.
type name struct{ space, local string }

var (
	rootName       = name{nsInvoice, "Invoice"}
	extensionsName = name{nsEXT, "UBLExtensions"}
	signatureName  = name{nsCAC, "Signature"}
	referenceName  = name{nsCAC, "AdditionalDocumentReference"}
	supplierName   = name{nsCAC, "AccountingSupplierParty"}
	idName         = name{nsCBC, "ID"}
)

func cac(local string) name   { return name{nsCAC, local} }
func cbc(local string) name   { return name{nsCBC, local} }
func ext(local string) name   { return name{nsEXT, local} }
func ds(local string) name    { return name{nsDS, local} }
func xades(local string) name { return name{nsXADES, local} }

// prefixOf returns the usual prefix of a namespace, for paths.
func prefixOf(space string) (prefix string, known bool) {
	switch space {
	case nsInvoice:
		return "", true
	case nsCAC:
		return "cac", true
	case nsCBC:
		return "cbc", true
	case nsEXT:
		return "ext", true
	case nsSIG:
		return "sig", true
	case nsSAC:
		return "sac", true
	case nsSBC:
		return "sbc", true
	case nsDS:
		return "ds", true
	case nsXADES:
		return "xades", true
	}
	return "", false
}

// String returns the name with its usual prefix, or {space}local for an unknown
// namespace.
func (n name) String() string {
	prefix, known := prefixOf(n.space)
	switch {
	case !known:
		return fmt.Sprintf("{%s}%s", clip(n.space), n.local)
	case prefix == "":
		return n.local
	}
	return prefix + ":" + n.local
}

func nameOf(el *etree.Element) name { return name{spaceOf(el, el.Space), el.Tag} }

// spaceOf returns the namespace of a prefix at el, or "" if it is not declared.
func spaceOf(el *etree.Element, prefix string) string {
	for ; el != nil; el = el.Parent() {
		for _, attr := range el.Attr {
			if declared, is := declares(attr.Space, attr.Key); is && declared == prefix {
				return attr.Value
			}
		}
	}
	return ""
}

// pathOf returns the path of an element from the root, with an index if siblings
// have the same name.
func pathOf(el *etree.Element) string {
	parent := el.Parent()
	if parent == nil || parent.Parent() == nil {
		return "/" + nameOf(el).String()
	}
	own, before, all := nameOf(el), 0, 0
	for sibling := range parent.ChildElementsSeq() {
		if nameOf(sibling) == own {
			all++
			if sibling.Index() <= el.Index() {
				before++
			}
		}
	}
	path := pathOf(parent) + "/" + own.String()
	if all > 1 {
		path += fmt.Sprintf("[%d]", before)
	}
	return path
}

// childrenOf returns the children with the given name.
func childrenOf(el *etree.Element, want name) []*etree.Element {
	var found []*etree.Element
	for child := range el.ChildElementsSeq() {
		if nameOf(child) == want {
			found = append(found, child)
		}
	}
	return found
}

// wholeText joins all character data of a leaf. whole is false if the leaf
// contains anything else: a reader that stops there would see another value.
func wholeText(el *etree.Element) (text string, whole bool) {
	var b strings.Builder
	whole = true
	for _, token := range el.Child {
		data, is := token.(*etree.CharData)
		if !is {
			whole = false
			continue
		}
		b.WriteString(data.Data)
	}
	return b.String(), whole
}

// singleText returns the text of an element if all its character data is
// adjacent.
func singleText(el *etree.Element) (text string, single bool) {
	var b strings.Builder
	pieces := 0
	var last etree.Token
	for _, token := range el.Child {
		if data, is := token.(*etree.CharData); is {
			if _, beside := last.(*etree.CharData); !beside {
				pieces++
			}
			b.WriteString(data.Data)
		}
		last = token
	}
	return b.String(), pieces == 1
}

// deepText returns the string value of an element, including all descendants.
func deepText(el *etree.Element) string {
	var b strings.Builder
	for _, token := range el.Child {
		switch token := token.(type) {
		case *etree.CharData:
			b.WriteString(token.Data)
		case *etree.Element:
			b.WriteString(deepText(token))
		}
	}
	return b.String()
}

// isBlank reports whether text consists of XML white space only.
func isBlank(text string) bool { return strings.Trim(text, " \t\r\n") == "" }

// attribute returns the value of an attribute without a prefix.
func attribute(el *etree.Element, key string) (string, bool) {
	for _, attr := range el.Attr {
		if attr.Space == "" && attr.Key == key {
			return attr.Value, true
		}
	}
	return "", false
}
