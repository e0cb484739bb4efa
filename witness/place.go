package witness

import (
	"strings"

	"github.com/beevik/etree"
)

// The ids of the document references the checks read.
const (
	refCounter  = "ICV"
	refPrevious = "PIH"
	refQR       = "QR"
)

// place finds the parts by exact path from the root, then refuses anything of
// their kind anywhere else.
func (j *judge) place() {
	j.outside = unhashed(j.root)
	j.parts.extensions = j.only("stamp", childrenOf(j.root, extensionsName))
	j.parts.signature = j.only("stamp", childrenOf(j.root, signatureName))
	j.parts.qr = j.only("qr", referencesTo(j.root, refQR))
	j.parts.counter = j.only("counter", referencesTo(j.root, refCounter))
	j.parts.previous = j.only("previous-hash", referencesTo(j.root, refPrevious))
	j.report.Stamped = j.parts.extensions != nil
	j.order()
	j.strays()
	j.ids()
}

// unhashed lists what the invoice hash leaves out.
func unhashed(root *etree.Element) []*etree.Element {
	var out []*etree.Element
	out = append(out, childrenOf(root, extensionsName)...)
	out = append(out, childrenOf(root, signatureName)...)
	return append(out, referencesTo(root, refQR)...)
}

// referencesTo lists the document references below the root with one id.
func referencesTo(root *etree.Element, id string) []*etree.Element {
	var found []*etree.Element
	for _, el := range childrenOf(root, referenceName) {
		if refersTo(el, id) {
			found = append(found, el)
		}
	}
	return found
}

// refersTo takes any of the ids and ignores white space around it, as the
// authority's own transform does before hashing.
func refersTo(el *etree.Element, id string) bool {
	for child := range el.ChildElementsSeq() {
		if nameOf(child) == idName && strings.Trim(deepText(child), " \t\r\n") == id {
			return true
		}
	}
	return false
}

// only returns the first of the elements and refuses the others.
func (j *judge) only(kind string, found []*etree.Element) *etree.Element {
	if len(found) == 0 {
		return nil
	}
	for _, extra := range found[1:] {
		j.find(kind+"-repeated", at(extra, ""), "this element is there more than once", "1 time", "again")
	}
	return found[0]
}

// order demands the places of the official form: the extensions first, then
// … PIH, QR, cac:Signature, cac:AccountingSupplierParty. Where an element
// stands is not covered by the hash when the element itself is not.
func (j *judge) order() {
	p := j.parts
	if p.extensions != nil && before(p.extensions) != nil {
		j.misplaced("stamp", p.extensions, "the extensions must be the first child of the invoice", before(p.extensions))
	}
	if p.qr != nil && (p.previous == nil || before(p.qr) != p.previous) {
		j.misplaced("qr", p.qr, "the QR reference must follow the PIH reference", before(p.qr))
	}
	if p.signature == nil {
		return
	}
	if p.qr != nil && before(p.signature) != p.qr {
		j.misplaced("stamp", p.signature, "the signature must follow the QR reference", before(p.signature))
	}
	if next := after(p.signature); next == nil || nameOf(next) != supplierName {
		j.misplaced("stamp", p.signature, "the seller must follow the signature", next)
	}
}

func (j *judge) misplaced(kind string, el *etree.Element, message string, neighbour *etree.Element) {
	got := "" // the neighbour's place
	if neighbour != nil {
		got = pathOf(neighbour)
	}
	j.find(kind+"-misplaced", at(el, ""), message, "", got)
}

// before is the sibling element before el, after the one behind it.
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

// strays refuses hidden parts. The authority drops every element called
// Signature or UBLExtensions and every QR reference before it hashes, at any
// depth and in any namespace, so content could hide there unsigned.
func (j *judge) strays() {
	for child := range j.root.ChildElementsSeq() {
		switch nameOf(child) {
		case extensionsName:
			continue // held to its shape, or refused as a repetition
		case signatureName, referenceName:
			j.straysBelow(child) // these are at their place, what is in them is not
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
		j.find("stamp-misplaced", at(el, ""), "parts of a stamp may stand only in the extensions", "", own.String())
		return
	}
	switch own.local {
	case "Signature", "UBLExtensions":
		j.find("stamp-misplaced", at(el, ""), "the authority would leave this element out of the hash", "", own.String())
	case "Invoice":
		j.find("stamp-misplaced", at(el, ""), "an invoice may not stand inside an invoice", "", own.String())
	case referenceName.local:
		for _, ref := range []struct{ id, kind string }{{refQR, "qr"}, {refPrevious, "previous-hash"}, {refCounter, "counter"}} {
			if refersTo(el, ref.id) {
				j.find(ref.kind+"-misplaced", at(el, ""), "this reference may stand only directly below the invoice", "", ref.id)
			}
		}
	}
}

// ids refuses an Id that is there twice: which of the two a signature means
// would be the reader's choice.
func (j *judge) ids() {
	seen := map[string]bool{}
	var walk func(el *etree.Element)
	walk = func(el *etree.Element) {
		for _, attr := range el.Attr {
			if !strings.EqualFold(attr.Key, "id") || attr.Space != "" && attr.Space != "xml" {
				continue
			}
			if seen[attr.Value] {
				j.find("id-repeated", at(el, "/@"+attr.FullKey()), "this Id is there twice", "", attr.Value)
			}
			seen[attr.Value] = true
		}
		for child := range el.ChildElementsSeq() {
			walk(child)
		}
	}
	walk(j.root)
}
