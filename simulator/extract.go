package simulator

import "bytes"

// extractInfo extracts the fields for the journal from a document that is not
// validated, by searching its bytes. Fields it does not find stay empty.
func extractInfo(s submission) documentInfo {
	code, name := element(s.document, "cbc:InvoiceTypeCode")
	return documentInfo{
		uuid:         s.uuid,
		hash:         s.hash,
		typeCode:     code,
		standard:     bytes.Contains([]byte(name), []byte(`name="01`)),
		counter:      textAfter(s.document, "<cbc:ID>ICV</cbc:ID>", "cbc:UUID"),
		previousHash: textAfter(s.document, "<cbc:ID>PIH</cbc:ID>", "cbc:EmbeddedDocumentBinaryObject"),
	}
}

// textAfter returns the text of the first element with the given name after
// mark, or "".
func textAfter(document []byte, mark, name string) string {
	_, rest, found := bytes.Cut(document, []byte(mark))
	if !found {
		return ""
	}
	text, _ := element(rest, name)
	return text
}

// element returns the text and the attributes of the first element with the
// given name, or "".
func element(document []byte, name string) (text, attributes string) {
	const most = 1 << 10 // longer than any text that is searched for
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
