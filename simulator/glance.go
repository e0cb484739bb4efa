package simulator

import "bytes"

// glance takes from a document that is not judged what the journal wants to
// know, by looking for it in the bytes. What it does not find stays empty.
func glance(s submission) paper {
	code, name := element(s.document, "cbc:InvoiceTypeCode")
	return paper{
		uuid:         s.uuid,
		hash:         s.hash,
		typeCode:     code,
		standard:     bytes.Contains([]byte(name), []byte(`name="01`)),
		counter:      textAfter(s.document, "<cbc:ID>ICV</cbc:ID>", "cbc:UUID"),
		previousHash: textAfter(s.document, "<cbc:ID>PIH</cbc:ID>", "cbc:EmbeddedDocumentBinaryObject"),
	}
}

// textAfter is the text of the first such element behind a mark.
func textAfter(document []byte, mark, name string) string {
	_, rest, found := bytes.Cut(document, []byte(mark))
	if !found {
		return ""
	}
	text, _ := element(rest, name)
	return text
}

// element is the text and the attributes of the first such element.
func element(document []byte, name string) (text, attributes string) {
	const most = 1 << 10 // no text that is looked for is longer
	_, rest, found := bytes.Cut(document, []byte("<"+name))
	if !found {
		return "", ""
	}
	rest = rest[:min(len(rest), most)]
	head, rest, found := bytes.Cut(rest, []byte(">"))
	if !found {
		return "", ""
	}
	inner, _, found := bytes.Cut(rest, []byte("<"))
	if !found {
		return "", ""
	}
	return string(inner), string(head)
}
