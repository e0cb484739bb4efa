package authority

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"

	"khatm/service/internal/device"
)

// Compliance requests the compliance certificate of a new device, with its
// certificate request and a one-time password from the authority's portal.
// Errors are of type *device.Refusal or *device.Silence.
func (c *Client) Compliance(ctx context.Context, csr string, otp device.Secret) (device.CSID, error) {
	return c.certificate(ctx, call{method: http.MethodPost, path: "/compliance", otp: otp, body: csrBody{csr}})
}

// Production requests the production certificate once the samples have passed,
// with the credentials and the request id of the compliance certificate.
func (c *Client) Production(ctx context.Context, as device.Credentials, requestID string) (device.CSID, error) {
	return c.certificate(ctx, call{method: http.MethodPost, path: "/production/csids", as: as, body: requestBody{requestID}})
}

// Renew requests a new production certificate, with the credentials of the
// current one. The answer may be a compliance certificate, with Checks set.
func (c *Client) Renew(ctx context.Context, as device.Credentials, csr string, otp device.Secret) (device.CSID, error) {
	return c.certificate(ctx, call{method: http.MethodPatch, path: "/production/csids", as: as, otp: otp, body: csrBody{csr}})
}

type csrBody struct {
	CSR string `json:"csr"`
}

type requestBody struct {
	RequestID string `json:"compliance_request_id"`
}

func (c *Client) certificate(ctx context.Context, one call) (device.CSID, error) {
	a := c.do(ctx, one)
	switch {
	case errors.Is(a.cause, context.Canceled):
		return device.CSID{}, &device.Silence{Reason: "the call was canceled", Cause: a.cause}
	case a.cause != nil:
		return device.CSID{}, &device.Silence{Reason: a.cause.Error(), Cause: a.cause}
	}
	return readCSID(a, one)
}

// readCSID interprets an answer by status and body: a certificate, a refusal, or
// neither.
func readCSID(a answer, one call) (device.CSID, error) {
	o, _ := readObject(a.body)
	if inner := o.object("value"); inner != nil && !o.hasAny("binarySecurityToken") {
		o = inner // as in the official example of a renewal
	}
	csid := device.CSID{RequestID: o.text("requestID"), Credentials: device.Credentials{
		Token: o.text("binarySecurityToken"), Secret: device.NewSecret(o.text("secret")),
	}}
	whole := csid.Token != "" && !csid.Secret.IsZero() && csid.RequestID != ""
	said := o.text("dispositionMessage")
	code, message := refusalOf(o)
	switch status := a.status; {
	case status == http.StatusPreconditionRequired && one.method == http.MethodPatch && whole:
		csid.Checks = true
		return csid, nil
	case status == http.StatusOK && whole && said != device.NotCompliant:
		return csid, nil
	case (status == http.StatusOK || status == http.StatusBadRequest) && said == device.NotCompliant:
		return device.CSID{}, &device.Refusal{Status: status, Code: device.NotCompliant, Message: message}
	case (status == http.StatusOK || status == http.StatusBadRequest) && code != "":
		return device.CSID{}, &device.Refusal{Status: status, Code: code, Message: message}
	case status == http.StatusOK && o != nil:
		return device.CSID{}, &device.Refusal{Status: status, Code: device.NoCertificate, Message: message}
	case status == http.StatusUnauthorized && one.as.Token != "":
		return device.CSID{}, &device.Refusal{Status: status, Code: device.NotAuthorised, Message: message}
	}
	return device.CSID{}, silence(a, message)
}

// refusalOf returns the code and message of a refusal, in the four known
// formats. A numeric code comes from a gateway and is ignored.
func refusalOf(o object) (code, message string) {
	code, message = o.text("code"), o.text("message")
	if list := o.messages("errors"); len(list) > 0 {
		code, message = list[0].Code, list[0].Message
	} else if category := o.text("errorCategory"); category != "" {
		code, message = category, o.text("errorMessage")
	}
	if strings.Trim(code, "0123456789") == "" {
		code = ""
	}
	return short(code), short(message)
}

// silence describes an answer that is neither a certificate nor a refusal.
func silence(a answer, message string) *device.Silence {
	s := &device.Silence{Status: a.status, Wait: a.wait}
	switch a.status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		s.Reason = "the operation does not exist at this URL"
	case http.StatusNotAcceptable:
		s.Reason = "it does not support version " + version + " of the protocol"
	case http.StatusTooManyRequests:
		s.Reason = "too many requests"
	case http.StatusOK:
		s.Reason = "its answer cannot be read"
	default:
		s.Reason = strings.TrimSpace("it answered " + http.StatusText(a.status))
	}
	s.Reason += fmt.Sprintf(" (%d)", a.status)
	if message != "" {
		s.Reason += ": " + message
	}
	if s.Wait > 0 {
		s.Reason += fmt.Sprintf("; retry after %s", s.Wait.Round(time.Second))
	}
	return s
}

// short truncates text from the authority and removes control characters, which
// could move the cursor of a terminal.
func short(text string) string {
	const most = 200
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return text
}
