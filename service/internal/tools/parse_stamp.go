package tools

import (
	"slices"

	"khatm/check"
	"khatm/ubl"
	"khatm/witness"
)

// Limits of a document that is verified. Verifying costs ten times as much as
// reading. An invoice of a thousand lines has 45,000 nodes at a depth of four or
// five, and two and a half megabytes.
const (
	maxVerified = 3 << 20 // bytes
	maxWitness  = 50_000  // nodes
	maxNesting  = 400_000
)

const noStamp = "The document carries no stamp, so that nothing proves who issued it."

// load is the cost of verifying a document.
type load struct {
	bytes   int
	nodes   int // elements and attributes
	nesting int // the same, each counted once per level, because it is canonicalised that often
}

func (l load) tooMuch() bool {
	return l.bytes > maxVerified || l.nodes > maxWitness || l.nesting > maxNesting
}

// loadOf returns the cost of verifying a document.
func loadOf(xml []byte, root *ubl.Node) load {
	l := load{bytes: len(xml)}
	l.add(root, 1)
	return l
}

// add adds an element at the given depth and everything in it.
func (l *load) add(n *ubl.Node, depth int) {
	own := 1 + len(n.Attrs)
	l.nodes += own
	l.nesting += own * depth
	for _, child := range n.Children {
		l.add(child, depth+1)
	}
}

// verify adds the findings of the witness as warnings. The witness parses the
// bytes itself, so that it also finds documents that can be read in two ways.
func (p *parser) verify(xml []byte, shown marks) {
	report, err := witness.Verify(xml, witness.Expect{})
	if err != nil {
		p.warn("The stamp cannot be verified: %s.", short(err.Error()))
		return
	}
	var stamp, code, unclear, form []witness.Finding
	for _, f := range report.Findings {
		switch row := check.Find(f.ID); {
		case row.Part == check.Reading:
			unclear = append(unclear, f)
		case row.Opinion:
			form = append(form, f)
		case row.Part == check.QRCode:
			code = append(code, f)
		default:
			stamp = append(stamp, f)
		}
	}
	switch {
	case !report.Stamped:
		p.warn(noStamp)
	case len(stamp) > 0:
		p.warn("The stamp does not verify: %s.", some(stamp, describeFinding))
	}
	switch missing := slices.ContainsFunc(code, func(f witness.Finding) bool { return f.ID == "qr-missing" }); {
	case missing && report.Stamped:
		p.warn("The document has no QR code, which a stamped one must have.")
	case !missing && len(code) > 0:
		p.warn("The QR code does not match the document: %s.", some(code, describeFinding))
	}
	if len(unclear) > 0 {
		p.warn("The stamp does not protect the document, because it can be read in more than one way: %s.", some(unclear, describeFinding))
	}
	if len(form) > 0 && report.Stamped {
		p.warn("The stamp or the QR code has an unusual form, so that other programs may verify it differently; this is our opinion, not a check of the authority: %s.", some(form, describeFinding))
	}
	if at, same := shown.agree(marksIn(report)); !same {
		p.warn("The invoice shown is not the one that was verified: %s can be read in two ways.", at)
	}
}

func describeFinding(f witness.Finding) string { return f.Message + " (" + f.Path + ")" }
