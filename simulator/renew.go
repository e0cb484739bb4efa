package simulator

import (
	"encoding/json"
	"net/http"

	"khatm/simulator/internal/ca"
)

// renew replaces a production certificate: PATCH /production/csids. Depending
// on the setting, it issues the new certificate at once, or a compliance
// certificate for a second round of checks; the old certificate stays valid
// until the device has passed them.
func (s *Simulator) renew(c *call) answer {
	request, otp, refused := s.readRequest(c)
	if refused != nil {
		return *refused
	}
	checks := c.state.settings.choices().Renewal == "checks"
	var made *ca.Issued
	err := c.state.passwords.use(c.environment, otp, request.VATNumber, c.began, func() (err error) {
		if checks {
			made, err = c.state.ca.RenewByChecks(c.credential, request, c.began)
		} else {
			made, err = c.state.ca.Renew(c.credential, request, c.began)
		}
		return err
	})
	if err == nil {
		err = c.state.save()
	}
	if err != nil {
		a := refusal(c, err)
		if a.status == http.StatusInternalServerError {
			a = renewalBroke()
		}
		return a
	}
	c.noteTolerated(request)
	if !checks {
		return issuedCSID(made)
	}
	return answer{status: http.StatusPreconditionRequired, body: csid{
		RequestID: json.Number(made.RequestID), Disposition: notCompliant,
		Token: made.BinarySecurityToken, Secret: made.Secret,
	}}
}

// renewalBroke returns the answer for an internal error of a renewal, which has
// a body of its own.
func renewalBroke() answer {
	return answer{status: http.StatusInternalServerError, body: struct {
		Category string `json:"category"`
		Code     string `json:"code"`
		Message  string `json:"message"`
	}{"HTTP-Errors", "500", "Something went wrong and caused an Internal Server Error."}}
}
