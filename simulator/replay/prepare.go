package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"khatm/simulator/internal/ca"
	"khatm/simulator/recording"
)

// The operations whose requests need more than other credentials.
const (
	compliance = "/compliance"
	production = "/production/csids"
	clearance  = "/invoices/clearance/single"
)

// onlyCompliance lists the operations that need a compliance certificate.
func onlyCompliance(e recording.Exchange) bool {
	return strings.HasPrefix(e.Path, compliance) || e.Path == production && e.Method == http.MethodPost
}

// prepared is a request as it is sent to the simulator.
type prepared struct {
	header http.Header
	as     credential
	body   []byte
}

// unknown is a credential that no simulator issued.
var unknown = credential{Token: "cmVwbGF5", Secret: "replay"}

// prepare replaces what was removed from a request: the credential and the
// one-time password; and the request ID, which the simulator assigns itself.
func (r *run) prepare(ctx context.Context, e recording.Exchange) (p prepared, err error) {
	if p.body, err = e.Request.Body(); err != nil {
		return p, err
	}
	p.header = e.Request.Header.Clone()
	if p.header == nil {
		p.header = http.Header{}
	}
	if p.header.Get("Authorization") != "" {
		p.header.Del("Authorization")
		if p.as, err = r.credentialFor(ctx, e); err != nil {
			return p, err
		}
		if e.Path == production && e.Method == http.MethodPost {
			p.body = r.requestID(e, p.as, p.body)
		}
	}
	if p.header.Get("Otp") != "" {
		otp, err := r.passwordFor(ctx, e, p.body)
		if err != nil {
			return p, err
		}
		p.header.Set("Otp", otp)
	}
	return p, nil
}

var vatNumber = regexp.MustCompile(`^3\d{13}3$`)

// belongs reports whether a credential of the simulator has the taxpayer of the
// recorded certificate.
func belongs(c credential, recorded *recording.Certificate) bool {
	if recorded == nil {
		return true
	}
	own := recording.CertificateOf(c.Token)
	return own != nil && own.VATNumber == recorded.VATNumber
}

func nameOf(e recording.Exchange, credential string) string { return e.Session + " " + credential }

// credentialFor returns the credential that the simulator issued for the one in
// the recording. If it issued none, because the device was onboarded before the
// recording began, or one of another taxpayer, as the real developer portal does,
// a device of the replay takes its place. A credential that the authority did not
// accept is replaced by an unknown one.
func (r *run) credentialFor(ctx context.Context, e recording.Exchange) (credential, error) {
	name := nameOf(e, e.Credential)
	if found, ok := r.credentials[name]; ok && belongs(found.issued, e.Certificate) {
		return found.issued, nil
	}
	if e.Credential == "" || e.Certificate == nil || !vatNumber.MatchString(e.Certificate.VATNumber) || e.Response.Status == http.StatusUnauthorized {
		return unknown, nil
	}
	d, ok := r.devices[name]
	if !ok {
		var err error
		if d, err = r.onboard(ctx, e.Environment, e.Certificate, e.Time); err != nil {
			return credential{}, err
		}
		r.devices[name] = d
		r.report.Relaxed.Devices++
	}
	if onlyCompliance(e) {
		return d.compliance, nil
	}
	return d.production, nil
}

// requestID replaces the request ID in a request for a production certificate by
// that of the credential, unless the authority was sent an ID of another request.
func (r *run) requestID(e recording.Exchange, as credential, body []byte) []byte {
	var sent struct {
		ID any `json:"compliance_request_id"`
	}
	if json.Unmarshal(body, &sent) != nil || as.RequestID == "" {
		return body
	}
	old, _ := sent.ID.(string)
	recorded := r.credentials[nameOf(e, e.Credential)].recordedID
	if old == "" || recorded != "" && recorded != old || recorded == "" && e.Response.Status != http.StatusOK {
		return body
	}
	return bytes.Replace(body, []byte(old), []byte(as.RequestID), 1)
}

// passwordFor returns a one-time password: a new one of the taxpayer of the
// certificate request, or an invalid one if the authority refused it as invalid.
func (r *run) passwordFor(ctx context.Context, e recording.Exchange, body []byte) (string, error) {
	const invalid = "000000" // with a chance of one in a million it is valid
	recorded, err := e.Response.Body()
	if err != nil {
		return "", err
	}
	if bytes.Contains(recorded, []byte("Invalid-OTP")) {
		return invalid, nil
	}
	var sent struct {
		CSR string `json:"csr"`
	}
	if json.Unmarshal(body, &sent) != nil {
		return invalid, nil // the simulator reads the request first
	}
	request, err := ca.ReadLax(ca.Environment(e.Environment), sent.CSR)
	if err != nil {
		return invalid, nil // likewise
	}
	return r.control.password(ctx, e.Environment, request.VATNumber)
}

// adapt makes the choices that the real authority made: whether a renewal needs
// checks, and whether clearance is on.
func (r *run) adapt(ctx context.Context, e recording.Exchange) error {
	want := map[string]string{}
	switch {
	case e.Path == production && e.Method == http.MethodPatch && slices.Contains([]int{200, 428}, e.Response.Status):
		want["renewal"] = choose(e.Response.Status == http.StatusPreconditionRequired, "checks", "direct")
	case e.Path == clearance:
		want["clearance"] = choose(e.Response.Status == http.StatusSeeOther, "off", "on")
	default:
		return nil
	}
	if want["renewal"] == "checks" || want["clearance"] == "off" {
		r.report.Relaxed.Choices++
	}
	return r.control.set(ctx, want)
}

func choose(yes bool, first, second string) string {
	if yes {
		return first
	}
	return second
}

// learn stores the credential that the simulator issued for one of the recording.
func (r *run) learn(e recording.Exchange, a answer) {
	if e.Issued == "" {
		return
	}
	var recorded struct {
		ID json.Number `json:"requestID"`
	}
	if body, err := e.Response.Body(); err == nil {
		_ = json.Unmarshal(body, &recorded) // without an ID, none is replaced
	}
	var issued credential
	if json.Unmarshal(a.body, &issued) == nil && issued.Token != "" && issued.Secret != "" {
		r.credentials[nameOf(e, e.Issued)] = known{recorded.ID.String(), issued}
	}
}
