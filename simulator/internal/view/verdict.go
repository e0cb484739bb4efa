package view

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"khatm/codes"
)

// operations maps the operations of the journal to their words.
var operations = map[string]string{
	"/invoices/clearance/single": "clearance",
	"/invoices/reporting/single": "reporting",
	"/compliance/invoices":       "check",
	"/compliance":                "request_compliance",
	"/production/csids":          "request_production",
	"PATCH /production/csids":    "request_renewal",
}

// verdict is the simulator's decision in words, with the CSS class for it.
type verdict struct {
	Words, Tone string
}

// verdictOf returns the verdict of a request.
func (l language) verdictOf(r Request) verdict {
	key, tone := verdictKey(r)
	v := verdict{l.T(key), tone}
	if r.Decided == http.StatusAccepted {
		v.Words += " " + l.T("with_warnings")
	}
	return v
}

// accepted and refused are the words for the results of each operation.
var (
	acceptedKeys = map[string]string{"clearance": "CLEARED", "reporting": "REPORTED", "check": "passed"}
	refusedKeys  = map[string]string{"clearance": "NOT_CLEARED", "reporting": "NOT_REPORTED", "check": "failed"}
)

// verdictKey returns the word for a verdict and its tone.
func verdictKey(r Request) (key, tone string) {
	operation := operations[r.Operation]
	switch r.Decided {
	case 0:
		return "not_processed", "quiet"
	case http.StatusOK, http.StatusAccepted:
		tone = map[int]string{http.StatusOK: "good", http.StatusAccepted: "warn"}[r.Decided]
		if key = acceptedKeys[operation]; key == "" {
			return "issued", tone
		}
		return noteKey(r, key), tone
	case http.StatusAlreadyReported:
		return noteKey(r, "already_cleared"), "warn"
	case http.StatusConflict:
		return noteKey(r, "already_reported"), "warn"
	case http.StatusSeeOther:
		return "clearance_off", "warn"
	case http.StatusPreconditionRequired:
		return "checks_needed", "warn"
	case http.StatusUnauthorized:
		return "access_denied", "bad"
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			return "unknown_operation", "quiet" // a client may read only the Date of the answer
		}
		return "unknown_operation", "bad"
	case http.StatusBadRequest:
		if key = refusedKeys[operation]; key != "" {
			return noteKey(r, key), "bad"
		}
	}
	return "request_refused", "bad"
}

// noteKey returns the word for a credit or debit note, which has another gender
// in Arabic.
func noteKey(r Request, key string) string {
	if r.TypeCode == strconv.Itoa(codes.CreditNote) || r.TypeCode == strconv.Itoa(codes.DebitNote) {
		_, own := ownWords["note_"+key]
		if _, term := codes.FindWord("note_" + key); own || term {
			return "note_" + key
		}
	}
	return key
}

// operationOf returns the name of the operation.
func (l language) operationOf(r Request) string {
	if key := operations[r.Operation]; key != "" {
		return l.T(key)
	}
	return l.T("unknown_address")
}

// kindOf returns the title of the document, or "".
func (l language) kindOf(r Request) string {
	code, err := strconv.Atoi(r.TypeCode)
	if err != nil {
		return ""
	}
	title, known := codes.Title(code, !r.Standard)
	if !known {
		return ""
	}
	return l.pick([2]string{title.EN, title.AR})
}

// sentOf returns the status that the client received.
func (l language) sentOf(r Request) string {
	if r.Sent == 0 {
		return l.T("no_answer")
	}
	return fmt.Sprint(r.Sent)
}

// faultsOf returns the names of the applied faults.
func faultsOf(r Request) []string {
	return slices.DeleteFunc(strings.Split(r.Faults, ","), func(name string) bool { return name == "" })
}
