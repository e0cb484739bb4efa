package ubl

import (
	"strings"
	"unicode/utf8"
)

// scanner reads XML tokens from a text that is valid UTF-8 and contains no
// illegal characters.
type scanner struct {
	src  string
	pos  int
	fail func(at int, format string, args ...any) error

	counted, lines int // number of line breaks before the offset counted
}

// startTag is a start tag as written, before its names are resolved.
type startTag struct {
	start int
	name  string
	attrs []Attr
	empty bool
}

func (s *scanner) done() bool            { return s.pos >= len(s.src) }
func (s *scanner) peek() byte            { return s.src[s.pos] }
func (s *scanner) at(prefix string) bool { return strings.HasPrefix(s.src[s.pos:], prefix) }

// line returns the line number of an offset. Offsets mostly increase, so it
// continues counting from the last one.
func (s *scanner) line(at int) int {
	at = min(at, len(s.src))
	if at < s.counted {
		s.counted, s.lines = 0, 0
	}
	s.lines += strings.Count(s.src[s.counted:at], "\n")
	s.counted = at
	return s.lines + 1
}

func (s *scanner) skipSpace() (skipped bool) {
	for !s.done() && isSpace(s.peek()) {
		s.pos++
		skipped = true
	}
	return skipped
}

// prologue checks the encoding, the characters and the XML declaration.
func (s *scanner) prologue() error {
	for _, mark := range []string{"\xFE\xFF", "\xFF\xFE", "\x00<", "<\x00"} {
		if s.at(mark) {
			return s.fail(0, "document is not UTF-8")
		}
	}
	s.src = strings.TrimPrefix(s.src, "\uFEFF")
	if r, at, found := IllegalCharacter(s.src); found {
		if r == utf8.RuneError {
			return s.fail(at, "document is not UTF-8")
		}
		return s.fail(at, "character %U is not allowed in XML", r)
	}
	if !s.at("<?xml") || len(s.src) < 6 || !isSpace(s.src[5]) {
		return nil
	}
	end := strings.Index(s.src, "?>")
	if end < 0 {
		return s.fail(0, "XML declaration is not closed")
	}
	declaration := s.src[5:end]
	s.pos = end + 2
	return s.declaration(declaration)
}

// declaration checks the XML declaration. It accepts version 1.0 and the
// encoding UTF-8 only.
func (s *scanner) declaration(text string) error {
	inner := scanner{src: text, fail: s.fail}
	if strings.IndexByte(text, '&') >= 0 {
		return s.fail(0, "XML declaration is malformed")
	}
	for _, want := range []string{"version", "encoding", "standalone"} {
		if spaced := inner.skipSpace(); !spaced || !inner.at(want) {
			if want == "version" {
				return s.fail(0, "XML declaration has no version")
			}
			continue
		}
		inner.pos += len(want)
		value, err := inner.attributeValue()
		if err != nil {
			return err
		}
		switch {
		case want == "version" && value != "1.0":
			return s.fail(0, "XML version %.20q is not supported, only 1.0", value)
		case want == "encoding" && !strings.EqualFold(value, "UTF-8"):
			return s.fail(0, "encoding %.20q is not supported, only UTF-8", value)
		case want == "standalone" && value != "yes" && value != "no":
			return s.fail(0, "XML declaration is malformed")
		}
	}
	if inner.skipSpace(); !inner.done() {
		return s.fail(0, "XML declaration is malformed")
	}
	return nil
}

