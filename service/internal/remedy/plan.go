package remedy

import (
	"strings"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
)

// Plan is what a rejected invoice needs.
type Plan struct {
	Remedies []Remedy      // in the order of the codes
	Request  issue.Request // the content of the invoice with the suggested values
}

// For returns what an invoice needs that was rejected with the given codes. The
// explanations of the codes tell which rules the document violates; a value is
// suggested only for these.
//
// Lines of the catalogue stay lines of the catalogue, unless a value of a line
// is changed: then all lines have the recorded values and take no stock.
func For(i ledger.Invoice, ids []string, explained map[string]issue.Explained) Plan {
	p := Plan{Request: issue.RequestOf(i, true)}
	lines := false
	for _, id := range ids {
		e := explained[id]
		m, changed := Propose(id, p.Request)
		switch {
		case e.Broken:
			p.Request = changed
		case m.Known && checkable(id):
			m.Source, m.Fix, m.Path, m.Changes = InService, unbroken, "", nil
		default:
			m.Changes = nil
		}
		if len(m.Changes) == 0 {
			m.Path = e.Path
		}
		p.Remedies = append(p.Remedies, m)
		for _, c := range m.Changes {
			lines = lines || strings.HasPrefix(c.Path, issue.Root+".form_lines.")
		}
	}
	if !lines {
		kept := issue.RequestOf(i, false)
		p.Request.Lines, p.Request.FormLines = kept.Lines, kept.FormLines
	}
	return p
}
