package witness

import (
	"encoding/xml"
	"strings"

	"github.com/beevik/etree"
)

// tree builds the document from the tokens that were checked, so that a document
// is parsed once and the checks apply to the same content.
type tree struct {
	whole *etree.Document // the root and the processing instructions beside it
	root  *etree.Element
	top   *etree.Element // the open element; nil outside the root
}

// grow adds a token; cdata reports whether it is a CDATA section. Texts and
// comments outside the root are ignored.
func (t *tree) grow(token xml.Token, cdata bool) {
	switch token := token.(type) {
	case xml.StartElement:
		e := &etree.Element{Space: token.Name.Space, Tag: token.Name.Local}
		for _, a := range token.Attr {
			key := a.Name.Local
			if a.Name.Space != "" {
				key = a.Name.Space + ":" + key
			}
			e.CreateAttr(key, a.Value)
		}
		if t.top != nil {
			t.top.AddChild(e)
		} else {
			t.root = e
			t.whole.SetRoot(e)
		}
		t.top = e
	case xml.EndElement:
		if t.top = t.top.Parent(); t.top == &t.whole.Element {
			t.top = nil
		}
	case xml.CharData:
		switch {
		case t.top == nil:
		case cdata:
			t.top.CreateCData(string(token))
		default:
			t.top.CreateText(string(token))
		}
	case xml.Comment:
		if t.top != nil {
			t.top.CreateComment(string(token))
		}
	case xml.ProcInst:
		within := t.top
		if within == nil {
			within = &t.whole.Element
		}
		if token.Target != "xml" { // the XML declaration
			within.CreateProcInst(token.Target, lineEnds.Replace(string(token.Inst)))
		}
	}
}

// lineEnds normalises line ends as XML requires; the standard library does not
// do so in processing instructions.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")
