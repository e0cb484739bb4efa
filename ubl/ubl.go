// Package ubl is the format of the document: a typed UBL 2.1 invoice, a writer
// whose output is Canonical XML 1.1, and a strict, bounded reader.
//
// It knows the format and no business. A leaf keeps the text that stands in
// the document: an amount stays "115.0" if that is what was written, and an
// element that is absent (nil) differs from one that is empty. Whatever the
// schema lets repeat is a slice, so that nothing a document says is lost.
//
// [Write] returns the document in three runs with two slots between them. The
// hash of an invoice covers the three runs; the cryptographic stamp, the QR
// code and the signature reference go into the slots, so that inserting them
// touches no byte that was hashed:
//
//	Head   <Invoice xmlns=…>
//	       ← ext:UBLExtensions (the stamp)
//	Body   cbc:ProfileID … the references for counter and previous hash
//	       ← the QR reference and cac:Signature
//	Tail   cac:AccountingSupplierParty … </Invoice>
//
// [Read] accepts any UBL invoice, whatever its prefixes and white space. What
// the model does not name is kept in the [Rest] of the part it was found in;
// attributes of a part itself, for which UBL has no use, are not kept.
package ubl

// Attr is an attribute of an element. A name with a namespace is written in
// braces: "{http://…}lang".
type Attr struct {
	Name, Value string
}

// Text is a leaf element: its text verbatim and its attributes. A nil *Text is
// an element that is not there.
type Text struct {
	Value string
	Attrs []Attr
}

// NewText makes a leaf. Attributes are given as name, value, name, value.
func NewText(value string, attrs ...string) *Text {
	if len(attrs) == 2 {
		// An amount with its currency: the commonest leaf, made in one piece.
		t := &struct {
			Text
			only [1]Attr
		}{Text{Value: value}, [1]Attr{{attrs[0], attrs[1]}}}
		t.Attrs = t.only[:]
		return &t.Text
	}
	t := &Text{Value: value}
	for i := 0; i+1 < len(attrs); i += 2 {
		t.Attrs = append(t.Attrs, Attr{attrs[i], attrs[i+1]})
	}
	return t
}

// String returns the text, or nothing when the element is not there.
func (t *Text) String() string {
	if t == nil {
		return ""
	}
	return t.Value
}

// Attr returns the value of an attribute, or nothing when the element or the
// attribute is not there.
func (t *Text) Attr(name string) string {
	if t == nil {
		return ""
	}
	for _, a := range t.Attrs {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// Rest keeps the children of a part that the model does not name, or that
// repeat where the schema allows one only, in document order.
type Rest struct {
	Unmodelled []*Node
}

func (r *Rest) rest() *Rest { return r }
