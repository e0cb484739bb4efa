package sheet

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// element is an element of a sheet.
type element struct {
	name     xml.Name
	attrs    []xml.Attr
	children []*element
	texts    []string // before, between and after the children
}

// maxDepth limits the nesting of elements, because sheets are processed
// recursively.
const maxDepth = 500

// parse parses XML into a tree.
func parse(r io.Reader) (*element, error) {
	decoder := xml.NewDecoder(r)
	root := &element{texts: []string{""}}
	open := []*element{root}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err != nil {
			return nil, err
		}
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) > maxDepth {
				return nil, fmt.Errorf("elements are nested deeper than %d", maxDepth)
			}
			e := &element{name: token.Name, attrs: token.Attr, texts: []string{""}}
			top.children, top.texts = append(top.children, e), append(top.texts, "")
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.texts[len(top.texts)-1] += string(token)
		}
	}
}

// prefixes are the namespaces of sheets.
var prefixes = map[string]string{
	"http://www.w3.org/1999/XSL/Transform": "xsl",
	"http://purl.oclc.org/dsdl/svrl":       "svrl",
	"http://purl.oclc.org/dsdl/schematron": "sch",
	"http://www.ascc.net/xml/schematron":   "sch",
}

// kind returns the name of an element with a fixed prefix.
func (e *element) kind() string { return prefixes[e.name.Space] + ":" + e.name.Local }

// attr returns an attribute, or the content of an xsl:attribute of that name,
// without redundant white space.
func (e *element) attr(name string) string {
	for _, a := range e.attrs {
		if a.Name.Space == "" && a.Name.Local == name {
			return squeezed(a.Value)
		}
	}
	for _, c := range e.children {
		if c.kind() == "xsl:attribute" && c.attr("name") == name {
			return c.content()
		}
	}
	return ""
}

// content returns the text of an element and of its descendants. Values that are
// inserted at run time are in braces.
func (e *element) content() string {
	var out strings.Builder
	for i, text := range e.texts {
		out.WriteString(text)
		if i == len(e.children) {
			break
		}
		switch c := e.children[i]; c.kind() {
		case "xsl:value-of", "sch:value-of":
			out.WriteString("{" + c.attr("select") + "}")
		case "sch:name":
			out.WriteString("{name}")
		case "xsl:attribute":
		default:
			out.WriteString(c.content())
		}
	}
	return squeezed(out.String())
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }
