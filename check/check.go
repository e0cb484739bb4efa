// Package check runs every check of an invoice document: the UBL schema, the
// requirements of the official rule sheets, the business rules, the stamp and
// the QR code. A finding has an id, a text in English and Arabic, and a place.
//
// The texts of rule findings are in package rules. The texts of findings of the
// verifier (package witness) are in a table in this package, with one row for
// each id, together with the authority's answer to it. khatm validate, the
// public tools and the simulator all use this table. It also has the severity of
// each finding: an error if the authority refuses it, and a warning if it is
// only our opinion about form.
package check

import (
	"slices"
	"strings"
	"time"

	"khatm/rules"
	"khatm/ubl"
	"khatm/witness"
)

// Document is a document that was parsed as UBL.
type Document struct {
	Root    *ubl.Node
	Invoice *ubl.Invoice

	bytes []byte // in UTF-8
}

// Read parses a document, in any encoding that [ubl.ToUTF8] converts. Its errors
// are those of package ubl.
func Read(document []byte) (*Document, error) {
	document, err := ubl.ToUTF8(document)
	if err != nil {
		return nil, err
	}
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

// All returns every finding: of Form, of the rules, and of the stamp and QR code.
func (d *Document) All(now time.Time) []rules.Finding {
	return slices.Concat(Form(d.Root), d.Rules(now), d.Seals())
}

// Form returns the violations of the UBL schema, followed by the values that
// make the official rule sheets abort.
func Form(root *ubl.Node) []rules.Finding {
	return slices.Concat(rules.Schema(root), rules.Traps(root))
}

// Rules returns a finding for each time that the official sheets report a rule,
// at most 100 of a rule.
func (d *Document) Rules(now time.Time) []rules.Finding {
	var found []rules.Finding
	for _, r := range rules.Check(d.Invoice, now) {
		found = append(found, r.Findings()...)
	}
	return found
}

// Seals returns the findings of the verifier, with the severity of the table. On
// a standard document they are warnings: the authority stamps it itself and
// ignores the seller's stamp. The English text is that of the verifier, which
// names the value.
//
// The verifier is stricter than XML. A document that it cannot read is a finding
// too.
func (d *Document) Seals() []rules.Finding {
	report, err := witness.Verify(d.bytes, witness.Expect{})
	if err != nil {
		row := Find(Unreadable)
		if strings.HasPrefix(d.Invoice.InvoiceTypeCode.Attr("name"), "01") {
			row.Flag = rules.Warning
		}
		return []rules.Finding{{ID: row.ID, Flag: row.Flag, Says: row.Says, Fix: row.Fix, Place: rules.Place{Got: err.Error()}}}
	}
	var found []rules.Finding
	for _, f := range report.Findings {
		row := Find(f.ID)
		if !report.Simplified() {
			row.Flag = rules.Warning
		}
		found = append(found, rules.Finding{
			ID: f.ID, Flag: row.Flag, Says: rules.Words{EN: f.Message, AR: row.Says.AR}, Fix: row.Fix,
			Place: rules.Place{Path: f.Path, Got: f.Got, Want: f.Want},
		})
	}
	return found
}
