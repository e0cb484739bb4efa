package tools

import (
	"khatm/ubl"
	"khatm/witness"
)

// Agree reports whether the displayed and the verified document have the same key
// values, and otherwise the path of the first difference.
func Agree(shown *ubl.Invoice, verified *witness.Report) (path string, same bool) {
	return marksOf(shown).agree(marksIn(verified))
}

// Weigh estimates the number of elements and attributes of XML.
var Weigh = weigh
