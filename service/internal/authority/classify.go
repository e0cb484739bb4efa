package authority

import (
	"net/http"
	"slices"

	"khatm/service/internal/ledger"
)

// form is the structure of a response body.
type form string

const (
	accepts form = "accepts" // results that accept the document, without errors
	refuses form = "refuses" // results with at least one usable error
	hollow  form = "hollow"  // results that are empty or contradictory
	other   form = "other"   // JSON that is not results, such as that of a gateway
	page    form = "page"    // plain text or an HTML page from a server in between
	broken  form = "broken"  // truncated JSON
	blank   form = "blank"   // empty
)

var (
	anyForm     = []form{accepts, refuses, hollow, other, page, broken, blank}
	notAPage    = []form{accepts, refuses, hollow, other, broken, blank}
	submissions = []endpoint{clearance, reporting}
	anywhere    = []endpoint{clearance, reporting, checking}
)

// meanings maps answers to outcomes; the first matching row applies. Any other
// answer is Unknown, which is always safe: the same bytes are sent again, and
// the authority answers with a duplicate if it had accepted them.
var meanings = []struct {
	statuses []int
	at       []endpoint
	forms    []form
	outcome  ledger.Outcome
}{
	{[]int{http.StatusOK, http.StatusAccepted}, anywhere, []form{accepts}, ledger.Accepted},
	// The body of a duplicate says NOT_REPORTED, so only the status counts. An HTML
	// page comes from a server in between and may be an unrelated conflict.
	{[]int{http.StatusAlreadyReported, http.StatusConflict}, submissions, notAPage, ledger.Duplicate},
	// A page with this status is a redirect to a sign-in page. Treating it as
	// the authority's answer would send a standard document to reporting, which
	// rejects it for good.
	{[]int{http.StatusSeeOther}, []endpoint{clearance}, []form{other}, ledger.UseReporting},
	// A rejection is final, so it must contain an error: a 400 without one is a
	// temporary failure.
	{[]int{http.StatusBadRequest}, anywhere, []form{refuses}, ledger.Rejected},
	{[]int{http.StatusUnauthorized, http.StatusForbidden}, anywhere, anyForm, ledger.Unauthorised},
	{[]int{http.StatusTooManyRequests}, anywhere, anyForm, ledger.Throttled},
	{[]int{http.StatusRequestEntityTooLarge}, anywhere, anyForm, ledger.TooLarge},
}

// classify returns the outcome of an answer.
func classify(to endpoint, status int, f form) ledger.Outcome {
	for _, m := range meanings {
		if slices.Contains(m.statuses, status) && slices.Contains(m.at, to) && slices.Contains(m.forms, f) {
			return m.outcome
		}
	}
	return ledger.Unknown
}
