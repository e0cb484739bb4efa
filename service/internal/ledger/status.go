package ledger

// Status is what the authority has said of an invoice. Unanswered, the empty
// one, is written as null.
type Status string

// The statuses.
const (
	Unanswered  Status = ""
	Cleared     Status = "CLEARED"
	Reported    Status = "REPORTED"
	NotCleared  Status = "NOT_CLEARED"
	NotReported Status = "NOT_REPORTED"
	NoResponse  Status = "No response"
)

// Final says whether the authority's word is spoken: nothing changes it.
func (s Status) Final() bool { return s.Accepted() || s == NotCleared || s == NotReported }

// Accepted says whether the invoice is valid with the authority.
func (s Status) Accepted() bool { return s == Cleared || s == Reported }

// Outcome is what an answer of the authority, or none, means for the document
// that was sent. It is decided by endpoint, status code and the form of the
// body, never by what the body calls itself: a duplicate says NOT_REPORTED.
type Outcome string

// The outcomes.
const (
	Accepted     Outcome = "accepted"     // cleared or reported, perhaps with warnings
	Duplicate    Outcome = "duplicate"    // accepted before: the same bytes arrived twice
	Rejected     Outcome = "rejected"     // refused for good; a corrected document is a new one
	UseReporting Outcome = "reporting"    // clearance is switched off: send it through reporting
	Unauthorised Outcome = "unauthorised" // the device's credentials are not accepted
	Throttled    Outcome = "throttled"    // too many; the document was not received
	TooLarge     Outcome = "too large"    // cannot succeed unchanged
	Unknown      Outcome = "unknown"      // no answer that means anything; it may have arrived
)
