package ubl

import "fmt"

// Limits of Parse. An invoice of 4,000 lines has about 130,000 elements and
// 9 MB.
const (
	MaxBytes      = 16 << 20
	MaxDepth      = 64
	MaxElements   = 200_000  // the limit for attributes is the same
	MaxAttributes = 64       // on one element
	MaxAttribute  = 64 << 10 // bytes of one attribute's value
	MaxNamespaces = 64       // prefixes in scope at one place
	MaxName       = 256      // bytes of a name, or of a namespace
)

// Node is an element as parsed. Names have the usual prefixes, whatever the
// document uses: "cbc:ID"; the root is "Invoice". An unknown namespace is written
// in braces before the name.
type Node struct {
	Name     string
	Attrs    []Attr
	Text     string // character data; white space between children is dropped
	Spaced   bool   // there was such white space
	Children []*Node
	Line     int
}

// Child returns the first child of that name, or nil. It may be called on nil,
// so that calls can be chained.
func (n *Node) Child(name string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// SyntaxError is the error for a document that cannot be parsed.
type SyntaxError struct {
	Line   int    // counted from 1
	Path   string // of the element, such as "/Invoice/cac:InvoiceLine/cbc:ID"; "" outside the root
	Reason string
}

func (e *SyntaxError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return fmt.Sprintf("line %d, %s: %s", e.Line, e.Path, e.Reason)
}

// The namespaces of the model and of XML itself.
const (
	nsInvoice = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
	nsCAC     = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
	nsCBC     = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
	nsEXT     = "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"
	nsXML     = "http://www.w3.org/XML/1998/namespace"
	nsXMLNS   = "http://www.w3.org/2000/xmlns/"
)

// expandedName returns a name with the usual prefix of its namespace, or
// {namespace}local.
func expandedName(space, local string) string {
	switch space {
	case nsInvoice:
		return local
	case nsCBC:
		return "cbc:" + local
	case nsCAC:
		return "cac:" + local
	case nsEXT:
		return "ext:" + local
	case "http://www.w3.org/2000/09/xmldsig#":
		return "ds:" + local
	case "http://uri.etsi.org/01903/v1.3.2#":
		return "xades:" + local
	case "urn:oasis:names:specification:ubl:schema:xsd:CommonSignatureComponents-2":
		return "sig:" + local
	case "urn:oasis:names:specification:ubl:schema:xsd:SignatureAggregateComponents-2":
		return "sac:" + local
	case "urn:oasis:names:specification:ubl:schema:xsd:SignatureBasicComponents-2":
		return "sbc:" + local
	}
	return "{" + space + "}" + local
}
