package ubl

import (
	"fmt"
	"slices"
	"strings"
)

// Parse parses XML 1.0 with namespaces into a tree. It is stricter than XML: it
// accepts UTF-8 only and no document type declaration (and therefore no
// entities), and enforces [MaxBytes] and the other limits.
func Parse(document []byte) (*Node, error) {
	if len(document) > MaxBytes {
		return nil, &SyntaxError{Line: 1, Reason: fmt.Sprintf("document has %d bytes, more than %d", len(document), MaxBytes)}
	}
	p := &parser{scanner: scanner{src: string(document)}, names: make(map[string]string)}
	p.fail = p.errorf
	if err := p.document(); err != nil {
		return nil, err
	}
	return p.root, nil
}

// parser builds the tree. It is used for one document.
type parser struct {
	scanner
	root     *Node
	path     []string
	elements int
	attrs    int
	bindings []binding
	names    map[string]string // qualified name as written → expanded, for the bindings in scope
}

// binding maps a prefix to a namespace.
type binding struct {
	prefix, space string
}

func (p *parser) errorf(at int, format string, args ...any) error {
	path := ""
	if len(p.path) > 0 {
		path = "/" + strings.Join(p.path, "/")
	}
	return &SyntaxError{Line: p.line(at), Path: path, Reason: fmt.Sprintf(format, args...)}
}

func (p *parser) document() error {
	if err := p.prologue(); err != nil {
		return err
	}
	if err := p.misc(); err != nil {
		return err
	}
	if p.done() {
		return p.fail(p.pos, "document has no root element")
	}
	root, err := p.element(1)
	if err != nil {
		return err
	}
	p.root = root
	p.path = nil
	if err := p.misc(); err != nil {
		return err
	}
	if !p.done() {
		return p.fail(p.pos, "document has a second root element")
	}
	return nil
}

// element parses from the < of a start tag to the end of the element.
func (p *parser) element(depth int) (*Node, error) {
	start := p.pos
	if depth > MaxDepth {
		return nil, p.fail(start, "elements are nested deeper than %d", MaxDepth)
	}
	if p.elements++; p.elements > MaxElements {
		return nil, p.fail(start, "document has more than %d elements", MaxElements)
	}
	tag, err := p.startTag()
	if err != nil {
		return nil, err
	}
	if p.attrs += len(tag.attrs); p.attrs > MaxElements {
		return nil, p.fail(start, "document has more than %d attributes", MaxElements)
	}
	scope, names := len(p.bindings), p.names
	if err := p.bind(tag); err != nil {
		return nil, err
	}
	name, err := p.expand(tag.name, true)
	if err != nil {
		return nil, p.fail(start, "%v", err)
	}
	p.path = append(p.path, name)
	n := &Node{Name: name, Line: p.line(start)}
	if n.Attrs, err = p.attributes(tag); err != nil {
		return nil, err
	}
	if !tag.empty {
		if err := p.content(n, tag.name, depth); err != nil {
			return nil, err
		}
	}
	p.path = p.path[:len(p.path)-1]
	p.bindings, p.names = p.bindings[:scope], names
	return n, nil
}

// content parses everything up to and including the end tag.
func (p *parser) content(n *Node, qname string, depth int) error {
	var text textRun
	for {
		run, err := p.charData()
		if err != nil {
			return err
		}
		text.add(run)
		switch {
		case p.done():
			return p.fail(p.pos, "element is not closed")
		case p.at("</"):
			if err := p.endTag(qname); err != nil {
				return err
			}
			n.Text = text.String()
			if len(n.Children) > 0 && allSpace(n.Text) {
				n.Spaced, n.Text = n.Text != "", ""
			}
			return nil
		case p.at("<!--"):
			err = p.comment()
		case p.at("<![CDATA["):
			run, err = p.cdata()
			text.add(run)
		case p.at("<?"):
			err = p.instruction()
		case p.at("<!"):
			err = p.fail(p.pos, "declarations are not accepted inside the document")
		default:
			var child *Node
			if n.Children == nil {
				n.Children = make([]*Node, 0, 4)
			}
			if child, err = p.element(depth + 1); err == nil {
				n.Children = append(n.Children, child)
			}
		}
		if err != nil {
			return err
		}
	}
}

