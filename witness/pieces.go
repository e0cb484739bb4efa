package witness

import "github.com/beevik/etree"

// pieces reports a text that consists of several pieces. The canonical form
// drops comments and the boundaries of CDATA sections, so the hash does not
// change, but a reader that uses only the first piece sees another value than
// one that joins them. Both are harmless if the text is only white space. A
// processing instruction is hashed, but most readers ignore it.
func (j *judge) pieces(el *etree.Element) {
	var text, comment, split, instruction bool
	var last etree.Token
	for _, token := range el.Child {
		switch token := token.(type) {
		case *etree.Element:
			j.pieces(token)
		case *etree.Comment:
			comment = true
		case *etree.ProcInst:
			instruction = true
		case *etree.CharData:
			text = text || !isBlank(token.Data)
			// Two adjacent texts: at least one was a CDATA section.
			_, beside := last.(*etree.CharData)
			split = split || beside
		}
		last = token
	}
	if instruction {
		j.find("instruction", at(el, ""), "the element contains a processing instruction, so readers may see different contents", "", "")
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

// instructions reports processing instructions beside the root element.
func (j *judge) instructions() {
	for _, token := range j.root.Parent().Child {
		if _, is := token.(*etree.ProcInst); is {
			j.find("instruction", at(j.root, ""), "a processing instruction is beside the root element", "", "")
			return
		}
	}
}
