// Package check runs every check of a document: the schema of UBL, what the
// official rule sheets can read, the rulebook, the stamp and the QR code. A
// finding has an id, a text in English and Arabic and a place.
//
// What is found by rules has its texts in package rules. What is found by the
// verifier has them in the table of this package, one row an id, together with
// what the authority answers to it: khatm validate, the public tools and the
// simulator read the same row. How severe a finding is depends on who asks, and
// each caller decides it.
package check

import (
	"slices"
	"time"

	"khatm/rules"
	"khatm/ubl"
	"khatm/witness"
)

// Document is a document that could be read as UBL.
type Document struct {
	Root    *ubl.Node
	Invoice *ubl.Invoice

	bytes []byte
}

// Read reads a document. The error is that of package ubl.
func Read(document []byte) (*Document, error) {
	root, err := ubl.Parse(document)
	if err != nil {
		return nil, err
	}
	inv, err := ubl.Bind(root)
	if err != nil {
		return nil, err
	}
	return &Document{Root: root, Invoice: inv, bytes: document}, nil
}

// All returns every finding: of the form, of the rules, of stamp and QR code.
func (d *Document) All(now time.Time) []rules.Finding {
	return slices.Concat(Form(d.Root), d.Rules(now), d.Seals())
}

// Form returns how a document departs from the schema of UBL, and then what the
// official rule sheets cannot read.
func Form(root *ubl.Node) []rules.Finding {
	return slices.Concat(rules.Schema(root), rules.Traps(root))
}

// Rules returns the rules that fail, once for each place.
func (d *Document) Rules(now time.Time) []rules.Finding {
	var found []rules.Finding
	for _, r := range rules.Check(d.Invoice, now) {
		for _, p := range r.Places {
			found = append(found, rules.Finding{ID: r.Rule.ID, Flag: r.Rule.Flag, Says: r.Rule.Says, Fix: r.Rule.Fix, Place: p})
		}
	}
	return found
}

// Seals returns what the verifier finds. On a standard document these are
// warnings: the authority stamps it itself and does not look at the seller's
// stamp. The English text is that of the verifier, which names the value.
//
// The verifier reads more strictly than XML asks: that it cannot read a document
// is a finding like others.
func (d *Document) Seals() []rules.Finding {
	report, err := witness.Verify(d.bytes, witness.Expect{})
	if err != nil {
		row := Find(Unreadable)
		return []rules.Finding{{ID: row.ID, Flag: rules.Error, Says: row.Says, Fix: row.Fix, Place: rules.Place{Got: err.Error()}}}
	}
	flag := rules.Warning
	if report.Simplified() {
		flag = rules.Error
	}
	var found []rules.Finding
	for _, f := range report.Findings {
		row := Find(f.ID)
		found = append(found, rules.Finding{
			ID: f.ID, Flag: flag, Says: rules.Words{EN: f.Message, AR: row.Says.AR}, Fix: row.Fix,
			Place: rules.Place{Path: f.Path, Got: f.Got, Want: f.Want},
		})
	}
	return found
}