// textRun joins the pieces of text of an element; mostly there is only one.
type textRun struct {
	first string
	more  []string
}

func (t *textRun) add(run string) {
	switch {
	case run == "":
	case t.first == "":
		t.first = run
	default:
		t.more = append(t.more, run)
	}
}

func (t *textRun) String() string {
	if len(t.more) == 0 {
		return t.first
	}
	return t.first + strings.Join(t.more, "")
}

// bind brings the namespace declarations of a start tag into scope.
func (p *parser) bind(tag startTag) error {
	scope := len(p.bindings)
	for _, a := range tag.attrs {
		prefix, isDeclaration := declaredPrefix(a.Name)
		if !isDeclaration {
			continue
		}
		switch {
		case len(a.Value) > MaxName:
			return p.fail(tag.start, "namespace is longer than %d bytes", MaxName)
		case prefix == "xmlns", a.Value == nsXMLNS, (prefix == "xml") != (a.Value == nsXML):
			return p.fail(tag.start, "namespace declaration %s=%q is not allowed", a.Name, a.Value)
		case prefix != "" && a.Value == "":
			return p.fail(tag.start, "prefix %s is bound to an empty namespace", prefix)
		}
		// Some writers repeat all declarations on every element.
		if bound, err := p.space(prefix); err == nil && bound == a.Value {
			continue
		}
		if len(p.bindings) == MaxNamespaces {
			return p.fail(tag.start, "more than %d prefixes are in scope", MaxNamespaces)
		}
		p.bindings = append(p.bindings, binding{prefix, a.Value})
	}
	if len(p.bindings) > scope {
		p.names = make(map[string]string)
	}
	return nil
}

func declaredPrefix(name string) (prefix string, ok bool) {
	if name == "xmlns" {
		return "", true
	}
	return strings.CutPrefix(name, "xmlns:")
}

// expand returns the name of a node for a qualified name. The default namespace
// applies to elements only.
func (p *parser) expand(qname string, element bool) (string, error) {
	if element {
		if name, ok := p.names[qname]; ok {
			return name, nil
		}
	}
	prefix, local, prefixed := strings.Cut(qname, ":")
	if !prefixed {
		prefix, local = "", qname
		if !element {
			return local, nil
		}
	}
	space, err := p.space(prefix)
	if err != nil {
		return "", err
	}
	if !element {
		return "{" + space + "}" + local, nil
	}
	name := expandedName(space, local)
	p.names[qname] = name
	return name, nil
}

func (p *parser) space(prefix string) (string, error) {
	for _, b := range slices.Backward(p.bindings) {
		if b.prefix == prefix {
			return b.space, nil
		}
	}
	switch prefix {
	case "":
		return "", nil
	case "xml":
		return nsXML, nil
	}
	return "", fmt.Errorf("prefix %s is not declared", prefix)
}

// attributes returns the attributes that are not namespace declarations, with
// their expanded names. It reuses the slice of the tag.
func (p *parser) attributes(tag startTag) ([]Attr, error) {
	attrs := tag.attrs[:0]
	for _, a := range tag.attrs {
		if _, isDeclaration := declaredPrefix(a.Name); isDeclaration {
			continue
		}
		name, err := p.expand(a.Name, false)
		if err != nil {
			return nil, p.fail(tag.start, "%v", err)
		}
		for _, b := range attrs {
			if b.Name == name {
				return nil, p.fail(tag.start, "attribute %s is repeated", name)
			}
		}
		attrs = append(attrs, Attr{name, a.Value})
	}
	if len(attrs) == 0 {
		return nil, nil
	}
	return attrs, nil
}
