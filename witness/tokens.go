package witness

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/beevik/etree"
)

const (
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsSpace = "http://www.w3.org/2000/xmlns/"
)

// tokens checks well-formedness, namespaces and limits over a stream, and builds
// the tree from the tokens that passed.
type tokens struct {
	tree
	document []byte
	start    int // offset of the current token
	open     []frame
	bound    []binding // namespace declarations in scope, innermost last
	elements int
	comments int
	nested   int
	roots    int
}

// frame is one open element.
type frame struct {
	name  xml.Name
	bound int // number of bindings outside the element
	load
}

// load measures an element for the limit maxHeld: its own subtree plus, at each
// level below, the largest one.
type load struct {
	size  int // elements and attributes of the subtree
	child int // the largest held() of a child
}

func (l load) held() int { return l.size + l.child }

type binding struct{ prefix, space string }

func readTokens(document []byte) (*etree.Element, error) {
	t := &tokens{document: document, tree: tree{whole: etree.NewDocument()}}
	decoder := xml.NewDecoder(bytes.NewReader(document))
	for {
		t.start = int(decoder.InputOffset())
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			if err := t.finish(); err != nil {
				return nil, err
			}
			return t.root, nil
		}
		if err != nil {
			return nil, t.refuse("is not XML: %v", err)
		}
		if err := t.take(token, int(decoder.InputOffset())); err != nil {
			return nil, err
		}
		t.grow(token, bytes.HasPrefix(document[t.start:], []byte("<![CDATA[")))
	}
}

func (t *tokens) refuse(format string, args ...any) error {
	return unreadableAt(t.document, t.start, format, args...)
}

func (t *tokens) finish() error {
	if len(t.open) > 0 {
		return unreadableAt(t.document, len(t.document), "the element %s is not closed", t.open[len(t.open)-1].name.Local)
	}
	if t.roots == 0 {
		return unreadableAt(t.document, len(t.document), "the document has no root element")
	}
	return nil
}

func (t *tokens) take(token xml.Token, end int) error {
	switch token := token.(type) {
	case xml.StartElement:
		return t.enter(token)
	case xml.EndElement:
		return t.leave(token)
	case xml.Comment, xml.ProcInst:
		if t.comments++; t.comments > maxComments {
			return t.refuse("the document has more than %d comments and processing instructions", maxComments)
		}
	case xml.CharData:
		// The raw bytes: a reference or CDATA section is not white space here.
		if len(t.open) == 0 && len(bytes.Trim(t.document[t.start:end], " \t\r\n")) > 0 {
			return t.refuse("text outside the root element")
		}
	}
	return nil
}

func (t *tokens) enter(start xml.StartElement) error {
	if len(t.open) == 0 {
		if t.roots++; t.roots > 1 {
			return t.refuse("the document has a second root element")
		}
	}
	if len(t.open) >= maxDepth {
		return t.refuse("elements are nested deeper than %d", maxDepth)
	}
	if t.elements++; t.elements > maxElements {
		return t.refuse("the document has more than %d elements", maxElements)
	}
	if len(start.Attr) > maxAttributes {
		return t.refuse("an element has more than %d attributes", maxAttributes)
	}
	own := load{size: 1 + len(start.Attr)}
	t.open = append(t.open, frame{start.Name, len(t.bound), own})
	if t.nested += own.size * len(t.open); t.nested > maxNested {
		return t.refuse("too many elements are nested too deeply")
	}
	if err := t.declare(start.Attr); err != nil {
		return err
	}
	return t.resolve(start)
}

func (t *tokens) leave(end xml.EndElement) error {
	last := len(t.open) - 1
	if last < 0 || t.open[last].name != end.Name {
		return t.refuse("the end tag of %s has no start tag", end.Name.Local)
	}
	closed := t.open[last]
	t.open, t.bound = t.open[:last], t.bound[:closed.bound]
	if closed.held() > maxHeld {
		return t.refuse("too many elements are nested too deeply")
	}
	if last > 0 {
		parent := &t.open[last-1]
		parent.size += closed.size
		parent.child = max(parent.child, closed.held())
	}
	return nil
}

// declare brings the namespace declarations of an element into scope.
func (t *tokens) declare(attrs []xml.Attr) error {
	for _, attr := range attrs {
		prefix, is := declares(attr.Name.Space, attr.Name.Local)
		if !is {
			continue
		}
		switch {
		case prefix == "xml" || prefix == "xmlns" || attr.Value == xmlSpace || attr.Value == xmlnsSpace:
			return t.refuse("a reserved namespace is declared")
		case prefix != "" && attr.Value == "":
			return t.refuse("the prefix %s is bound to an empty namespace", prefix)
		case attr.Value != "" && !strings.Contains(attr.Value, ":"):
			// Canonical XML is not defined for relative namespaces.
			return t.refuse("the namespace %q is relative", clip(attr.Value))
		case len(t.bound) >= maxPrefixes:
			return t.refuse("more than %d namespaces are declared", maxPrefixes)
		}
		t.bound = append(t.bound, binding{prefix, attr.Value})
	}
	return nil
}

// declares returns the prefix that an attribute declares, "" for the default
// namespace.
func declares(space, key string) (prefix string, is bool) {
	switch {
	case space == "xmlns":
		return key, true
	case space == "" && key == "xmlns":
		return "", true
	}
	return "", false
}

func (t *tokens) space(prefix string) (string, bool) {
	if prefix == "xml" {
		return xmlSpace, true
	}
	for i := len(t.bound) - 1; i >= 0; i-- {
		if t.bound[i].prefix == prefix {
			return t.bound[i].space, true
		}
	}
	return "", prefix == ""
}

// resolve checks the names of an element and of its attributes.
func (t *tokens) resolve(start xml.StartElement) error {
	space, known := t.space(start.Name.Space)
	if !known || strings.Contains(start.Name.Local, ":") {
		return t.refuse("the element %s:%s has no declared prefix", start.Name.Space, start.Name.Local)
	}
	if len(t.open) == 1 && (name{space, start.Name.Local}) != rootName {
		return t.refuse("the root element is {%s}%s, not an Invoice of UBL 2", clip(space), start.Name.Local)
	}
	var seen [maxAttributes]xml.Name
	prefixed := ""
	for i, attr := range start.Attr {
		full, err := t.attribute(attr.Name)
		if err != nil {
			return err
		}
		for _, other := range seen[:i] {
			if other == full {
				return t.refuse("the attribute %s is repeated", attr.Name.Local)
			}
		}
		seen[i] = full
		if _, is := declares(attr.Name.Space, attr.Name.Local); is || attr.Name.Space == "" {
			continue
		}
		// The canonicaliser sorts attributes of several prefixes by local
		// name, but the recommendation sorts them by namespace.
		if prefixed != "" && prefixed != attr.Name.Space {
			return t.refuse("an element has attributes with two prefixes")
		}
		prefixed = attr.Name.Space
	}
	return nil
}

// attribute returns the expanded name of an attribute.
func (t *tokens) attribute(raw xml.Name) (xml.Name, error) {
	if prefix, is := declares(raw.Space, raw.Local); is {
		return xml.Name{Space: xmlnsSpace, Local: prefix}, nil
	}
	if raw.Space == "" && !strings.Contains(raw.Local, ":") {
		return raw, nil
	}
	space, known := t.space(raw.Space)
	if !known || space == "" || strings.Contains(raw.Local, ":") {
		return xml.Name{}, t.refuse("the attribute %s:%s has no declared prefix", raw.Space, raw.Local)
	}
	return xml.Name{Space: space, Local: raw.Local}, nil
}
