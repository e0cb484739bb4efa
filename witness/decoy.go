package witness

import (
	"slices"

	"github.com/beevik/etree"
)

// decoyNames are the elements of a stamp that readers look for by name.
var decoyNames = []name{
	ds("Signature"), ds("Reference"), ds("DigestValue"), ds("SignatureValue"), ds("X509Certificate"),
	xades("SignedProperties"), xades("SigningTime"),
}

// decoys reports elements that have the name of a verified one and precede it,
// such as one inside an element of another kind: a reader that takes the first
// of that name does not see what was verified.
func (j *judge) decoys(found slots) {
	verified := elements{}
	for _, el := range found {
		for ; el != nil && el != j.parts.extensions; el = el.Parent() {
			verified[el] = true
		}
	}
	others := map[name]*etree.Element{} // the first unverified element of each name
	var walk func(el *etree.Element)
	walk = func(el *etree.Element) {
		first := map[name]bool{} // the names whose first child is verified
		for child := range el.ChildElementsSeq() {
			own := nameOf(child)
			switch other := others[own]; {
			case !slices.Contains(decoyNames, own):
			case verified[child]:
				first[own] = true
				if other != nil {
					j.find("signature", at(other, ""), "an element of the same name follows, so readers may verify different ones", "", own.String())
					delete(others, own)
				}
			case first[own]:
				continue // a repetition, behind what readers take
			case other == nil:
				others[own] = child
			}
			walk(child)
		}
	}
	walk(j.parts.extensions)
}
