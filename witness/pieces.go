package witness

import "github.com/beevik/etree"

// pieces refuses a text that is not one piece. The canonical form drops
// comments and the borders of CDATA sections, so the hash stays the same while
// a reader that takes the first piece sees another value than one that joins
// them all. Where there is no text but white space, neither does harm.
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
			// Two texts side by side: at least one was a CDATA section.
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
		j.find("comment", at(el, ""), "a comment stands in this text, and readers differ on what the text is", "", whole)
	}
	if split {
		j.find("split-text", at(el, ""), "a CDATA section is a part of this text, and readers differ on what the text is", "", whole)
	}
}
