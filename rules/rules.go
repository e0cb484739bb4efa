// Package rules checks UBL invoices against the business rules of the tax
// authority: every rule of its two official rule sheets (the Schematron files of
// SDK 238-R3.4.8), with what it demands and how to fix a document, in English
// and Arabic.
//
// [Check] runs all rules over an invoice. It reports for each rule whether it
// passed, failed or does not apply, and for a failed rule the places where it
// failed:
//
//	for _, r := range rules.Check(invoice, now) {
//		if r.Status == rules.Failed {
//			fmt.Println(r.Rule.ID, r.Rule.Says.EN, r.Places[0].Path)
//		}
//	}
//
// The rules return the same verdicts as the official sheets, including their
// oddities: a rule that the sheets evaluate only together with another one is
// evaluated the same way here, and a rule that they can never report is marked
// as dead. Stricter checks belong in other packages. The ids are the
// authority's and part of the public API.
//
// [Schema] checks a document against the UBL schema, and [Traps] finds the
// values that make the official sheets abort instead of reporting a result. The
// ids of both do not begin with BR-.
package rules

import (
	"iter"
	"time"

	"khatm/ubl"
)

// Flag is the severity of a rule.
type Flag string

// The authority refuses a document that fails a rule with the flag Error. It
// accepts one that fails a Warning, and returns the warning in its answer.
const (
	Error   Flag = "error"
	Warning Flag = "warning"
)

// Words is a text in both languages.
type Words struct {
	EN, AR string
}

// In returns the text in the given language: "ar" for Arabic, anything else for
// English.
func (w Words) In(language string) string {
	if language == "ar" {
		return w.AR
	}
	return w.EN
}

// Rule is one business rule.
type Rule struct {
	ID      string // as in the official sheets
	Flag    Flag
	Applies Words  // the documents, or the parts of a document, that it applies to
	Says    Words  // what it demands
	Fix     Words  // what to change when it fails
	Sealed  bool   // checks the stamp, the QR code, the chain or the time of sending
	Dead    string // why the official sheets can never report it, or ""
	Kit     string // version of the official kit that the row was taken from
	From    string // first issue date that it applies to, as 2027-01-31, or "" for all earlier dates
	Until   string // first issue date that it no longer applies to, or ""

	check func(*document, *trial)
}

// Status is the outcome of a rule.
type Status string

// The outcomes of a rule. A rule does not apply to a document that contains
// nothing it checks.
const (
	Passed        Status = "passed"
	Failed        Status = "failed"
	NotApplicable Status = "not_applicable"
)

// Place is a place in the document where a rule failed.
type Place struct {
	Path  string // in the XML
	Field string // in the JSON of the facts, or ""
	Got   string
	Want  string
}

// Result is the outcome of a rule for one document.
type Result struct {
	Rule   *Rule
	Status Status
	Places []Place // 1 to 100 for a failed rule, otherwise empty
	Count  int     // how often the official sheets report the rule

	failures []failure
}

// Check runs every rule over an invoice that is in force on its issue date, or
// now if it has no valid issue date. Two rules depend on now: BR-KSA-04 refuses
// dates in the future, and BR-KSA-98 reports a simplified document that is sent
// later than 24 hours after its issue.
func Check(inv *ubl.Invoice, now time.Time) []Result {
	return run(book, inv, now, true)
}

// CheckUnsealed runs the rules over a document that has no stamp and no place
// in a chain yet. The rules with Sealed set do not apply.
func CheckUnsealed(inv *ubl.Invoice, now time.Time) []Result {
	return run(book, inv, now, false)
}

// FailedUnsealed returns the results of [CheckUnsealed] that failed.
func FailedUnsealed(inv *ubl.Invoice, now time.Time) []Result {
	var failed []Result
	for r := range results(book, inv, now, false) {
		if r.Status == Failed {
			failed = append(failed, r)
		}
	}
	return failed
}

func run(book []Rule, inv *ubl.Invoice, now time.Time, sealed bool) []Result {
	all := make([]Result, 0, len(book))
	for r := range results(book, inv, now, sealed) {
		all = append(all, r)
	}
	return all
}

// results yields the result of each rule in force.
func results(book []Rule, inv *ubl.Invoice, now time.Time, sealed bool) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		d := newDocument(inv, now)
		day := d.issueDay()
		var t trial // one allocation for all rules
		for i := range book {
			rule := &book[i]
			if !rule.inForce(day) {
				continue
			}
			t = trial{document: d}
			if sealed || !rule.Sealed {
				rule.check(d, &t)
			}
			if !yield(Result{Rule: rule, Status: t.status(), Places: t.places, Count: t.count, failures: t.failures}) {
				return
			}
		}
	}
}
