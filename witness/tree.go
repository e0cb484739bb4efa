package witness

import (
	"encoding/xml"

	"github.com/beevik/etree"
)

// tree builds the document from the tokens that were checked, so that a document
// is parsed once and the checks apply to the same content.
type tree struct {
	root *etree.Element
	top  *etree.Element // the open element; nil outside the root
}

// grow adds a token. Tokens outside the root are ignored.
func (t *tree) grow(token xml.Token) {
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
		}
		t.top = e
	case xml.EndElement:
		t.top = t.top.Parent()
	case xml.CharData:
		if t.top != nil {
			t.top.CreateText(string(token))
		}
	case xml.Comment:
		if t.top != nil {
			t.top.CreateComment(string(token))
		}
	case xml.ProcInst:
		if t.top != nil {
			t.top.CreateProcInst(token.Target, string(token.Inst))
		}
	}
}
