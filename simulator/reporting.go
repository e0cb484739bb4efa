package simulator

import (
	"net/http"
	"slices"
	"time"

	"khatm/simulator/internal/journal"
	"khatm/simulator/internal/judge"
)

// reportedAnswer is the response body of reporting.
type reportedAnswer struct {
	Results results `json:"validationResults"`
	Status  string  `json:"reportingStatus"`
}

// reporting validates a simplified document and records it: POST
// /invoices/reporting/single. While clearance is off it accepts standard
// documents too.
func (s *Simulator) reporting(c *call) answer {
	sent, err := readSubmission(c.body)
	if err != nil {
		return badBody(c, err)
	}
	v := s.decide(c, sent, judge.Reporting)
	if err := s.forceRejection(c, &v); err != nil {
		return *c.broke(err)
	}
	if len(v.Errors) > 0 {
		before, err := s.reportedWhileOff(c, v)
		switch {
		case err != nil:
			return *c.broke(err)
		case before != nil:
			return reportedBefore(c, *before)
		}
		return answer{status: http.StatusBadRequest, body: reportedAnswer{resultsOf(v), notReported}}
	}
	first, kept, err := s.accept(c, statusOf(v), nil)
	switch {
	case err != nil:
		return *c.broke(err)
	case !first:
		return reportedBefore(c, kept)
	}
	return answer{status: statusOf(v), body: reportedAnswer{resultsOf(v), reported}}
}

// ofWrongKind is the code for a document sent to the wrong operation for its
// kind.
const ofWrongKind = "XML-INVOICE-ERROR"

// reportedWhileOff returns the earlier record if the only error of a document is
// its kind and it was accepted here while clearance was off, otherwise nil. Such
// a document is a duplicate, not an error.
func (s *Simulator) reportedWhileOff(c *call, v judge.Verdict) (*journal.Record, error) {
	if !v.Standard || len(v.Errors) != 1 || v.Errors[0].Code != ofWrongKind {
		return nil, nil
	}
	earlier, known, err := s.known(c)
	if err != nil || !known || earlier.Endpoint != reportingPath {
		return nil, err
	}
	c.codes = slices.DeleteFunc(c.codes, func(code string) bool { return code == ofWrongKind })
	c.reasons = slices.DeleteFunc(c.reasons, func(r journal.Reason) bool { return r.Code == ofWrongKind })
	return &earlier, nil
}

// reportedBefore returns a 409 answer. The body says NOT_REPORTED although the
// document was reported earlier, as with the real authority.
func reportedBefore(c *call, earlier journal.Record) answer {
	c.outcome = journal.Duplicate
	c.codes = append(c.codes, "Duplicate-Invoice")
	c.refuse("Duplicate-Invoice", duplicateWhy(earlier))
	return answer{status: http.StatusConflict, body: reportedAnswer{
		Results: results{
			Info: []message{}, Warnings: []message{}, Status: "ERROR",
			Errors: []message{{
				Type: "ERROR", Code: "Invoice-Errors", Category: "Duplicate-Invoice",
				Message: "Invoice was already Reported successfully earlier.", Status: "ERROR",
			}},
		},
		Status: notReported,
	}}
}

// duplicateWhy explains that a document was accepted before.
func duplicateWhy(earlier journal.Record) why {
	return why{
		"a document with this hash was accepted at " + earlier.Time.Format(time.RFC3339), "invoiceHash",
		"Treat the document as accepted and do not send it again; a new document needs a new UUID, counter and hash.",
	}
}

// known returns the record of the document if it was accepted within the last
// 24 hours.
func (s *Simulator) known(c *call) (journal.Record, bool, error) {
	if !c.remembers() {
		return journal.Record{}, false, nil
	}
	return c.state.journal.Lookup(string(c.environment), c.info.hash)
}

// accept records a document as accepted and saves keep as its answer. If
// several identical documents arrive at once, first is true for only one of
// them.
func (s *Simulator) accept(c *call, status int, keep []byte) (first bool, kept journal.Record, err error) {
	r := c.record(status)
	if c.remembers() {
		first, kept, err = c.state.journal.Accept(r, keep)
	} else {
		r.Outcome = journal.Accepted
		kept, err = c.state.journal.Append(r, keep)
		first = err == nil
	}
	if first {
		c.outcome, c.written = journal.Accepted, true
	}
	return first, kept, err
}
