package audit

// Status is the authority's status of a document. Unanswered is the empty
// string.
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

// Final reports whether the status is a final verdict.
func (s Status) Final() bool { return s.accepted() || s.rejected() }

func (s Status) accepted() bool { return s == Cleared || s == Reported }

func (s Status) rejected() bool { return s == NotCleared || s == NotReported }

// statuses assigns each status an index for records.
var statuses = []Status{Unanswered, Cleared, Reported, NotCleared, NotReported, NoResponse}

// unknownStatus is the index of any other text.
const unknownStatus = 255

func (s Status) place() byte {
	for i, known := range statuses {
		if s == known {
			return byte(i)
		}
	}
	return unknownStatus
}

func statusAt(place byte) Status {
	if int(place) < len(statuses) {
		return statuses[place]
	}
	return "unknown"
}

// words returns the status for use in a sentence.
func (s Status) words() string {
	if s == Unanswered {
		return "unanswered"
	}
	return string(s)
}

// The outcomes of an attempt that are a verdict.
const (
	accepted  = "accepted"
	duplicate = "duplicate"
	rejected  = "rejected"
)

// The authority's two endpoints for documents.
const (
	clearance = "clearance"
	reporting = "reporting"
)
