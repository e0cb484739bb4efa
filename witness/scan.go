package witness

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// isXMLChar reports whether r matches the Char production of XML 1.0.
func isXMLChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' ||
		r >= 0x20 && r <= 0xD7FF ||
		r >= 0xE000 && r <= 0xFFFD ||
		r >= 0x10000 && r <= 0x10FFFF
}

// scanCharacters refuses invalid UTF-8 and characters that XML does not allow.
func scanCharacters(document []byte) error {
	for offset := 0; offset < len(document); {
		r, size := utf8.DecodeRune(document[offset:])
		if r == utf8.RuneError && size <= 1 {
			return unreadableAt(document, offset, "is not UTF-8")
		}
		if !isXMLChar(r) {
			return unreadableAt(document, offset, "character U+%04X is not allowed in XML", r)
		}
		offset += size
	}
	return nil
}

// scanReferences refuses references to characters that XML does not allow: the
// standard library silently turns &#xD800; into U+FFFD. It also refuses them in
// CDATA sections and comments, where they are only text, which is harmless.
func scanReferences(document []byte) error {
	const longest = 12 // bytes, leading zeros included
	for offset := 0; ; offset++ {
		next := bytes.Index(document[offset:], []byte("&#"))
		if next < 0 {
			return nil
		}
		offset += next
		near := document[offset:min(offset+longest, len(document))]
		digits, _, closed := strings.Cut(string(near[2:]), ";")
		base := 10
		if hex, is := strings.CutPrefix(digits, "x"); is {
			digits, base = hex, 16
		}
		n, err := strconv.ParseUint(digits, base, 21)
		if !closed || err != nil || !isXMLChar(rune(n)) {
			return unreadableAt(document, offset, "reference to a character that is not allowed in XML: %q", near)
		}
	}
}

// declaration matches the XML declaration as in the recommendation, with UTF-8
// as the only encoding.
var declaration = regexp.MustCompile(`^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*("1\.0"|'1\.0')` +
	`([ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*("(?i:utf-8)"|'(?i:utf-8)'))?` +
	`([ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*("(yes|no)"|'(yes|no)'))?[ \t\r\n]*\?>`)

// instruction matches the beginning of a processing instruction. Its target is
// an ordinary name; namespaces allow no colon in it.
var instruction = regexp.MustCompile(`^<\?([A-Za-z_][A-Za-z0-9._-]*)([ \t\r\n]|\?>)`)

// maxTarget is the longest beginning of a processing instruction that is read.
const maxTarget = 256

// scanMarkup refuses declarations, invalid instructions and overlong tags.
func scanMarkup(document []byte) error {
	return eachMarkup(document, func(int, int) {})
}

// eachMarkup walks from one < to the next and calls visit with the offset and the
// number of bytes of each markup, except the XML declaration.
func eachMarkup(document []byte, visit func(offset, size int)) error {
	offset := 0
	if bytes.HasPrefix(document, []byte("<?xml")) && !bytes.HasPrefix(document, []byte("<?xml-")) {
		found := declaration.Find(document)
		if found == nil {
			return unreadableAt(document, 0, "the XML declaration must state version 1.0 and, if any, the encoding UTF-8")
		}
		offset = len(found)
	}
	for {
		next := bytes.IndexByte(document[offset:], '<')
		if next < 0 {
			return nil
		}
		offset += next
		size, err := markupSize(document, offset)
		if err != nil {
			return err
		}
		visit(offset, size)
		offset += size
	}
}

// markupSize returns the number of bytes of the markup that begins at offset.
func markupSize(document []byte, offset int) (int, error) {
	rest := document[offset:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		return enclosed(document, offset, "<!--", "-->")
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return enclosed(document, offset, "<![CDATA[", "]]>")
	case bytes.HasPrefix(rest, []byte("<!")):
		return 0, unreadableAt(document, offset, "a document type or entity declaration is not allowed")
	case bytes.HasPrefix(rest, []byte("<?")):
		if target := instruction.FindSubmatch(rest[:min(len(rest), maxTarget)]); target == nil || strings.EqualFold(string(target[1]), "xml") {
			return 0, unreadableAt(document, offset, "a processing instruction has no valid target")
		}
		return enclosed(document, offset, "<?", "?>")
	}
	return tagSize(document, offset)
}

// spaced returns a document in which every line break and tab in an attribute
// value is a blank, as XML requires of a parser; the standard library does not do
// so. changed is false if there are none.
func spaced(document []byte) (out []byte, changed bool) {
	copied := 0
	_ = eachMarkup(document, func(offset, size int) { // scanMarkup found no error
		tag := document[offset : offset+size]
		if tag[1] == '!' || tag[1] == '?' || !bytes.ContainsAny(tag, "\r\n\t") {
			return
		}
		if plain := spacedTag(tag); !bytes.Equal(plain, tag) {
			out = append(append(out, document[copied:offset]...), plain...)
			copied = offset + size
		}
	})
	if copied == 0 {
		return document, false
	}
	return append(out, document[copied:]...), true
}

// spacedTag does for one tag what spaced does for a document.
func spacedTag(tag []byte) []byte {
	out := make([]byte, 0, len(tag))
	var quote byte
	for i, c := range tag {
		switch {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == c:
			quote = 0
		case quote != 0 && c == '\n' && tag[i-1] == '\r':
			continue // the second byte of a line break
		case quote != 0 && (c == '\r' || c == '\n' || c == '\t'):
			c = ' '
		}
		out = append(out, c)
	}
	return out
}

func enclosed(document []byte, offset int, open, closing string) (int, error) {
	end := bytes.Index(document[offset+len(open):], []byte(closing))
	if end < 0 {
		return 0, unreadableAt(document, offset, "%s is not closed by %s", open, closing)
	}
	return len(open) + end + len(closing), nil
}

// tagSize returns the number of bytes of a start or end tag.
func tagSize(document []byte, offset int) (int, error) {
	var quote byte
	for i := offset + 1; i < len(document); i++ {
		if i-offset >= maxTag {
			return 0, unreadableAt(document, offset, "a tag is longer than %d bytes", maxTag)
		}
		c := document[i]
		switch {
		case c == '<':
			return 0, unreadableAt(document, i, "a tag contains <")
		case quote != 0 && c == quote:
			quote = 0
			if i+1 < len(document) && !bytes.ContainsRune([]byte(" \t\r\n/>"), rune(document[i+1])) {
				return 0, unreadableAt(document, i+1, "attributes are not separated by white space")
			}
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '>':
			return i + 1 - offset, nil
		}
	}
	return 0, unreadableAt(document, offset, "a tag is not closed")
}
