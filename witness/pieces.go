package witness

import "github.com/beevik/etree"

// pieces reports a text that consists of several pieces. The canonical form
// drops comments and the boundaries of CDATA sections, so the hash does not
// change, but a reader that uses only the first piece sees another value than
// one that joins them. Both are harmless if the text is only white space.
func (j *judge) pieces(el *etree.Element) {
	var text, comment, split bool
	var last etree.Token
	for _, token := range el.Child {
		switch token := token.(type) {
		case *etree.Element:
			j.pieces(token)
		case *etree.Comment:
			comment = true
		case *etree.CharData:
			text = text || !isBlank(token.Data)
			// Two adjacent texts: at least one was a CDATA section.
			_, beside := last.(*etree.CharData)
			split = split || beside
		}
		last = token
	}
	if !text || !comment && !split {
		return
	}
	whole, _ := wholeText(el)
	if comment {
		j.find("comment", at(el, ""), "the text contains a comment, so readers may see different texts", "", whole)
	}
	if split {
		j.find("split-text", at(el, ""), "the text contains a CDATA section, so readers may see different texts", "", whole)
	}
}
