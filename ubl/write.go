package ubl

import (
	"fmt"
	"slices"
	"strings"
)

// Canon is an invoice written without its stamp: Canonical XML 1.1 in three
// parts, with a slot before and after Body.
type Canon struct {
	Head, Body, Tail []byte
}

// Bytes joins the three parts. The hash of the invoice covers these bytes.
func (c Canon) Bytes() []byte { return c.With(nil, nil) }

// With joins the parts with the stamp in the first slot and the QR and signature
// references in the second.
func (c Canon) With(stamp, references []byte) []byte {
	return slices.Concat(c.Head, stamp, c.Body, references, c.Tail)
}

// WriteError is the error for an invoice that cannot be written.
type WriteError struct {
	Path, Reason string
}

func (e *WriteError) Error() string { return e.Path + ": " + e.Reason }

// The share of MaxBytes and MaxElements that is reserved for the stamp, which
// has 7 kB and about fifty elements.
const (
	stampRoom     = 64 << 10
	stampElements = 100
	maxWritten    = MaxBytes - stampRoom
	maxOpened     = MaxElements - stampElements
)

const rootTag = `<Invoice xmlns="` + nsInvoice + `" xmlns:cac="` + nsCAC + `" xmlns:cbc="` + nsCBC + `" xmlns:ext="` + nsEXT + `">`

// Write encodes an invoice without the content of the slots: the extensions, the
// QR reference and the signature reference. It refuses elements that are not in
// the model, because it does not know their position, characters that XML does
// not allow, and documents that are too large for Read; it stops as soon as the
// limit is reached. The error is a [*WriteError].
func Write(inv *Invoice) (Canon, error) {
	w := &writer{out: make([]byte, 0, min(4096+800*len(inv.Lines), maxWritten))}
	w.out = append(w.out, rootTag...)
	head := len(w.out)
	unstamped := *inv
	unstamped.Signatures = nil
	unstamped.AdditionalDocumentReferences = nil
	for _, r := range inv.AdditionalDocumentReferences {
		if r.ID.String() != "QR" {
			unstamped.AdditionalDocumentReferences = append(unstamped.AdditionalDocumentReferences, r)
		}
	}
	w.path = append(w.path, step{name: "Invoice"})
	w.part(&unstamped)
	w.out = append(w.out, "</Invoice>"...)
	w.bound(0)
	if w.err == nil && w.slot == 0 {
		w.err = &WriteError{"/Invoice/cac:AccountingSupplierParty", "invoice has no seller"}
	}
	if w.err != nil {
		return Canon{}, w.err
	}
	return Canon{
		Head: w.out[:head:head],
		Body: w.out[head:w.slot:w.slot],
		Tail: w.out[w.slot:],
	}, nil
}

// writer is the visitor that appends the elements that are present, until one
// cannot be written.
type writer struct {
	out      []byte
	slot     int // offset of the seller, which follows the second slot
	elements int
	path     []step
	err      error
}

// step is one element of a path.
type step struct {
	name  string
	index int // counted from 1; 0 for an element that does not repeat
}

func (w *writer) next(string) *Node { return nil }
func (w *writer) bind(*Node, part)  {}

func (w *writer) leaf(name string, field **Text) {
	if *field != nil {
		w.text(name, *field)
	}
}

func (w *writer) leaves(name string, field *[]*Text) {
	for _, t := range *field {
		w.text(name, t)
	}
}

func (w *writer) present(name string, index int, p part) {
	if name == "cac:AccountingSupplierParty" {
		w.slot = len(w.out)
	}
	if w.open(name); w.err != nil {
		return
	}
	w.out = append(w.out, '>')
	w.path = append(w.path, step{name, index})
	w.part(p)
	w.path = w.path[:len(w.path)-1]
	w.shut(name)
}

func (w *writer) part(p part) {
	p.shape(w)
	if left := p.rest().Unmodelled; len(left) > 0 {
		w.fail(left[0].Name, "element is not in the model and cannot be written")
	}
}

func (w *writer) text(name string, t *Text) {
	if w.open(name); w.err != nil {
		return
	}
	w.attributes(name, t.Attrs)
	w.out = append(w.out, '>')
	if w.bound(len(t.Value)); w.err != nil {
		return
	}
	if r, _, found := IllegalCharacter(t.Value); found {
		w.fail(name, notInXML(r))
	}
	w.out = appendText(w.out, t.Value)
	w.shut(name)
}

// attributes writes the attributes sorted by name, as Canonical XML requires.
func (w *writer) attributes(name string, attrs []Attr) {
	if len(attrs) > 1 && !slices.IsSortedFunc(attrs, byName) {
		attrs = slices.SortedFunc(slices.Values(attrs), byName)
	}
	for i, a := range attrs {
		if !plainName(a.Name) || i > 0 && attrs[i-1].Name == a.Name {
			w.fail(name+"/@"+a.Name, "attribute is repeated or has a name that cannot be written")
		}
		if r, _, found := IllegalCharacter(a.Value); found {
			w.fail(name+"/@"+a.Name, notInXML(r))
		}
		w.out = append(w.out, ' ')
		w.out = append(w.out, a.Name...)
		w.out = append(w.out, '=', '"')
		w.out = appendAttribute(w.out, a.Value)
		w.out = append(w.out, '"')
	}
}

func byName(a, b Attr) int { return strings.Compare(a.Name, b.Name) }

// plainName reports whether an attribute name can be written unchanged. UBL
// uses only names of ASCII letters.
func plainName(name string) bool {
	for i := range len(name) {
		if c := name[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return name != "" && !strings.EqualFold(name, "xmlns")
}

func notInXML(r rune) string { return fmt.Sprintf("character %U is not allowed in XML", r) }

func (w *writer) fail(place, reason string) {
	if w.err != nil {
		return
	}
	path := Path{w.path}
	w.err = &WriteError{path.String() + "/" + place, reason}
}

// bound refuses a document that is too large, or would be with more bytes added.
func (w *writer) bound(more int) {
	switch {
	case w.err != nil:
	case len(w.out)+more > maxWritten:
		w.err = &WriteError{"/Invoice", fmt.Sprintf("document has more than %d bytes, the limit for stamping", maxWritten)}
	case w.elements > maxOpened:
		w.err = &WriteError{"/Invoice", fmt.Sprintf("document has more than %d elements, the limit for stamping", maxOpened)}
	}
}

func (w *writer) open(name string) {
	w.elements++
	w.bound(len(name))
	w.out = append(w.out, '<')
	w.out = append(w.out, name...)
}

func (w *writer) shut(name string) {
	w.out = append(w.out, '<', '/')
	w.out = append(w.out, name...)
	w.out = append(w.out, '>')
}
