package tools

import (
	"slices"

	"khatm/check"
	"khatm/ubl"
	"khatm/witness"
)

// Bounds of what is verified, which costs ten times what reading does. An
// invoice of a thousand lines has 45,000 nodes at a depth of four or five, and
// two and a half megabytes.
const (
	maxVerified = 3 << 20 // bytes
	maxWitness  = 50_000  // nodes
	maxNesting  = 400_000
)

const noStamp = "The document carries no stamp, so that nothing proves who issued it."

// load is what it takes to verify a document.
type load struct {
	bytes   int
	nodes   int // elements and attributes
	nesting int // the same, each counted once a level: so often is it canonicalised
}

func (l load) tooMuch() bool {
	return l.bytes > maxVerified || l.nodes > maxWitness || l.nesting > maxNesting
}

// loadOf weighs a document.
func loadOf(xml []byte, root *ubl.Node) load {
	l := load{bytes: len(xml)}
	l.add(root, 1)
	return l
}

// add adds an element that stands so deep, and what is in it.
func (l *load) add(n *ubl.Node, depth int) {
	own := 1 + len(n.Attrs)
	l.nodes += own
	l.nesting += own * depth
	for _, child := range n.Children {
		l.add(child, depth+1)
	}
}

// verify says in warnings what the witness finds. It reads the bytes by itself,
// so that it also shows where they can be read in two ways.
func (p *parser) verify(xml []byte, shown marks) {
	report, err := witness.Verify(xml, witness.Expect{})
	if err != nil {
		p.warn("The stamp cannot be verified: %s.", short(err.Error()))
		return
	}
	var stamp, code, unclear []witness.Finding
	for _, f := range report.Findings {
		switch check.Find(f.ID).Part {
		case check.QRCode:
			code = append(code, f)
		case check.Reading:
			unclear = append(unclear, f)
		case check.Stamp:
			stamp = append(stamp, f)
		}
	}
	switch {
	case !report.Stamped:
		p.warn(noStamp)
	case len(stamp) > 0:
		p.warn("The stamp does not verify: %s.", some(stamp, told))
	}
	switch missing := slices.ContainsFunc(code, func(f witness.Finding) bool { return f.ID == "qr-missing" }); {
	case missing && report.Stamped:
		p.warn("The document has no QR code, which a stamped one must have.")
	case !missing && len(code) > 0:
		p.warn("The QR code is not that of the document: %s.", some(code, told))
	}
	if len(unclear) > 0 {
		p.warn("The document is not what a stamp can vouch for, since it can be read in more than one way: %s.", some(unclear, told))
	}
	if at, same := shown.agree(marksIn(report)); !same {
		p.warn("What is shown is not what was verified: %s is read in two ways.", at)
	}
}

func told(f witness.Finding) string { return f.Message + " (" + f.Path + ")" }
