package simulator

import (
	"encoding/json"
	"net/http"

	"khatm/simulator/internal/ca"
)

// csid is the response body with a new credential.
type csid struct {
	RequestID   json.Number `json:"requestID"`
	TokenType   *string     `json:"tokenType"`
	Disposition string      `json:"dispositionMessage"`
	Token       string      `json:"binarySecurityToken"`
	Secret      string      `json:"secret"`
	Errors      *string     `json:"errors"` // always null
}

const (
	tokenType    = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3"
	issued       = "ISSUED"
	notCompliant = "NOT_COMPLIANT"
)

func issuedCSID(i *ca.Issued) answer {
	kind := tokenType
	return answer{status: http.StatusOK, body: csid{
		RequestID: json.Number(i.RequestID), TokenType: &kind, Disposition: issued,
		Token: i.BinarySecurityToken, Secret: i.Secret,
	}}
}

// compliance issues a compliance certificate: POST /compliance.
func (s *Simulator) compliance(c *call) answer {
	request, otp, refused := s.readRequest(c)
	if refused != nil {
		return *refused
	}
	var made *ca.Issued
	err := c.state.passwords.use(c.environment, otp, request.VATNumber, c.began, func() (err error) {
		made, err = c.state.ca.IssueCompliance(request, c.began)
		return err
	})
	if err == nil {
		err = c.state.save()
	}
	if err != nil {
		return refusal(c, err)
	}
	c.noteTolerated(request)
	c.credential = made.Credential // for the journal record
	return issuedCSID(made)
}

// readRequest reads the one-time password and the certificate request, which
// are part of both onboarding and renewal.
func (s *Simulator) readRequest(c *call) (request *ca.Request, otp string, refused *answer) {
	no := func(a answer) (*ca.Request, string, *answer) { return nil, "", &a }
	if otp = c.header.Get("OTP"); otp == "" {
		c.refuse("Missing-OTP", why{"the request has no one-time password", "OTP", "Send the one-time password of the portal in the header OTP; POST /otps of the control API creates one."})
		return no(failure(c, "Missing-OTP", "OTP is required field"))
	}
	var csr string
	if err := readObject(c.body, map[string]*string{"csr": &csr}); err != nil {
		return no(badBody(c, err))
	}
	read := ca.ReadRequest
	if s.cfg.Lax {
		read = ca.ReadLax
	}
	request, err := read(c.environment, csr)
	if err != nil {
		return no(refusal(c, err))
	}
	if s.cfg.Lax && c.environment == ca.Sandbox && otp == sandboxLax {
		otp = sandboxValid
		c.tolerate("Invalid-OTP", why{"the one-time password 123456 is accepted on the developer portal only with --lax", "OTP", "Use 123345."})
	}
	return request, otp, nil
}

// noteTolerated records what was tolerated in a certificate request.
func (c *call) noteTolerated(r *ca.Request) {
	for _, t := range r.Tolerated {
		c.tolerate("Invalid-CSR", why{"accepted only with --lax: " + t.Why(), t.Where(), t.Fix()})
	}
}
