// Package remedy says what a rejected invoice needs: the cause in English and
// Arabic, the field of the request, and the value that would be accepted where it
// can be computed. It reads nothing but its parameters.
package remedy

import (
	"khatm/rules"
	"khatm/service/internal/issue"
)

// Source is where the cause of a rejection is.
type Source string

// The sources.
const (
	InRequest Source = "request" // a value of the request; often a value can be suggested
	InRecord  Source = "record"  // the client or the organisation; a person must correct it
	InService Source = "service" // written or computed by the service; issue the invoice again
	ByPerson  Source = "person"  // a value that only a person knows
)

// Change is a suggested value of a field of the request.
type Change struct{ Path, From, To string }

// Remedy is what a rule code means for an invoice.
type Remedy struct {
	Code    string
	Known   bool // false for a code that is not in the rule sheets
	Source  Source
	Cause   rules.Words
	Fix     rules.Words
	Path    string   // the field of the request; empty if no single field is the cause
	Changes []Change // empty if no value can be suggested
}

// NeedsPerson reports whether a person must enter or decide something before the
// invoice is issued again.
func (m Remedy) NeedsPerson() bool { return m.Source != InService && len(m.Changes) == 0 }

var unknown = Remedy{
	Source: InService,
	Cause:  rules.Words{EN: "The authority reported a code that is not in its published rules.", AR: "أبلغت الهيئة عن رمز غير موجود في قواعدها المنشورة."},
	Fix:    rules.Words{EN: "Read the authority's message and issue the invoice again.", AR: "اقرأ رسالة الهيئة ثم أصدر الفاتورة من جديد."},
}

// again is the advice for a rule about a value that no request contains.
var again = rules.Words{
	EN: "The service writes this value. Issue the invoice again; if it is rejected again, contact the operator.",
	AR: "تكتب الخدمة هذه القيمة. أصدر الفاتورة من جديد، وإن رُفضت ثانية فتواصل مع مشغّل الخدمة.",
}

// Propose returns what a code means and the request with the suggested values.
// The request must have written-out lines, see [issue.RequestOf]; it is not
// changed itself. A changed amount removes the expected payable amount.
func Propose(code string, r issue.Request) (Remedy, issue.Request) {
	rule, known := rules.Find(code)
	if !known {
		m := unknown
		m.Code = code
		return m, r
	}
	m := Remedy{Code: code, Known: true, Source: sourceOf(rule), Cause: rule.Says, Fix: rule.Fix}
	if m.Source == InService {
		m.Fix = again
	}
	if propose := proposals[code]; propose != nil {
		e := edit{request: clone(r)}
		propose(&e)
		if m.Changes = e.changes; len(m.Changes) > 0 {
			m.Path = m.Changes[0].Path
			return m, e.request
		}
	}
	return m, r
}

// unbroken is the advice for a rule that the document does not violate by our own
// check.
var unbroken = rules.Words{
	EN: "Our own check finds no violation of this rule in the document. Issue the invoice again; if it is rejected again, contact the operator.",
	AR: "لم يجد فحصنا مخالفة لهذه القاعدة في المستند. أصدر الفاتورة من جديد، وإن رُفضت ثانية فتواصل مع مشغّل الخدمة.",
}

// checkable reports whether our own check of a document decides whether a value
// that people entered violates the rule. It does not where the authority compares
// the value with its own data.
func checkable(id string) bool {
	source, listed := sources[id]
	return !listed || source == InRequest
}

// sourceOf returns where the cause of a rule is. A rule without a row, such as a
// warning that the authority made an error, is left to a person.
func sourceOf(rule rules.Rule) Source {
	if s, listed := sources[rule.ID]; listed {
		return s
	}
	if rule.Sealed {
		return InService
	}
	return ByPerson
}
