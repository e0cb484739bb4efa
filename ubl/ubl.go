// Package ubl reads and writes UBL 2.1 invoices: a typed model, a writer whose
// output is Canonical XML 1.1, and a strict parser with size limits.
//
// The package handles the format only and has no business rules. A leaf keeps
// its text verbatim: an amount stays "115.0" if that is what the document says,
// and an absent element (nil) differs from an empty one. Every element that the
// schema allows to repeat is a slice, so that no content is lost.
//
// [Write] returns the document in three parts with two slots between them. The
// hash of an invoice covers the three parts. The cryptographic stamp, the QR
// code and the signature reference are inserted into the slots, which does not
// change the hashed bytes:
//
//	Head   <Invoice xmlns=…>
//	       ← ext:UBLExtensions (the stamp)
//	Body   cbc:ProfileID … the references for counter and previous hash
//	       ← the QR reference and cac:Signature
//	Tail   cac:AccountingSupplierParty … </Invoice>
//
// [Read] accepts any UBL invoice, with any prefixes and white space. Elements
// that are not in the model are kept in the [Rest] of their parent. Attributes
// of elements with children, which UBL does not use, are dropped.
package ubl

// Attr is an attribute of an element. A name with a namespace is written in
// braces: "{http://…}lang".
type Attr struct {
	Name, Value string
}

// Text is a leaf element: its verbatim text and its attributes. A nil *Text is
// an absent element.
type Text struct {
	Value string
	Attrs []Attr
}

// NewText returns a leaf. Attributes are given as name, value, name, value.
func NewText(value string, attrs ...string) *Text {
	if len(attrs) == 2 {
		// The most common leaf, an amount with its currency, in one allocation.
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

// String returns the text, or "" if the element is absent.
func (t *Text) String() string {
	if t == nil {
		return ""
	}
	return t.Value
}

// Attr returns the value of an attribute, or "" if the element or the attribute
// is absent.
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

// Rest contains, in document order, the children of a part that are not in the
// model, or that repeat although the schema does not allow it.
type Rest struct {
	Unmodelled []*Node
}

func (r *Rest) rest() *Rest { return r }
