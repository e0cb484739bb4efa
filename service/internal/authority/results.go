package authority

import (
	"strings"

	"khatm/service/internal/ledger"
)

// results are the validation results of a document. The authority has renamed
// and moved their fields without notice; all known variants are read.
type results struct {
	word     ledger.Status // status named in the answer
	result   string
	infos    []ledger.Message
	warnings []ledger.Message
	errors   []ledger.Message
	cleared  []byte
	known    bool // the body has at least one field of results
}

// words are the statuses that the authority uses.
var words = []ledger.Status{ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NotReported}

// readResults parses a body and returns its form.
func readResults(body []byte) (results, form) {
	top, f := readObject(body)
	if top == nil {
		return results{}, f
	}
	r := results{}
	// Nested as in real answers, flat as in the official example, or mixed.
	inner := top.object("validationResults")
	for _, o := range []object{inner, top} {
		if o == nil {
			continue
		}
		r.known = r.known || o.hasAny("validationResults", "infoMessages", "warningMessages", "errorMessages", "erroMessages", "reportingStatus", "clearanceStatus")
		r.infos = append(r.infos, o.messages("infoMessages")...)
		r.warnings = append(r.warnings, o.messages("warningMessages")...)
		r.errors = append(r.errors, o.messages("errorMessages", "erroMessages")...)
		if r.result == "" {
			r.result = o.text("status")
		}
	}
	r.readFirstVersion(top)
	if !r.known {
		return results{}, other // a lone status field is not a result
	}
	for _, name := range []string{"clearanceStatus", "reportingStatus"} {
		for _, word := range words {
			if top.text(name) == string(word) || inner.text(name) == string(word) {
				r.word = word
			}
		}
	}
	r.cleared = top.document("clearedInvoice")
	return r, r.form()
}

// readFirstVersion reads the flat format of protocol version 1: {invoiceHash,
// status, warnings, errors}, with errors misspelt in places.
func (r *results) readFirstVersion(o object) {
	if !o.hasAny("invoiceHash") || !o.hasAny("warnings", "errors", "erros") {
		return
	}
	r.known = true
	r.warnings = append(r.warnings, o.messages("warnings")...)
	r.errors = append(r.errors, o.messages("errors", "erros")...)
}

// form returns the form of the results: accepts, refuses or hollow.
func (r *results) form() form {
	passed := r.result == "PASS" || r.result == "WARNING" || strings.HasPrefix(r.result, "Accepted")
	accepted := r.word.Accepted() || r.word == ledger.Unanswered && passed
	switch {
	case len(r.errors) > 0 && !r.word.Accepted():
		return refuses
	case len(r.errors) == 0 && accepted && r.result != "ERROR":
		return accepts
	}
	return hollow
}
