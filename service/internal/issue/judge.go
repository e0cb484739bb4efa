package issue

import (
	"time"

	"khatm/codes"
	"khatm/invoice"
	"khatm/rules"
	"khatm/service/internal/fault"
	"khatm/ubl"
)

// leftToTheAuthority are rules that the interface lets pass here: a rate of
// category S that the law does not know is the authority's to refuse.
func leftToTheAuthority(r rules.Result, standardRated bool) bool {
	switch r.Rule.ID {
	case "BR-KSA-84":
		return true
	case "BR-KSA-DEC-02":
		return standardRated
	}
	return false
}

// judge holds the document against the rulebook, as far as it needs no stamp
// and no place in a chain. Warnings refuse nothing.
func (p *prepared) judge(now time.Time) error {
	shown, err := p.shown("PREVIEW", previewID, now)
	if err != nil {
		return err
	}
	standard := p.hasStandardRate()
	for _, r := range rules.CheckUnsealed(shown, now) {
		if r.Status != rules.Failed || r.Rule.Flag != rules.Error || leftToTheAuthority(r, standard) {
			continue
		}
		return refuseByRule(r.Rule.ID, p.field(r.Places[0].Field))
	}
	return nil
}

// previewID stands where a document that is only shown has no uuid yet.
const previewID = "00000000-0000-4000-8000-000000000000"

// shown writes the document as it would be, without a place in a chain.
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

// refuseByRule refuses in the words of a rule, in both languages.
func refuseByRule(id, field string) error {
	rule, _ := rules.Find(id)
	path := Root
	if field != "" {
		path += "." + field
	}
	return fault.New(fault.Invalid, "%s", rule.Says.EN).
		With("message_ar", rule.Says.AR).
		With("fix", rule.Fix.EN).
		With("fix_ar", rule.Fix.AR).
		With("path", path).
		With("rule_id", id)
}
