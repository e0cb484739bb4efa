package judge

import (
	"slices"
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
	if found := rules.Traps(ev.root); len(found) > 0 {
		ev.say(&rulesAborted, atPlace(found[0].Says, found[0].Fix, found[0].Place))
		return
	}
	results := rules.Check(ev.invoice, now)
	for _, category := range []string{european, saudi} {
		for i := range results {
			if results[i].Status == rules.Failed && categoryOf(results[i].Rule.ID) == category {
				ev.broken(&results[i], category)
			}
		}
	}
}

// broken adds the message for a failed rule, only once even if the rule failed
// in several places. The reason names the first.
func (ev *evaluation) broken(result *rules.Result, category string) {
	r, s := result.Rule, failure
	if r.Flag == rules.Warning {
		s = warning
	}
	ev.verdict.add(s, r.ID, category, sentence(r, ev.submission.Language))
	var first rules.Place
	if len(result.Places) > 0 {
		first = result.Places[0]
	}
	kind, _ := kindOf(s)
	ev.verdict.explain(kind, r.ID, atPlace(r.Says, r.Fix, first))
}

func sentence(r *rules.Rule, language string) string {
	if words, known := quoted[r.ID]; known {
		return words.In(language)
	}
	return "[" + r.ID + "]-" + r.Says.In(language)
}

// IsRule reports whether a code is the id of a rule.
func IsRule(code string) bool {
	_, known := rules.Find(code)
	return known
}

// Refuse adds the error message of a rule, whether or not the document breaks
// it. A warning of the same rule is removed. Other codes are ignored.
func (v *Verdict) Refuse(rule, language string) {
	r, known := rules.Find(rule)
	if !known {
		return
	}
	v.Warnings = slices.DeleteFunc(v.Warnings, func(m Message) bool { return m.Code == rule })
	v.add(failure, rule, categoryOf(rule), sentence(&r, language))
}

func categoryOf(rule string) string {
	for _, prefix := range []string{"BR-KSA", "BR-CL-KSA", "BR-CUSTOM"} {
		if strings.HasPrefix(rule, prefix) {
			return saudi
		}
	}
	return european
}
