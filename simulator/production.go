package simulator

import (
	"net/http"
	"slices"
	"strings"

	"khatm/simulator/internal/ca"
)

// sandboxRequestID is what the real developer portal gives everybody. Clients
// that have it written into their tests may send it there.
const sandboxRequestID = "1234567890123"

// production gives the holder of a compliance certificate who passed all
// checks the production certificate: POST /production/csids.
func (s *Simulator) production(c *call) answer {
	var id string
	if err := readObject(c.body, map[string]*string{"compliance_request_id": &id}); err != nil {
		return badBody()
	}
	if c.environment == ca.Sandbox && id == sandboxRequestID {
		id = c.credential.RequestID
	}
	if missing := missingSteps(c.credential); len(missing) > 0 && id == c.credential.RequestID {
		if c.environment != ca.Sandbox {
			a := short(http.StatusBadRequest, "Missing-ComplianceSteps",
				"The compliance certificate is not done with the following compliance steps yet ["+strings.Join(missing, ",")+"]")
			c.codes = append(c.codes, "Missing-ComplianceSteps")
			return a
		}
		if c.state.settings.choices().Sandbox == "strict" {
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

// step is a document that must have passed the checks.
type step struct {
	standard bool
	typeCode string
	name     string
}

// steps in the order in which the missing ones are named.
var steps = []step{
	{true, "388", "standard-compliant"},
	{true, "381", "standard-credit-note-compliant"},
	{true, "383", "standard-debit-note-compliant"},
	{false, "388", "simplified-compliant"},
	{false, "381", "simplified-credit-note-compliant"},
	{false, "383", "simplified-debit-note-compliant"},
}

// stepOf names the step that a document passes; "" for one that is no step, as
// the invoice of an advance payment.
func stepOf(p paper) string {
	for _, s := range steps {
		if s.standard == p.standard && s.typeCode == p.typeCode {
			return s.name
		}
	}
	return ""
}

// missingSteps are those a device still has to pass, by the documents that its
// certificate says it issues: 1000 standard, 0100 simplified, 1100 both.
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
