package simulator

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"

	"khatm/simulator/internal/ca"
	"khatm/simulator/internal/view"
)

// unroutedWhy explains a path or method that no operation has.
func unroutedWhy(c *call, r *http.Request) why {
	if c.endpoint != "" {
		return why{fmt.Sprintf("%s does not accept the method %.10q", c.endpoint, r.Method), "method", "Use POST; only a renewal, PATCH /production/csids, uses PATCH."}
	}
	cause := "no operation has this path"
	if shown := view.Path(r); shown != "" { // it contains no secret
		cause = fmt.Sprintf("no operation has the path %.80q", shown)
	}
	return why{
		cause, "path",
		"Use the paths of the authority below /e-invoicing/developer-portal, /e-invoicing/simulation or /e-invoicing/core, without a slash at the end.",
	}
}

// deniedWhy explains a credential that is denied. It recognises a token that was
// encoded or decoded once too often, the most common mistake.
func (s *Simulator) deniedWhy(c *call, err error, token, secret string) why {
	var denied *ca.Denied
	if !errors.As(err, &denied) {
		return why{err.Error(), "Authorization", ""}
	}
	if denied.Denial == ca.UnknownToken {
		const fix = "Use binarySecurityToken exactly as it was received; it is base64 already."
		if decoded, err := base64.StdEncoding.DecodeString(token); err == nil && s.knows(c, string(decoded), secret) {
			return why{"the token was encoded in base64 once more than it was received", "Authorization", fix}
		}
		if s.knows(c, base64.StdEncoding.EncodeToString([]byte(token)), secret) {
			return why{"the token was decoded from base64 before it was sent", "Authorization", fix}
		}
	}
	return denialWhy(c, denied)
}

func (s *Simulator) knows(c *call, token, secret string) bool {
	_, err := s.state.ca.Authenticate(c.environment, token, secret, c.began)
	return err == nil
}

func denialWhy(c *call, d *ca.Denied) why {
	w := why{field: "Authorization"}
	switch d.Denial {
	case ca.UnknownToken:
		w.cause = "this simulator has issued no certificate with this token"
		w.fix = "Onboard the device here and use its binarySecurityToken exactly as received; start the simulator with --state to keep certificates after a restart."
	case ca.WrongSecret:
		w.cause, w.fix = "the secret does not belong to the token", "Use the secret of the answer that contained this token."
	case ca.OtherEnvironment:
		w.cause = fmt.Sprintf("the certificate was issued in another environment than %s", c.environment)
		w.fix = "Use a certificate only in the environment that issued it."
	case ca.Expired:
		w.cause, w.fix = "the certificate has expired", "Renew the certificate or onboard the device again."
	case ca.IsRevoked:
		w.cause, w.fix = "the certificate was revoked, by a renewal or by the control API", "Use the certificate of the last renewal, or onboard the device again."
	case ca.OtherKind:
		w.cause = fmt.Sprintf("the operation needs a %s certificate, and this is one of the other kind", c.route.kind)
		w.fix = "Use the compliance certificate for /compliance/invoices and POST /production/csids, and the production certificate for everything else."
	}
	return w
}
