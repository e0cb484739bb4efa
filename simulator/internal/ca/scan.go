package ca

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	nsCAC = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
	nsCBC = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
	nsEXT = "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"
)

// places are where the three parts of a stamp stand, or are to be inserted.
type places struct {
	extensions, qr, signature span
	declared                  map[string]string // prefixes of the root element
}

// scanner walks over a document by its raw tokens and remembers the children
// of the root with their offsets.
type scanner struct {
	depth    int
	scope    []map[string]string // declared prefixes, one map an open element
	inside   span                // of the root: from the end of its first tag to the start of its last
	declared map[string]string   // by the root
	children []child
	ids      strings.Builder // the text of the cbc:ID being read
	inID     bool
}

// child is one child of the root.
type child struct {
	span
	name xml.Name
	ids  []string // of the cbc:ID in it
}

// scan finds the places. It asks for what it needs and trusts the judge for
// the rest.
func scan(document []byte) (*places, error) {
	s := &scanner{}
	decoder := xml.NewDecoder(bytes.NewReader(document))
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		from := int(decoder.InputOffset())
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, &Unclearable{"it is not XML", err}
		}
		if err := s.take(token, from, int(decoder.InputOffset())); err != nil {
			return nil, err
		}
	}
	return s.places()
}

func (s *scanner) take(token xml.Token, from, to int) error {
	switch token := token.(type) {
	case xml.StartElement:
		s.enter(token, from, to)
	case xml.EndElement:
		return s.leave(from, to)
	case xml.CharData:
		if s.inID {
			s.ids.Write(token)
		}
	}
	return nil
}

func (s *scanner) enter(start xml.StartElement, from, to int) {
	s.scope = append(s.scope, declarations(start.Attr))
	name := xml.Name{Space: s.space(start.Name.Space), Local: start.Name.Local}
	switch s.depth {
	case 0:
		s.inside.from, s.declared = to, s.scope[0]
	case 1:
		s.children = append(s.children, child{span: span{from, to}, name: name})
	case 2:
		s.inID = name == xml.Name{Space: nsCBC, Local: "ID"}
		s.ids.Reset()
	}
	s.depth++
}

func (s *scanner) leave(from, to int) error {
	if s.depth == 0 {
		return &Unclearable{Reason: "an element ends that did not begin"}
	}
	s.scope = s.scope[:len(s.scope)-1]
	s.depth--
	switch last := len(s.children) - 1; s.depth {
	case 0:
		s.inside.to = from
	case 1:
		s.children[last].to = to
	case 2:
		if s.inID {
			s.children[last].ids = append(s.children[last].ids, strings.Trim(s.ids.String(), " \t\r\n"))
			s.inID = false
		}
	}
	return nil
}

// declarations are the prefixes one element declares; nil for none.
func declarations(attrs []xml.Attr) map[string]string {
	var found map[string]string
	for _, a := range attrs {
		prefix := a.Name.Local
		switch {
		case a.Name.Space == "" && a.Name.Local == "xmlns":
			prefix = ""
		case a.Name.Space != "xmlns":
			continue
		}
		if found == nil {
			found = map[string]string{}
		}
		found[prefix] = a.Value
	}
	return found
}

func (s *scanner) space(prefix string) string {
	for i := len(s.scope) - 1; i >= 0; i-- {
		if space, declared := s.scope[i][prefix]; declared {
			return space
		}
	}
	return ""
}

// places settles where each part goes. A part the seller put there is replaced
// where it stands. Otherwise the extensions come first, the QR reference right
// behind the previous hash, the signature right behind whatever precedes the
// seller; all without white space, which would change the hash.
func (s *scanner) places() (*places, error) {
	if s.depth != 0 || s.inside.to < s.inside.from || len(s.children) == 0 {
		return nil, &Unclearable{Reason: "it has no content"}
	}
	extensions, err := s.only("ext:UBLExtensions", func(c child) bool { return c.is(nsEXT, "UBLExtensions") })
	if err != nil {
		return nil, err
	}
	signature, err := s.only("cac:Signature", func(c child) bool { return c.is(nsCAC, "Signature") })
	if err != nil {
		return nil, err
	}
	qr, err := s.only("QR reference", func(c child) bool { return c.refersTo("QR") })
	if err != nil {
		return nil, err
	}
	previous, err := s.only("PIH reference", func(c child) bool { return c.refersTo("PIH") })
	if err != nil {
		return nil, err
	}
	seller, err := s.only("seller", func(c child) bool { return c.is(nsCAC, "AccountingSupplierParty") })
	if err != nil {
		return nil, err
	}
	if previous < 0 || seller < 1 {
		return nil, &Unclearable{Reason: "it has no previous hash or no seller to put the stamp beside"}
	}
	return &places{
		extensions: s.spanOf(extensions, s.inside.from),
		qr:         s.spanOf(qr, s.children[previous].to),
		signature:  s.spanOf(signature, s.children[seller-1].to),
		declared:   s.declared,
	}, nil
}

func (c child) is(space, local string) bool { return c.name == xml.Name{Space: space, Local: local} }

func (c child) refersTo(id string) bool {
	if !c.is(nsCAC, "AdditionalDocumentReference") {
		return false
	}
	for _, own := range c.ids {
		if own == id {
			return true
		}
	}
	return false
}

// only finds the one child of a kind; -1 for none.
func (s *scanner) only(what string, is func(child) bool) (int, error) {
	found := -1
	for i, c := range s.children {
		if !is(c) {
			continue
		}
		if found >= 0 {
			return -1, &Unclearable{Reason: fmt.Sprintf("it has more than one %s", what)}
		}
		found = i
	}
	return found, nil
}

func (s *scanner) spanOf(index, otherwise int) span {
	if index < 0 {
		return span{otherwise, otherwise}
	}
	return s.children[index].span
}
