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

// places are the positions of the three parts of a stamp, or where to insert
// them.
type places struct {
	extensions, qr, signature span
	others                    []span            // further cac:Signature elements, to remove
	declared                  map[string]string // prefixes of the root element
}

// scanner reads the raw tokens of a document and records the children of the
// root with their offsets.
type scanner struct {
	depth    int
	scope    []map[string]string // declared prefixes, one map per open element
	inside   span                // content of the root, from the end of its start tag to the beginning of its end tag
	declared map[string]string   // prefixes declared by the root
	children []child
	ids      strings.Builder // the text of the cbc:ID being read
	inID     bool
	split    bool // whether markup divides that text
}

// child is one child of the root.
type child struct {
	span
	name xml.Name
	ids  []string // texts of its cbc:ID children
}

// scan finds the positions for the stamp. It checks only what it needs; the
// rest was validated before.
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
			return nil, &Unclearable{"not XML", err}
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
		s.splitID()
		s.enter(token, from, to)
	case xml.EndElement:
		s.splitID()
		return s.leave(from, to)
	case xml.Comment, xml.ProcInst:
		s.splitID()
	case xml.CharData:
		if !s.inID {
			break
		}
		if s.split {
			s.ids.WriteByte(0)
		}
		s.ids.Write(token)
	}
	return nil
}

// splitID notes markup inside an ID. The authority's transform, which computes the
// hash, takes an ID for that of a QR code only if it is a single text.
func (s *scanner) splitID() { s.split = s.ids.Len() > 0 }

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
		s.split = false
	}
	s.depth++
}

func (s *scanner) leave(from, to int) error {
	if s.depth == 0 {
		return &Unclearable{Reason: "unexpected end tag"}
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

// declarations returns the prefixes that an element declares, or nil.
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

// places returns the position of each part. A part that the seller added is
// replaced. Otherwise the extensions come first, the QR reference directly
// after the previous hash, and the signature directly before the seller. No
// white space is added, because it would change the hash.
func (s *scanner) places() (*places, error) {
	if s.depth != 0 || s.inside.to < s.inside.from || len(s.children) == 0 {
		return nil, &Unclearable{Reason: "the root element is empty or not closed"}
	}
	extensions, err := s.only("ext:UBLExtensions", func(c child) bool { return c.is(nsEXT, "UBLExtensions") })
	if err != nil {
		return nil, err
	}
	signature, others := s.signatures()
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
		return nil, &Unclearable{Reason: "the previous hash or the seller is missing"}
	}
	return &places{
		extensions: s.spanOf(extensions, s.inside.from),
		qr:         s.spanOf(qr, s.children[previous].to),
		signature:  s.spanOf(signature, s.children[seller-1].to),
		others:     others,
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

// only returns the index of the only child of a kind, or -1 if there is none.
func (s *scanner) only(what string, is func(child) bool) (int, error) {
	found := -1
	for i, c := range s.children {
		if !is(c) {
			continue
		}
		if found >= 0 {
			return -1, &Unclearable{Reason: fmt.Sprintf("more than one %s", what)}
		}
		found = i
	}
	return found, nil
}

// signatures returns the index of the first cac:Signature, or -1, and the others,
// which UBL allows and the hash leaves out.
func (s *scanner) signatures() (first int, others []span) {
	first = -1
	for i, c := range s.children {
		switch {
		case !c.is(nsCAC, "Signature"):
		case first < 0:
			first = i
		default:
			others = append(others, c.span)
		}
	}
	return first, others
}

func (s *scanner) spanOf(index, otherwise int) span {
	if index < 0 {
		return span{otherwise, otherwise}
	}
	return s.children[index].span
}
