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

// rulebook checks the rules and adds a message for each failed rule, the
// European rules first. If the official stylesheets would abort on the
// document, it adds only that error.
func (ev *evaluation) rulebook(now time.Time) {
	if len(rules.Traps(ev.root)) > 0 {
		ev.say(&rulesAborted)
		return
	}
	results := rules.Check(ev.invoice, now)
	for _, category := range []string{european, saudi} {
		for i := range results {
			if results[i].Status == rules.Failed && categoryOf(results[i].Rule.ID) == category {
				ev.broken(results[i].Rule, category)
			}
		}
	}
}

// broken adds the message for a failed rule, only once even if the rule failed
// in several places.
func (ev *evaluation) broken(r *rules.Rule, category string) {
	s := failure
	if r.Flag == rules.Warning {
		s = warning
	}
	ev.verdict.add(s, r.ID, category, sentence(r, ev.submission.Language))
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
