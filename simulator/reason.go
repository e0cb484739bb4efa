package simulator

import (
	"slices"
	"strings"
	"unicode"

	"khatm/simulator/internal/journal"
	"khatm/simulator/internal/judge"
	"khatm/simulator/internal/mood"
)

// reasonHeader is the only difference between an answer of the simulator and one
// of the authority.
const reasonHeader = "X-Simulator-Reason"

// The kinds of reasons besides those of package judge.
const (
	tolerated = "tolerated" // accepted only because of Config.Lax
	byFault   = "fault"     // the mood replaced the answer
	forced    = "forced"    // rejected because the control API demanded it
)

// why is the cause of a refusal: what is wrong, where, and how to fix it.
type why struct{ cause, field, fix string }

// refuse records why the request is refused.
func (c *call) refuse(code string, w why) { c.explain(string(judge.Refused), code, w) }

// tolerate records what was accepted only because of Config.Lax.
func (c *call) tolerate(code string, w why) { c.explain(tolerated, code, w) }

func (c *call) explain(kind, code string, w why) {
	c.reasons = append(c.reasons, journal.Reason{Kind: kind, Code: code, Cause: w.cause, Field: w.field, Fix: w.fix})
}

// allReasons returns the reasons of the call and of the faults applied to it,
// sorted by kind.
func (c *call) allReasons() []journal.Reason {
	all := slices.Clone(c.reasons)
	for _, k := range mood.Knobs() {
		if k.Replaces && strings.Contains(","+c.mood+",", ","+k.Name+",") {
			all = append(all, journal.Reason{
				Kind: byFault, Code: k.Name, Cause: "the mood of the simulator " + k.Does,
				Field: "mood", Fix: "Handle it as an answer of the real authority; khatm mood polite switches all faults off.",
			})
		}
	}
	slices.SortStableFunc(all, func(a, b journal.Reason) int { return rank(a.Kind) - rank(b.Kind) })
	return all
}

// rank orders the kinds: what changed the answer most comes first, because
// header, journal and log are bounded.
func rank(kind string) int {
	return slices.Index([]string{byFault, forced, string(judge.Refused), tolerated, string(judge.Warned), string(judge.Opinion)}, kind)
}

// maxHeader is the maximum length of the header in bytes.
const maxHeader = 1000

// headerOf returns the reasons on one line of printable ASCII.
func headerOf(reasons []journal.Reason) string {
	var all []string
	for _, r := range reasons {
		all = append(all, lineOf(r))
	}
	text := ascii(strings.Join(all, " | "))
	if len(text) > maxHeader {
		text = text[:maxHeader-3] + "..."
	}
	return text
}

// lineOf returns a reason as one line of text.
func lineOf(r journal.Reason) string {
	text := r.Kind
	if r.Code != "" {
		text += " " + r.Code
	}
	text += ": " + r.Cause
	if r.Field != "" {
		text += "; field: " + r.Field
	}
	if r.Fix != "" {
		text += "; fix: " + r.Fix
	}
	return text
}

// ascii replaces every character that is not printable ASCII.
func ascii(text string) string {
	text = strings.ReplaceAll(text, "…", "...")
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r < ' ' || r > '~':
			return '?'
		}
		return r
	}, text)
}
