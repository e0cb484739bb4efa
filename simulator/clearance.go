package simulator

import (
	"encoding/base64"
	"errors"
	"net/http"

	"khatm/simulator/internal/ca"
	"khatm/simulator/internal/journal"
	"khatm/simulator/internal/judge"
)

// clearedAnswer is the response body of clearance.
type clearedAnswer struct {
	Results  results `json:"validationResults"`
	Status   string  `json:"clearanceStatus"`
	Document *string `json:"clearedInvoice"`
}

// clearance validates a standard document and adds the authority's stamp: POST
// /invoices/clearance/single.
func (s *Simulator) clearance(c *call) answer {
	if c.state.settings.choices().Clearance == "off" {
		return clearanceOff(c)
	}
	sent, err := readSubmission(c.body)
	if err != nil {
		return badBody(c, err)
	}
	v := s.decide(c, sent, judge.Clearance)
	if err := s.forceRejection(c, &v); err != nil {
		return *c.broke(err)
	}
	if len(v.Errors) > 0 {
		return answer{status: http.StatusBadRequest, body: clearedAnswer{Results: resultsOf(v), Status: notCleared}}
	}
	if earlier, known, err := s.known(c); err != nil {
		return *c.broke(err)
	} else if known {
		return s.clearedBefore(c, earlier)
	}
	stamped, err := s.stamp(c, sent.document, v)
	if err != nil {
		return *c.broke(err)
	}
	first, kept, err := s.accept(c, statusOf(v), stamped)
	switch {
	case err != nil:
		return *c.broke(err)
	case !first:
		return s.clearedBefore(c, kept)
	}
	text := base64.StdEncoding.EncodeToString(stamped)
	return answer{status: statusOf(v), body: clearedAnswer{resultsOf(v), cleared, &text}}
}

// stamp adds the authority's stamp to a document. A document that was not
// validated and cannot be stamped is returned unchanged.
func (s *Simulator) stamp(c *call, document []byte, v judge.Verdict) ([]byte, error) {
	if v.Report != nil {
		return c.state.ca.ClearJudged(document, v.Report, c.began)
	}
	stamped, err := c.state.ca.Clear(document, c.began)
	var unclearable *ca.Unclearable
	if errors.As(err, &unclearable) {
		return document, nil
	}
	return stamped, err
}

// clearedBefore returns a 208 answer with the document as it was cleared. The
// document is null if it was lost or was accepted by reporting.
func (s *Simulator) clearedBefore(c *call, earlier journal.Record) answer {
	c.outcome = journal.Duplicate
	c.codes = append(c.codes, "Duplicate-Invoice")
	c.explain(string(judge.Warned), "Duplicate-Invoice", duplicateWhy(earlier))
	a := clearedAnswer{Status: cleared, Results: results{
		Info: []message{}, Errors: []message{}, Status: "WARNING",
		Warnings: []message{{
			Type: "WARNING", Code: "Invoice-Errors", Category: "Duplicate-Invoice",
			Message: "Invoice was already Cleared successfully earlier.", Status: "WARNING",
		}},
	}}
	if stamped, err := c.state.journal.Answer(earlier); err == nil && stamped != nil {
		text := base64.StdEncoding.EncodeToString(stamped)
		a.Document = &text
	}
	return answer{status: http.StatusAlreadyReported, body: a}
}

// clearanceOff returns a 303 answer that refers the client to reporting. A
// client that follows the Location header automatically turns POST into GET and
// gets 405.
func clearanceOff(c *call) answer {
	c.refuse("", why{"clearance is off", "settings of the simulator", `Send the same document to /invoices/reporting/single, or switch clearance on with PUT /settings {"clearance":"on"} of the control API.`})
	at := ""
	for _, e := range environments {
		if e.name == c.environment {
			at = gateway + e.path + reportingPath
		}
	}
	return answer{
		status: http.StatusSeeOther,
		header: map[string]string{"Location": at},
		body: struct {
			Message string `json:"message"`
		}{"Clearance is deactiviated. Please use the /invoices/reporting/single endpoint instead."}, // sic
	}
}
