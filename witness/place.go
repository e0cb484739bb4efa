package witness

import (
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// The ids of the document references that the checks read.
const (
	refCounter  = "ICV"
	refPrevious = "PIH"
	refQR       = "QR"
)

// place finds the parts by their exact path from the root and reports elements
// of the same kind anywhere else.
func (j *judge) place() {
	j.parts.extensions = j.only("stamp", childrenOf(j.root, extensionsName))
	j.parts.signature = j.only("stamp", childrenOf(j.root, signatureName))
	j.parts.qr = j.qrReference()
	j.parts.counter = j.only("counter", referencesTo(j.root, refCounter))
	j.parts.previous = j.only("previous-hash", referencesTo(j.root, refPrevious))
	j.report.Stamped = j.parts.extensions != nil
	j.order()
	j.strays()
	j.ids()
}

// unhashed returns the elements that the invoice hash leaves out. They are those
// of the authority's transform: at any depth and in any namespace.
func unhashed(root *etree.Element) elements {
	found := elements{}
	var walk func(el *etree.Element)
	walk = func(el *etree.Element) {
		for child := range el.ChildElementsSeq() {
			if isUnhashed(child) {
				found[child] = true
			} else {
				walk(child)
			}
		}
	}
	walk(root)
	return found
}

func isUnhashed(el *etree.Element) bool {
	switch el.Tag {
	case extensionsName.local, signatureName.local:
		return true
	}
	return isCode(el)
}

// isCode reports whether the authority's transform takes el for a QR reference:
// an id consists of a single text, without regard to the white space around it.
// A comment, processing instruction or element inside the text divides it; a
// CDATA section does not.
func isCode(el *etree.Element) bool {
	if el.Tag != referenceName.local {
		return false
	}
	for child := range el.ChildElementsSeq() {
		if nameOf(child) != idName {
			continue
		}
		if text, whole := singleText(child); whole && strings.Trim(text, " \t\r\n") == refQR {
			return true
		}
	}
	return false
}

// qrReference returns the first QR reference below the root that the hash leaves
// out, or nil, and reports the others, together with those that only a reader
// that joins the pieces of their id takes for one.
func (j *judge) qrReference() *etree.Element {
	all := referencesTo(j.root, refQR)
	if first := slices.IndexFunc(all, isCode); first > 0 {
		all[0], all[first] = all[first], all[0]
	}
	if found := j.only("qr", all); found != nil && isCode(found) {
		return found
	}
	return nil
}

// referencesTo returns the document references below the root with the given id.
func referencesTo(root *etree.Element, id string) []*etree.Element {
	var found []*etree.Element
	for _, el := range childrenOf(root, referenceName) {
		if refersTo(el, id) {
			found = append(found, el)
		}
	}
	return found
}

// refersTo reports whether a reference has the given id for any reader. It checks
// all its ids, joins their pieces and ignores white space around them.
func refersTo(el *etree.Element, id string) bool {
	for child := range el.ChildElementsSeq() {
		if nameOf(child) == idName && strings.Trim(deepText(child), " \t\r\n") == id {
			return true
		}
	}
	return false
}

// only returns the first of the elements, or nil if there are none, and reports
// the others.
func (j *judge) only(kind string, found []*etree.Element) *etree.Element {
	if len(found) == 0 {
		return nil
	}
	for _, extra := range found[1:] {
		j.find(kind+"-repeated", at(extra, ""), "the element is repeated", "1 time", "again")
	}
	return found[0]
}

// order checks the customary positions: the extensions first, then … PIH, QR,
// cac:Signature, cac:AccountingSupplierParty. The hash does not cover the
// position of an element that it leaves out.
func (j *judge) order() {
	p := j.parts
	if p.extensions != nil && before(p.extensions) != nil {
		j.disorder("stamp", p.extensions, "the extensions must be the first child of the invoice", before(p.extensions))
	}
	if p.qr != nil && (p.previous == nil || before(p.qr) != p.previous) {
		j.disorder("qr", p.qr, "the QR reference must follow the PIH reference", before(p.qr))
	}
	if p.signature == nil {
		return
	}
	if p.qr != nil && before(p.signature) != p.qr {
		j.disorder("stamp", p.signature, "the signature must follow the QR reference", before(p.signature))
	}
	if next := after(p.signature); next == nil || nameOf(next) != supplierName {
		j.disorder("stamp", p.signature, "the seller must follow the signature", next)
	}
}

func (j *judge) disorder(kind string, el *etree.Element, message string, neighbour *etree.Element) {
	got := "" // the path of the neighbour
	if neighbour != nil {
		got = pathOf(neighbour)
	}
	j.find(kind+"-order", at(el, ""), message, "", got)
}

// before and after return the sibling elements before and after el, or nil.
func before(el *etree.Element) *etree.Element { return sibling(el, -1) }
func after(el *etree.Element) *etree.Element  { return sibling(el, +1) }

func sibling(el *etree.Element, step int) *etree.Element {
	all := el.Parent().Child
	for i := el.Index() + step; i >= 0 && i < len(all); i += step {
		if found, is := all[i].(*etree.Element); is {
			return found
		}
	}
	return nil
}

// strays reports hidden parts. Before hashing, the authority drops every element
// called Signature or UBLExtensions and every QR reference, at any depth and in
// any namespace, so unsigned content could hide there.
func (j *judge) strays() {
	for child := range j.root.ChildElementsSeq() {
		switch nameOf(child) {
		case extensionsName:
			continue // its structure is checked elsewhere, and a second one is refused
		case signatureName, referenceName:
			j.straysBelow(child) // allowed here, but their descendants are not
		default:
			j.stray(child)
			j.straysBelow(child)
		}
	}
}

func (j *judge) straysBelow(el *etree.Element) {
	for child := range el.ChildElementsSeq() {
		j.stray(child)
		j.straysBelow(child)
	}
}

func (j *judge) stray(el *etree.Element) {
	own := nameOf(el)
	switch own.space {
	case nsEXT, nsSIG, nsSAC, nsSBC, nsDS, nsXADES:
		j.find("stamp-misplaced", at(el, ""), "parts of a stamp are allowed only in the extensions", "", own.String())
		return
	}
	switch own.local {
	case "Signature", "UBLExtensions":
		j.find("stamp-misplaced", at(el, ""), "the authority would leave this element out of the hash", "", own.String())
	case "Invoice":
		j.find("stamp-misplaced", at(el, ""), "an invoice must not contain another invoice", "", own.String())
	case referenceName.local:
		for _, ref := range []struct{ id, kind string }{{refQR, "qr"}, {refPrevious, "previous-hash"}, {refCounter, "counter"}} {
			if refersTo(el, ref.id) {
				j.find(ref.kind+"-misplaced", at(el, ""), "the reference is allowed only directly below the root", "", ref.id)
			}
		}
	}
}

// ids reports a repeated Id: readers could differ on which of the two a
// signature refers to.
func (j *judge) ids() {
	seen := map[string]bool{}
	var walk func(el *etree.Element)
	walk = func(el *etree.Element) {
		for _, attr := range el.Attr {
			if !strings.EqualFold(attr.Key, "id") || attr.Space != "" && attr.Space != "xml" {
				continue
			}
			if seen[attr.Value] {
				j.find("id-repeated", at(el, "/@"+attr.FullKey()), "the Id is repeated", "", attr.Value)
			}
			seen[attr.Value] = true
		}
		for child := range el.ChildElementsSeq() {
			walk(child)
		}
	}
	walk(j.root)
}
