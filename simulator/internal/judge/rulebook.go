package judge

import (
	"strings"
	"time"

	"khatm/rules"
)

// Categories of the rules.
const (
	european = "EN_16931"
	saudi    = "KSA"
)

// rulebook runs the rules and answers those that failed, the European ones
// first. Where the official sheets break off, no rule is answered.
func (h *hearing) rulebook(now time.Time) {
	if len(rules.Traps(h.root)) > 0 {
		h.say(&brokenSheets)
		return
	}
	results := rules.Check(h.invoice, now)
	for _, category := range []string{european, saudi} {
		for i := range results {
			if results[i].Status == rules.Failed && categoryOf(results[i].Rule.ID) == category {
				h.broken(results[i].Rule, category)
			}
		}
	}
}

// broken answers a rule that failed, at however many places.
func (h *hearing) broken(r *rules.Rule, category string) {
	s := failure
	if r.Flag == rules.Warning {
		s = warning
	}
	h.verdict.add(s, r.ID, category, sentence(r, h.submission.Language))
}

func sentence(r *rules.Rule, language string) string {
	if words, known := quoted[r.ID]; known {
		return words.In(language)
	}
	return "[" + r.ID + "]-" + r.Says.In(language)
}

func categoryOf(rule string) string {
	for _, prefix := range []string{"BR-KSA", "BR-CL-KSA", "BR-CUSTOM"} {
		if strings.HasPrefix(rule, prefix) {
			return saudi
		}
	}
	return european
}
