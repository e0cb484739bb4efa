package simulator

import (
	"net/http"

	"khatm/simulator/internal/judge"
)

// checked is the response body of a compliance check. The spelling of
// qrSellertStatus and qrBuyertStatus is the authority's.
type checked struct {
	Results   results `json:"validationResults"`
	Reporting *string `json:"reportingStatus"`
	Clearance *string `json:"clearanceStatus"`
	QRSeller  *string `json:"qrSellertStatus"`
	QRBuyer   *string `json:"qrBuyertStatus"`
}

// check validates a sample document of a device: POST /compliance/invoices. The
// document is not recorded as accepted; if it passes, it completes a step
// towards the production certificate.
func (s *Simulator) check(c *call) answer {
	sent, err := readSubmission(c.body)
	if err != nil {
		return badBody(c, err)
	}
	v := s.decide(c, sent, judge.Compliance)
	a := checked{Results: resultsOf(v)}
	good := statusOf(v) != http.StatusBadRequest
	if c.info.standard {
		a.Clearance = either(good, cleared, notCleared)
	} else {
		a.Reporting = either(good, reported, notReported)
	}
	if step := stepOf(c.info); good && step != "" {
		_, err := c.state.ca.Pass(c.credential, step)
		if err == nil {
			err = c.state.save()
		}
		if err != nil {
			return refusal(c, err)
		}
	}
	return answer{status: statusOf(v), body: a}
}

func either(good bool, yes, no string) *string {
	if good {
		return &yes
	}
	return &no
}
