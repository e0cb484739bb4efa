package view

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"khatm/check"
	"khatm/rules"
	"khatm/simulator/internal/journal"
	"khatm/simulator/internal/mood"
)

// explanation is a reason as the page shows it.
type explanation struct {
	Kind, Tone string // Kind is a key of ownWords
	Code       string
	Says       string
	Detail     string // in English; "" if Says contains it
	Field      string
	Fix        string
	English    bool // Fix is in English on an Arabic page
}

// textPart is a part of a text, which may be a name of the API.
type textPart struct {
	Text string
	Code bool
}

// Advice returns Fix with the names that it has in backquotes.
func (e explanation) Advice() []textPart {
	var parts []textPart
	for i, text := range strings.Split(e.Fix, "`") {
		if text != "" {
			parts = append(parts, textPart{text, i%2 == 1})
		}
	}
	return parts
}

// tones maps the kinds of reasons to CSS classes.
var tones = map[string]string{"refused": "bad", "warning": "warn", "opinion": "quiet", "tolerated": "quiet", "fault": "warn", "forced": "bad"}

// explain returns the reasons of a request in the language of the page.
func (l language) explain(reasons []journal.Reason) []explanation {
	var list []explanation
	for _, r := range reasons {
		e := explanation{Kind: r.Kind, Tone: tones[r.Kind], Code: clip(r.Code, 100), Says: sentence(clip(r.Cause, 600), r.Field), Field: clip(r.Field, 300), Fix: clip(r.Fix, 600)}
		if e.Tone == "" {
			e.Kind, e.Tone = "warning", "quiet"
		}
		if l == arabic {
			e.translate(r)
		}
		list = append(list, e)
	}
	return list
}

// translate replaces the texts by their Arabic versions. The English cause stays
// as a detail, because it names the values.
func (e *explanation) translate(r journal.Reason) {
	w := arabicOf(r)
	e.English = w.fix == ""
	if w.says != "" {
		e.Says, e.Detail = w.says, e.Says
	}
	if w.fix != "" {
		e.Fix = w.fix
	}
}

// arabicOf returns the Arabic texts of a reason, or empty ones.
func arabicOf(r journal.Reason) explained {
	if r.Kind == "fault" {
		return explained{faultWords[r.Code], "عامله كما تعامل ردًا من الهيئة. يوقف السلوك «مستقر» كل الأعطال."}
	}
	if r.Kind == "forced" {
		return explained{"فُرض هذا الرفض من صفحة التحكم أو واجهتها.", "عامله كما تعامل رفضًا من الهيئة. يمكن إيقاف الرفض المفروض من واجهة التحكم."}
	}
	if rule, known := rules.Find(r.Code); known {
		return explained{rule.Says.AR, rule.Fix.AR}
	}
	if w, known := findings()[findingKey{r.Code, r.Fix}]; known {
		return w
	}
	if w, known := ownExplanations[r.Code]; known {
		return w
	}
	return ownExplanations[r.Field]
}

// findingKey identifies a finding of the verifier or the schema: several have
// the same code in the authority's answer, but each has its own advice.
type findingKey struct{ code, fix string }

// findings returns the Arabic texts of the findings of the verifier, of the
// schema, and of opinions.
var findings = sync.OnceValue(func() map[findingKey]explained {
	all := map[findingKey]explained{}
	for _, d := range rules.Demands() {
		for _, code := range []string{"XSD_ZATCA_INVALID", "GENERAL", d.ID} {
			all[findingKey{code, d.Fix.EN}] = explained{d.Says.AR, d.Fix.AR}
		}
	}
	for _, id := range check.IDs() {
		row := check.Find(id)
		for _, code := range []string{row.Answer.Code, id} {
			all[findingKey{code, row.Fix.EN}] = explained{row.Says.AR, row.Fix.AR}
		}
	}
	return all
})

// sentence returns a cause with a full stop and, unless it begins with the name
// of a field, with a capital letter.
func sentence(text, field string) string {
	word, _, _ := strings.Cut(text, " ")
	if word == "" {
		return ""
	}
	if word != field && word == strings.ToLower(word) {
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	return strings.TrimSuffix(text, ".") + "."
}

// faultOption is a fault that can be forced.
type faultOption struct{ Name, Does string }

// faultOptions returns all faults with their descriptions.
func (l language) faultOptions() []faultOption {
	var list []faultOption
	for _, k := range mood.Knobs() {
		does := sentence(k.Does, "")
		if l == arabic {
			does = faultWords[k.Name]
		}
		list = append(list, faultOption{k.Name, does})
	}
	return list
}

// ruleIDs returns the ids of all rules in their order.
var ruleIDs = sync.OnceValue(func() []string {
	var list []string
	for _, r := range rules.Book() {
		list = append(list, r.ID)
	}
	return list
})
