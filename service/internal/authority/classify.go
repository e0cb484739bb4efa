package authority

import (
	"net/http"
	"slices"

	"khatm/service/internal/ledger"
)

// form is what the body of an answer to a document looks like.
type form string

const (
	accepts form = "accepts" // results that accept, and no error among them
	refuses form = "refuses" // results with an error that says something
	hollow  form = "hollow"  // results that say nothing, or contradict themselves
	other   form = "other"   // JSON that is no results: a gateway's, or a message
	page    form = "page"    // a text or a page in HTML of something in between
	broken  form = "broken"  // JSON that was cut off
	blank   form = "blank"   // nothing
)

var (
	anyForm     = []form{accepts, refuses, hollow, other, page, broken, blank}
	notAPage    = []form{accepts, refuses, hollow, other, broken, blank}
	submissions = []endpoint{clearance, reporting}
	anywhere    = []endpoint{clearance, reporting, checking}
)

// meanings is what answers mean: the first row that fits. Whatever fits none is
// unknown, and unknown is always safe: the same bytes are sent again, and what
// was accepted the first time is answered as a duplicate.
var meanings = []struct {
	statuses []int
	at       []endpoint
	forms    []form
	outcome  ledger.Outcome
}{
	{[]int{http.StatusOK, http.StatusAccepted}, anywhere, []form{accepts}, ledger.Accepted},
	// The body of a duplicate calls it NOT_REPORTED. Only the status counts,
	// unless it comes from something in between, which has conflicts of its own.
	{[]int{http.StatusAlreadyReported, http.StatusConflict}, submissions, notAPage, ledger.Duplicate},
	// A page with this status is somebody's sign-in. Taken for the authority's
	// word it would send a standard document to where it is rejected for good.
	{[]int{http.StatusSeeOther}, []endpoint{clearance}, []form{other}, ledger.UseReporting},
	// A rejection is final, so it must be said in full: a bare or empty 400 is a
	// passing fault.
	{[]int{http.StatusBadRequest}, anywhere, []form{refuses}, ledger.Rejected},
	{[]int{http.StatusUnauthorized, http.StatusForbidden}, anywhere, anyForm, ledger.Unauthorised},
	{[]int{http.StatusTooManyRequests}, anywhere, anyForm, ledger.Throttled},
	{[]int{http.StatusRequestEntityTooLarge}, anywhere, anyForm, ledger.TooLarge},
}

// classify says what an answer means for the document.
func classify(to endpoint, status int, f form) ledger.Outcome {
	for _, m := range meanings {
		if slices.Contains(m.statuses, status) && slices.Contains(m.at, to) && slices.Contains(m.forms, f) {
			return m.outcome
		}
	}
	return ledger.Unknown
}