// misc skips white space, comments and instructions outside the root.
func (s *scanner) misc() error {
	for {
		s.skipSpace()
		var err error
		switch {
		case s.done():
			return nil
		case s.at("<!--"):
			err = s.comment()
		case s.at("<?"):
			err = s.instruction()
		case s.at("<!"):
			return s.fail(s.pos, "document type declarations are not accepted")
		case s.peek() != '<':
			return s.fail(s.pos, "text outside the root element")
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *scanner) comment() error {
	start := s.pos
	end := strings.Index(s.src[s.pos+4:], "--")
	if end < 0 {
		return s.fail(start, "comment is not closed")
	}
	s.pos += 4 + end + 2
	if s.done() || s.peek() != '>' {
		return s.fail(start, "comment contains two hyphens")
	}
	s.pos++
	return nil
}

func (s *scanner) instruction() error {
	start := s.pos
	s.pos += 2
	target, err := s.name()
	if err != nil {
		return err
	}
	if strings.EqualFold(target, "xml") {
		return s.fail(start, "XML declaration is not at the beginning")
	}
	end := strings.Index(s.src[s.pos:], "?>")
	if end < 0 {
		return s.fail(start, "processing instruction is not closed")
	}
	if end > 0 && !isSpace(s.peek()) {
		return s.fail(start, "processing instruction is malformed")
	}
	s.pos += end + 2
	return nil
}

func (s *scanner) cdata() (string, error) {
	start := s.pos
	s.pos += len("<![CDATA[")
	end := strings.Index(s.src[s.pos:], "]]>")
	if end < 0 {
		return "", s.fail(start, "CDATA section is not closed")
	}
	text := s.src[s.pos : s.pos+end]
	s.pos += end + 3
	return unixLines(text), nil
}

// name scans a name without a colon.
func (s *scanner) name() (string, error) {
	start := s.pos
	for s.pos < len(s.src) {
		// Nearly every byte of a name is a Latin letter.
		if c := s.src[s.pos] | 0x20; 'a' <= c && c <= 'z' {
			s.pos++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.src[s.pos:])
		if s.pos == start && !isNameStart(r) || !isNameRune(r) {
			break
		}
		s.pos += size
	}
	switch {
	case s.pos == start:
		return "", s.fail(start, "a name is expected")
	case s.pos-start > MaxName:
		return "", s.fail(start, "name is longer than %d bytes", MaxName)
	}
	return s.src[start:s.pos], nil
}

// qualifiedName scans a name with an optional prefix.
func (s *scanner) qualifiedName() (string, error) {
	start := s.pos
	if _, err := s.name(); err != nil {
		return "", err
	}
	if !s.done() && s.peek() == ':' {
		s.pos++
		if _, err := s.name(); err != nil {
			return "", err
		}
	}
	return s.src[start:s.pos], nil
}

func (s *scanner) startTag() (startTag, error) {
	tag := startTag{start: s.pos}
	s.pos++
	var err error
	if tag.name, err = s.qualifiedName(); err != nil {
		return tag, err
	}
	for {
		spaced := s.skipSpace()
		switch {
		case s.done():
			return tag, s.fail(tag.start, "start tag is not closed")
		case s.at(">"):
			s.pos++
			return tag, nil
		case s.at("/>"):
			s.pos += 2
			tag.empty = true
			return tag, nil
		case !spaced:
			return tag, s.fail(s.pos, "attributes must be separated by white space")
		}
		if err := s.attribute(&tag); err != nil {
			return tag, err
		}
	}
}

func (s *scanner) attribute(tag *startTag) error {
	name, err := s.qualifiedName()
	if err != nil {
		return err
	}
	for _, a := range tag.attrs {
		if a.Name == name {
			return s.fail(tag.start, "attribute %s is repeated", name)
		}
	}
	if len(tag.attrs) == MaxAttributes {
		return s.fail(tag.start, "element has more than %d attributes", MaxAttributes)
	}
	value, err := s.attributeValue()
	if err != nil {
		return err
	}
	tag.attrs = append(tag.attrs, Attr{name, value})
	return nil
}

var attributeSpace = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ")

// attributeValue scans from the equals sign to the closing quote and normalises
// the value according to XML 1.0 3.3.3.
func (s *scanner) attributeValue() (string, error) {
	start := s.pos
	s.skipSpace()
	if s.done() || s.peek() != '=' {
		return "", s.fail(start, "attribute has no value")
	}
	s.pos++
	s.skipSpace()
	if s.done() || s.peek() != '"' && s.peek() != '\'' {
		return "", s.fail(start, "attribute value must be in quotes")
	}
	quote := s.peek()
	s.pos++
	end := strings.IndexByte(s.src[s.pos:], quote)
	if end < 0 {
		return "", s.fail(start, "attribute value is not closed")
	}
	if end > MaxAttribute {
		return "", s.fail(start, "attribute value is longer than %d bytes", MaxAttribute)
	}
	raw := s.src[s.pos : s.pos+end]
	if strings.IndexByte(raw, '<') >= 0 {
		return "", s.fail(start, "attribute value contains <")
	}
	if strings.ContainsAny(raw, "\t\n\r") {
		raw = attributeSpace.Replace(raw)
	}
	value, err := s.resolve(raw, s.pos)
	s.pos += end + 1
	return value, err
}

func (s *scanner) endTag(qname string) error {
	start := s.pos
	s.pos += 2
	// Nearly every end tag consists of the name only.
	if end := s.pos + len(qname); end < len(s.src) && s.src[end] == '>' && s.src[s.pos:end] == qname {
		s.pos = end + 1
		return nil
	}
	name, err := s.qualifiedName()
	if err != nil {
		return err
	}
	s.skipSpace()
	if name != qname || s.done() || s.peek() != '>' {
		return s.fail(start, "end tag does not match the start tag %s", qname)
	}
	s.pos++
	return nil
}
