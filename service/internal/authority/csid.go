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

// Compliance asks for the compliance certificate of a new device, with its
// certificate request and a one-time password of the authority's portal. Its
// errors are *device.Refusal and *device.Silence.
func (c *Client) Compliance(ctx context.Context, csr string, otp device.Secret) (device.CSID, error) {
	return c.certificate(ctx, call{method: http.MethodPost, path: "/compliance", otp: otp, body: csrBody{csr}})
}

// Production asks for the production certificate, with the credentials of the
// compliance certificate and its request's number, once the samples passed.
func (c *Client) Production(ctx context.Context, as device.Credentials, requestID string) (device.CSID, error) {
	return c.certificate(ctx, call{method: http.MethodPost, path: "/production/csids", as: as, body: requestBody{requestID}})
}

// Renew asks for the certificate that takes the place of the production
// certificate, whose credentials it needs. The answer may be a compliance
// certificate, with Checks set.
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
		return device.CSID{}, &device.Silence{Reason: "the call was broken off", Cause: a.cause}
	case a.cause != nil:
		return device.CSID{}, &device.Silence{Reason: a.cause.Error(), Cause: a.cause}
	}
	return readCSID(a, one)
}

// readCSID decides by status and body: a certificate, a refusal, or nothing
// that means anything.
func readCSID(a answer, one call) (device.CSID, error) {
	o, _ := readObject(a.body)
	if inner := o.object("value"); inner != nil && !o.hasAny("binarySecurityToken") {
		o = inner // as the official example of a renewal has it
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

// refusalOf finds the code and the words of a refusal, in the four shapes seen.
// A code that is a number is a gateway's and says nothing of the device.
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

// silence says in words what came instead of an answer.
func silence(a answer, message string) *device.Silence {
	s := &device.Silence{Status: a.status, Wait: a.wait}
	switch a.status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		s.Reason = "there is no such operation at this address"
	case http.StatusNotAcceptable:
		s.Reason = "it does not speak version " + version + " of the protocol"
	case http.StatusTooManyRequests:
		s.Reason = "it was asked too often"
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
		s.Reason += fmt.Sprintf("; it wants to be left alone for %s", s.Wait.Round(time.Second))
	}
	return s
}

// short bounds what somebody else wrote, and takes out what would move the
// cursor of a terminal.
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
