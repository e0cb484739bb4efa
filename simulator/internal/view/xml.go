package view

import (
	"strings"

	"khatm/ubl"
)

// Limits of a document on a page.
const (
	maxLines = 3000
	maxText  = 4000   // characters of one value
	maxRaw   = 20_000 // characters of a document that cannot be parsed
)

// prettyXML is a document formatted for reading.
type prettyXML struct {
	Lines []xmlLine // nil if the document cannot be parsed
	Raw   string    // beginning of such a document
	Cut   bool      // only the beginning is shown
}

// xmlLine is one line: its indentation and its parts.
type xmlLine struct {
	Indent string
	Parts  []xmlPart
}

// xmlPart is a part of a line with its CSS class.
type xmlPart struct{ Class, Text string }

// pretty formats a document.
func pretty(document []byte) *prettyXML {
	converted, err := ubl.ToUTF8(document)
	var root *ubl.Node
	if err == nil {
		root, err = ubl.Parse(converted)
	}
	if err != nil {
		return &prettyXML{Raw: clip(string(document), maxRaw), Cut: len(document) > maxRaw}
	}
	out := &prettyXML{}
	out.element(root, 0)
	if len(out.Lines) > maxLines {
		out.Lines, out.Cut = out.Lines[:maxLines], true
	}
	return out
}

// element adds the lines of an element. It adds nothing to a document that is
// too long already.
func (x *prettyXML) element(n *ubl.Node, depth int) {
	if len(x.Lines) > maxLines {
		return
	}
	parts := []xmlPart{{"tag", "<" + clip(n.Name, maxText)}}
	for _, a := range n.Attrs {
		parts = append(parts, xmlPart{"name", " " + clip(a.Name, maxText)}, xmlPart{"mark", "="}, xmlPart{"value", `"` + escape(a.Value) + `"`})
	}
	end := xmlPart{"tag", "</" + clip(n.Name, maxText) + ">"}
	text := escape(n.Text)
	switch {
	case len(n.Children) == 0 && text == "":
		x.line(depth, append(parts, xmlPart{"tag", "/>"}))
	case len(n.Children) == 0:
		x.line(depth, append(parts, xmlPart{"tag", ">"}, xmlPart{"text", text}, end))
	default:
		x.line(depth, append(parts, xmlPart{"tag", ">"}))
		if text != "" {
			x.line(depth+1, []xmlPart{{"text", text}})
		}
		for _, c := range n.Children {
			x.element(c, depth+1)
		}
		x.line(depth, []xmlPart{end})
	}
}

func (x *prettyXML) line(depth int, parts []xmlPart) {
	x.Lines = append(x.Lines, xmlLine{strings.Repeat("  ", depth), parts})
}

// escaper writes a text as XML would; the template then escapes it for HTML.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(text string) string { return escaper.Replace(clip(text, maxText)) }
