package spreadsheet

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	maxRatio = 200     // bytes that one packed byte may become
	maxToken = 1 << 20 // bytes of a tag or a text
	maxDepth = 64      // elements inside each other
)

// part reads the XML of one part of a workbook.
type part struct {
	in    *meter
	xml   *xml.Decoder
	names [maxDepth]xml.Name // of the elements around the last token
	depth int                // number of names; an end tag is outside of its element
}

// open returns the part with the given name. The error is ErrMalformed if there
// is no such part.
func (w *workbook) open(name string) (*part, error) {
	for _, f := range w.zip.File {
		if !strings.EqualFold(strings.ReplaceAll(f.Name, `\`, "/"), name) {
			continue
		}
		unpacked, err := f.Open()
		if err != nil {
			return nil, malformed(err)
		}
		file := &unpacker{in: unpacked, left: &w.left, packed: f.CompressedSize64}
		in := &meter{in: bufio.NewReader(file)}
		return &part{in: in, xml: xml.NewDecoder(in)}, nil
	}
	return nil, fmt.Errorf("%w: it has no part %.100q", ErrMalformed, name)
}

// next returns the next start tag, end tag or text. Names are not translated to
// namespaces, which would take twice as long. The error is io.EOF at the end of
// the part.
func (p *part) next() (xml.Token, error) {
	for {
		p.in.left = maxToken
		token, err := p.xml.RawToken()
		if errors.Is(err, io.EOF) && p.depth == 0 {
			return nil, err
		}
		if err != nil {
			return nil, malformed(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if p.depth == maxDepth {
				return nil, fmt.Errorf("%w: more than %d elements inside each other", ErrMalformed, maxDepth)
			}
			p.names[p.depth] = token.Name
			p.depth++
		case xml.EndElement:
			if p.depth--; p.depth < 0 || p.names[p.depth] != token.Name {
				return nil, fmt.Errorf("%w: the end tag of %.20q is in the wrong place", ErrMalformed, token.Name.Local)
			}
		case xml.CharData:
		case xml.Directive:
			return nil, fmt.Errorf("%w: it has a document type", ErrMalformed)
		default:
			continue
		}
		return token, nil
	}
}

// find returns the next start tag with one of the names. The error is io.EOF at
// the end of the part.
func (p *part) find(names ...string) (xml.StartElement, error) {
	for {
		token, err := p.next()
		if err != nil {
			return xml.StartElement{}, err
		}
		if start, ok := token.(xml.StartElement); ok && slices.Contains(names, start.Name.Local) {
			return start, nil
		}
	}
}

// skip reads up to the end of the element whose start tag was the last token.
func (p *part) skip() error {
	for outside := p.depth - 1; p.depth > outside; {
		if _, err := p.next(); err != nil {
			return err
		}
	}
	return nil
}

// text returns the characters of the element whose start tag was the last token,
// without those of the elements in it. A text that is longer than the limit is
// cut, but remains longer.
func (p *part) text(limit int) (string, error) {
	text, err := p.appendText(nil, limit)
	return string(text), err
}

func (p *part) appendText(text []byte, limit int) ([]byte, error) {
	for outside := p.depth - 1; p.depth > outside; {
		token, err := p.next()
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			err = p.skip()
		case xml.CharData:
			text = append(text, token[:min(len(token), limit+1-len(text))]...)
		}
		if err != nil {
			return nil, err
		}
	}
	return text, nil
}

// richText returns the text of a string item whose start tag was the last token.
// It consists of runs; those that tell the pronunciation are left out.
func (p *part) richText(limit int) (string, error) {
	var text []byte
	for outside := p.depth - 1; p.depth > outside; {
		token, err := p.next()
		if err != nil {
			return "", err
		}
		start, ok := token.(xml.StartElement)
		switch {
		case !ok || start.Name.Local == "r":
		case start.Name.Local == "t":
			text, err = p.appendText(text, limit)
		default:
			err = p.skip()
		}
		if err != nil {
			return "", err
		}
	}
	return string(text), nil
}

// end reads the rest of the part, after which its checksum is verified.
func (p *part) end() error {
	if _, err := io.Copy(io.Discard, p.in.in); err != nil {
		return malformed(err)
	}
	return nil
}

// attribute returns the value of an attribute, and "" without it.
func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// malformed returns an error of reading a part as one of the errors of this
// package.
func malformed(err error) error {
	if errors.Is(err, ErrTooLarge) {
		return err
	}
	return fmt.Errorf("%w: %s", ErrMalformed, err.Error()) // not an io.EOF
}

// unpacker limits what is unpacked. The sizes that the file states are not
// trusted.
type unpacker struct {
	in     io.Reader
	left   *int64 // bytes that may be unpacked from the whole file
	packed uint64 // size before
	count  uint64 // size after
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	*u.left -= int64(n)
	u.count += uint64(n)
	if *u.left < 0 || u.count > maxToken && u.count/maxRatio > u.packed {
		return 0, ErrTooLarge
	}
	return n, err
}

// meter limits the size of a token, which the decoder keeps in memory.
type meter struct {
	in   *bufio.Reader
	left int // bytes that the token may still have
}

// ReadByte returns the next byte. The error is ErrTooLarge if it is one too many.
func (m *meter) ReadByte() (byte, error) {
	if m.left--; m.left < 0 {
		return 0, ErrTooLarge
	}
	return m.in.ReadByte()
}

// Read makes the meter an io.Reader. The decoder calls ReadByte only.
func (m *meter) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := m.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}
