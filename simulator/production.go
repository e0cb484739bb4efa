package simulator

import (
	"net/http"
	"slices"
	"strings"

	"khatm/simulator/internal/ca"
)

// sandboxRequestID is the request ID that the real developer portal returns to
// everyone. The simulated one accepts it, because clients use it in their
// tests.
const sandboxRequestID = "1234567890123"

// production issues a production certificate to a device that has passed all
// compliance checks: POST /production/csids.
func (s *Simulator) production(c *call) answer {
	var id string
	if err := readObject(c.body, map[string]*string{"compliance_request_id": &id}); err != nil {
		return badBody(c, err)
	}
	if c.environment == ca.Sandbox && id == sandboxRequestID {
		id = c.credential.RequestID
	}
	if missing := missingSteps(c.credential); len(missing) > 0 && id == c.credential.RequestID {
		w := why{"the compliance checks are not complete: " + strings.Join(missing, ", "), "compliance_request_id",
			"Send a document of each missing kind to /compliance/invoices with this certificate, until each is accepted."}
		if c.environment != ca.Sandbox {
			c.refuse("Missing-ComplianceSteps", w)
			a := short(http.StatusBadRequest, "Missing-ComplianceSteps",
				"The compliance certificate is not done with the following compliance steps yet ["+strings.Join(missing, ",")+"]")
			c.codes = append(c.codes, "Missing-ComplianceSteps")
			return a
		}
		if c.state.settings.choices().Sandbox == "strict" {
			c.refuse("Missing-ComplianceSteps", w)
			return failure(c, "Missing-ComplianceSteps", "Compliance steps for this CSID are not yet complete")
		}
	}
	made, err := c.state.ca.IssueProduction(c.credential, id, c.began)
	if err == nil {
		err = c.state.save()
	}
	if err != nil {
		return refusal(c, err)
	}
	return issuedCSID(made)
}

// step is a kind of document with which a device must pass the compliance
// check.
type step struct {
	standard bool
	typeCode string
	name     string
}

// steps lists the steps in the order in which missing ones are reported.
var steps = []step{
	{true, "388", "standard-compliant"},
	{true, "381", "standard-credit-note-compliant"},
	{true, "383", "standard-debit-note-compliant"},
	{false, "388", "simplified-compliant"},
	{false, "381", "simplified-credit-note-compliant"},
	{false, "383", "simplified-debit-note-compliant"},
}

// stepOf returns the name of the step that a document completes. It returns ""
// for other documents, such as an advance payment invoice.
func stepOf(p documentInfo) string {
	for _, s := range steps {
		if s.standard == p.standard && s.typeCode == p.typeCode {
			return s.name
		}
	}
	return ""
}

// missingSteps returns the steps a device has not passed yet. The certificate
// states the kinds of documents that the device issues: 1000 standard, 0100
// simplified, 1100 both.
func missingSteps(c ca.Credential) []string {
	types := c.Certificate.InvoiceTypes
	var missing []string
	for _, s := range steps {
		asked := s.standard && strings.HasPrefix(types, "1") || !s.standard && strings.HasPrefix(types[min(1, len(types)):], "1")
		if asked && !slices.Contains(c.Steps, s.name) {
			missing = append(missing, s.name)
		}
	}
	return missing
}
