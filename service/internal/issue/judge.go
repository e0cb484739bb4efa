package issue

import (
	"time"

	"khatm/codes"
	"khatm/invoice"
	"khatm/rules"
	"khatm/service/internal/fault"
	"khatm/ubl"
)

// leftToTheAuthority reports whether a failed rule is ignored here because the
// authority decides on it: unusual rates of category S.
func leftToTheAuthority(r rules.Result, standardRated bool) bool {
	switch r.Rule.ID {
	case "BR-KSA-84":
		return true
	case "BR-KSA-DEC-02":
		return standardRated
	}
	return false
}

// judge applies the rules that need neither a stamp nor a chain position.
// Warnings are ignored.
func (p *prepared) judge(now time.Time) error {
	shown, err := p.shown("PREVIEW", previewID, now)
	if err != nil {
		return err
	}
	standard := p.hasStandardRate()
	for _, r := range rules.FailedUnsealed(shown, now) {
		if r.Rule.Flag != rules.Error || leftToTheAuthority(r, standard) {
			continue
		}
		return refuseByRule(r.Rule.ID, p.field(r.Places[0].Field))
	}
	return nil
}

// previewID is the UUID of a document that has not been issued.
const previewID = "00000000-0000-4000-8000-000000000000"

// shown returns the document as it would be issued, without a chain position.
func (p *prepared) shown(number, id string, now time.Time) (*ubl.Invoice, error) {
	return p.document.UBL(invoice.Identity{Number: number, UUID: id}.At(now))
}

func (p *prepared) hasStandardRate() bool {
	for _, l := range p.document.Lines {
		if l.Tax.Category == codes.StandardRated {
			return true
		}
	}
	return false
}

// refuseByRule returns the text of a rule as an error, in both languages.
func refuseByRule(id, field string) error {
	rule, _ := rules.Find(id)
	path := Root
	if field != "" {
		path += "." + field
	}
	return fault.New(fault.RuleViolated, "%s", rule.Says.EN).
		With("message_ar", rule.Says.AR).
		With("fix", rule.Fix.EN).
		With("fix_ar", rule.Fix.AR).
		With("path", path).
		With("rule_id", id)
}
