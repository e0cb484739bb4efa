package issue

import (
	"slices"
	"time"

	"khatm/rules"
	"khatm/service/internal/ledger"
	"khatm/ubl"
)

// Explained contains what a rule requires, how to comply, and the field of the
// request that violates the rule.
type Explained struct {
	Says rules.Words
	Fix  rules.Words
	Path string // empty if no single field is the cause

	// Broken reports whether the document violates the rule by our own check.
	Broken bool
}

// Explain explains the rule codes that the authority reported for an issued
// document. Codes that are not known rules are left out.
func Explain(i ledger.Invoice, signed []byte, codes []string, now time.Time) map[string]Explained {
	found := map[string]Explained{}
	for _, code := range codes {
		if rule, known := rules.Find(code); known {
			found[code] = Explained{Says: rule.Says, Fix: rule.Fix}
		}
	}
	if len(found) == 0 {
		return nil
	}
	document, err := ubl.Read(signed)
	if err != nil {
		return found // without paths
	}
	writtenOut := !slices.ContainsFunc(i.Record.Lines, func(l ledger.Line) bool { return l.Item != nil })
	for _, r := range rules.Check(document, now) {
		e, asked := found[r.Rule.ID]
		if !asked || r.Status != rules.Failed {
			continue
		}
		e.Broken = true
		if len(r.Places) > 0 && r.Places[0].Field != "" {
			e.Path = Root + "." + fieldOf(r.Places[0].Field, writtenOut)
		}
		found[r.Rule.ID] = e
	}
	return found
}
