package ledger

// Status is the authority's status of an invoice. The zero value, Unanswered, is
// null in JSON.
type Status string

// Statuses of an invoice.
const (
	Unanswered  Status = ""
	Cleared     Status = "CLEARED"
	Reported    Status = "REPORTED"
	NotCleared  Status = "NOT_CLEARED"
	NotReported Status = "NOT_REPORTED"
	NoResponse  Status = "No response"
)

// Final reports whether the authority has given its final answer.
func (s Status) Final() bool { return s.Accepted() || s == NotCleared || s == NotReported }

// Accepted reports whether the authority has accepted the invoice, so that it
// is cleared or reported.
func (s Status) Accepted() bool { return s == Cleared || s == Reported }

// Outcome classifies the result of an attempt to send a document. It depends on
// the endpoint, the HTTP status and the structure of the body, not on the status
// named in the body: a duplicate, for example, says NOT_REPORTED.
type Outcome string

// Outcomes of an attempt.
const (
	Accepted     Outcome = "accepted"     // cleared or reported, possibly with warnings
	Duplicate    Outcome = "duplicate"    // the authority had already accepted the same document
	Rejected     Outcome = "rejected"     // refused for good; the correction is a new document
	UseReporting Outcome = "reporting"    // clearance is switched off: send to reporting
	Unauthorised Outcome = "unauthorised" // the device's credentials are refused
	Throttled    Outcome = "throttled"    // rate limited; the document was not received
	TooLarge     Outcome = "too large"    // the document is too large to ever succeed
	Unknown      Outcome = "unknown"      // no usable answer; the document may have been received
)
