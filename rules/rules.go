// Package rules is the rulebook: every rule of the tax authority's two official
// rule sheets (SDK 238-R3.4.8), native, with what it demands and how to mend a
// document in English and Arabic.
//
// [Check] runs the whole book over an invoice and says of each rule whether it
// passed, failed or does not apply, and of a failed one at which places:
//
//	for _, r := range rules.Check(invoice, now) {
//		if r.Status == rules.Failed {
//			fmt.Println(r.Rule.ID, r.Rule.Says.EN, r.Places[0].Path)
//		}
//	}
//
// The book says what the sheets say, oddities and all: a rule that the sheets
// evaluate only in company of another is evaluated so here, and one that they
// can never report is marked as dead. Whoever wants to be stricter does it
// elsewhere. The ids are the authority's and a public contract.
//
// Besides the book there are the demands of the UBL schema ([Schema]), and what
// makes the official sheets break off instead of judging ([Traps]); both have
// ids that do not begin with BR-.
package rules

import (
	"time"

	"khatm/ubl"
)

// Flag says how bad it is when a rule fails.
type Flag string

// A document that fails an error is refused by the authority; one that fails a
// warning is accepted, with the warning in the answer.
const (
	Error   Flag = "error"
	Warning Flag = "warning"
)

// Words is a sentence in both languages.
type Words struct {
	EN, AR string
}

// In returns the sentence in a language: "ar", or English for anything else.
func (w Words) In(language string) string {
	if language == "ar" {
		return w.AR
	}
	return w.EN
}

// Rule is one row of the book.
type Rule struct {
	ID      string // as in the official sheets
	Flag    Flag
	Applies Words  // to which documents or which parts of them
	Says    Words  // what it demands
	Fix     Words  // what to change when it fails
	Sealed  bool   // speaks of the stamp, the QR code, the chain or the time of sending
	Dead    string // why the official sheets can never report it; "" for most

	check func(*document, *trial)
}

// Status is the outcome of one rule.
type Status string

// The three outcomes. A rule does not apply when the document has nothing that
// it speaks of.
const (
	Passed        Status = "passed"
	Failed        Status = "failed"
	NotApplicable Status = "not_applicable"
)

// Place is where a rule failed.
type Place struct {
	Path  string // in the XML
	Field string // in the JSON of the facts, "" where there is none
	Got   string
	Want  string
}

// Result is the outcome of one rule over one document.
type Result struct {
	Rule   *Rule
	Status Status
	Places []Place // of a failed rule, at least one and at most a hundred
}

// Check runs every rule over an invoice. Two rules ask for the time: the one
// against dates in the future and the 24 hours for reporting.
func Check(inv *ubl.Invoice, now time.Time) []Result {
	return run(inv, now, true)
}

// CheckUnsealed runs the rules over a document that has no stamp and no place
// in a chain yet: those that speak of them do not apply.
func CheckUnsealed(inv *ubl.Invoice, now time.Time) []Result {
	return run(inv, now, false)
}

func run(inv *ubl.Invoice, now time.Time, sealed bool) []Result {
	d := newDocument(inv, now)
	results := make([]Result, len(book))
	for i := range book {
		rule := &book[i]
		t := trial{document: d}
		if sealed || !rule.Sealed {
			rule.check(d, &t)
		}
		results[i] = Result{Rule: rule, Status: t.status(), Places: t.places}
	}
	return results
}

// trial is one rule before one document.
type trial struct {
	document *document
	applies  bool
	places   []Place
}

// seen says that the document has something that the rule speaks of.
func (t *trial) seen() { t.applies = true }

// maxPlaces is how many places are told of one rule. To put a place into words
// takes a look at the whole document, and a person mends the first ones anyway.
const maxPlaces = 100

// fail says that the rule is broken at a place.
func (t *trial) fail(path, got, want string) {
	t.applies = true
	if len(t.places) == maxPlaces {
		return
	}
	t.places = append(t.places, Place{Path: path, Field: t.document.field(path), Got: got, Want: want})
}

func (t *trial) status() Status {
	switch {
	case len(t.places) > 0:
		return Failed
	case t.applies:
		return Passed
	}
	return NotApplicable
}
