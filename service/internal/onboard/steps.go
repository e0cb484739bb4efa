package onboard

import (
	"context"
	"errors"
	"fmt"

	"khatm/seal"
	"khatm/service/internal/device"
)

// steps maps each state to its next step. States without a step end the turn.
var steps = map[device.Status]func(*attempt, context.Context) error{
	device.CSRPending:          (*attempt).makeRequest,
	device.CSRGenerated:        then(device.CCSIDPending),
	device.CCSIDPending:        (*attempt).requestFirst,
	device.CCSIDGenerated:      then(device.SamplesPending),
	device.SamplesPending:      (*attempt).makeSamples,
	device.SamplesGenerated:    then(device.SubmissionPending),
	device.SubmissionPending:   (*attempt).submitSamples,
	device.SubmissionCompleted: then(device.PCSIDPending),
	device.PCSIDPending:        (*attempt).requestProduction,
}

// then returns a step that only moves to the next state, which shows what is in
// progress.
func then(to device.Status) func(*attempt, context.Context) error {
	return func(a *attempt, ctx context.Context) error { return a.move(ctx, to, nil) }
}

// makeRequest creates a new key and a certificate request signed with it.
func (a *attempt) makeRequest(ctx context.Context) error {
	purpose := a.purpose(KeyPurpose)
	signer, sealed, err := a.Vault.NewDeviceKey(purpose, a.device.ID.String())
	if err != nil {
		return err
	}
	request, err := unit(a.owner, a.device).Request(signer, template(a.device.Environment))
	var wrong seal.Problems
	if errors.As(err, &wrong) {
		// The organisation or the device was changed since the device was
		// created.
		return a.fail(ctx, device.CSRPending, Trouble{"Invalid-CSR", wrong.Error()})
	}
	if err != nil {
		return err
	}
	return a.move(ctx, device.CSRGenerated, func(s *Step) {
		s.Request = string(request.PEM())
		s.Secrets = []Secret{{purpose, sealed}}
	})
}

// requestFirst requests the certificate that needs the one-time password: the
// compliance certificate, or the renewed certificate.
func (a *attempt) requestFirst(ctx context.Context) error {
	request, err := seal.ParseRequest([]byte(a.enrolment.Request))
	if err != nil {
		return err
	}
	renewing := a.enrolment.Renewal && !a.order.Anew
	csid, err := a.ask(ctx, request.Body(), renewing)
	certificate, err := a.received(ctx, csid, err)
	if err != nil {
		return a.refused(ctx, device.CCSIDFailed, err)
	}
	if renewing && !csid.Checks {
		return a.finish(ctx, csid, certificate)
	}
	secret, err := a.sealed(a.purpose(CompliancePurpose), []byte(csid.Secret.Reveal()))
	if err != nil {
		return err
	}
	return a.move(ctx, device.CCSIDGenerated, func(s *Step) {
		s.RequestID, s.Token = csid.RequestID, csid.Token
		s.Secrets = []Secret{secret}
		if !a.enrolment.Renewal {
			s.Validity = validity(certificate)
		}
	})
}

func (a *attempt) ask(ctx context.Context, csr string, renewing bool) (device.CSID, error) {
	if !renewing {
		return a.Authority.Compliance(ctx, csr, a.order.OTP)
	}
	as, err := a.credentials(ctx, a.device.Token, ProductionPurpose)
	if err != nil {
		return device.CSID{}, err
	}
	return a.Authority.Renew(ctx, as, csr, a.order.OTP)
}

// requestProduction requests the production certificate after the samples have
// passed.
func (a *attempt) requestProduction(ctx context.Context) error {
	as, err := a.credentials(ctx, a.enrolment.Token, a.purpose(CompliancePurpose))
	if err != nil {
		return err
	}
	csid, err := a.Authority.Production(ctx, as, a.enrolment.RequestID)
	certificate, err := a.received(ctx, csid, err)
	if err == nil {
		return a.finish(ctx, csid, certificate)
	}
	var refusal *device.Refusal
	if errors.As(err, &refusal) && (refusal.Code == "Missing-ComplianceSteps" || refusal.Code == device.NotCompliant) {
		return a.refused(ctx, device.SubmissionFailed, err)
	}
	return a.refused(ctx, device.PCSIDFailed, err)
}

// received parses a certificate and checks that it belongs to this device. With
// the certificate of another key, every signature would be invalid.
func (a *attempt) received(ctx context.Context, csid device.CSID, failed error) (*seal.Certificate, error) {
	if failed != nil {
		return nil, failed
	}
	signer, err := a.signer(ctx)
	if err != nil {
		return nil, err
	}
	certificate, err := seal.ParseCertificate([]byte(csid.Token))
	switch {
	case err != nil:
		return nil, &device.Silence{Reason: err.Error(), Cause: err}
	case !certificate.Belongs(signer):
		return nil, &device.Refusal{Code: device.OtherDevice, Message: "the certificate belongs to another key"}
	case certificate.Unit.VATNumber != a.owner.VATNumber:
		return nil, &device.Refusal{Code: device.OtherDevice, Message: "the certificate belongs to VAT number " + certificate.Unit.VATNumber}
	}
	return certificate, nil
}

// refused handles an error of the authority: a refusal is stored as a failed
// state, and without a response the state does not change.
func (a *attempt) refused(ctx context.Context, to device.Status, err error) error {
	var refusal *device.Refusal
	var silence *device.Silence
	switch {
	case errors.As(err, &refusal):
		return a.fail(ctx, to, Trouble{refusal.Code, refusal.Message})
	case errors.As(err, &silence):
		return a.stay(ctx, silence.Reason)
	}
	return err
}

// finish puts the new certificate into use. Certificate, key and secrets change
// in one transaction, so that no document is signed with a mix of old and new.
func (a *attempt) finish(ctx context.Context, csid device.CSID, certificate *seal.Certificate) error {
	secret, err := a.sealed(ProductionPurpose, []byte(csid.Secret.Reveal()))
	if err != nil {
		return err
	}
	step := Step{Secrets: []Secret{secret}, Issued: &Production{Token: csid.Token, Validity: *validity(certificate)}}
	if a.enrolment.Renewal {
		if err := a.resealNext(ctx, &step); err != nil {
			return err
		}
	}
	return a.move(ctx, device.PCSIDGenerated, func(s *Step) {
		s.Secrets, s.Issued, s.Validity, s.Forget = step.Secrets, step.Issued, step.Validity, step.Forget
	})
}

// resealNext encrypts the secrets of the renewal again for the purposes of
// the device, because a sealed value can be decrypted only for its own purpose.
func (a *attempt) resealNext(ctx context.Context, s *Step) error {
	purposes := []string{KeyPurpose}
	if a.enrolment.Token != "" {
		purposes = append(purposes, CompliancePurpose)
		certificate, err := seal.ParseCertificate([]byte(a.enrolment.Token))
		if err != nil {
			return fmt.Errorf("read the stored compliance certificate: %w", err)
		}
		s.Validity = validity(certificate)
	}
	for _, purpose := range purposes {
		plain, err := a.open(ctx, purpose+Next)
		if err != nil {
			return err
		}
		secret, err := a.sealed(purpose, plain)
		clear(plain)
		if err != nil {
			return err
		}
		s.Secrets = append(s.Secrets, secret)
		s.Forget = append(s.Forget, purpose+Next)
	}
	return nil
}

func validity(c *seal.Certificate) *device.Certificate {
	return &device.Certificate{NotBefore: c.NotBefore, NotAfter: c.NotAfter}
}
