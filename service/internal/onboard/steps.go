package onboard

import (
	"context"
	"errors"
	"fmt"

	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
)

// steps is what is done in each state. States that are not here end a turn.
var steps = map[device.Status]func(*attempt, context.Context) error{
	device.CSRPending:          (*attempt).makeRequest,
	device.CSRGenerated:        then(device.CCSIDPending),
	device.CCSIDPending:        (*attempt).askFirst,
	device.CCSIDGenerated:      then(device.SamplesPending),
	device.SamplesPending:      (*attempt).makeSamples,
	device.SamplesGenerated:    then(device.SubmissionPending),
	device.SubmissionPending:   (*attempt).showSamples,
	device.SubmissionCompleted: then(device.PCSIDPending),
	device.PCSIDPending:        (*attempt).askProduction,
}

// then goes on to the next state, which says what is under way.
func then(to device.Status) func(*attempt, context.Context) error {
	return func(a *attempt, ctx context.Context) error { return a.move(ctx, to, nil) }
}

// makeRequest makes a fresh key and the certificate request that it signs.
func (a *attempt) makeRequest(ctx context.Context) error {
	purpose := a.purpose(KeyPurpose)
	signer, sealed, err := a.Vault.NewDeviceKey(purpose, a.device.ID.String())
	if err != nil {
		return err
	}
	request, err := unit(a.owner, a.device).Request(signer, template(a.device.Environment))
	var wrong seal.Problems
	if errors.As(err, &wrong) {
		// The record was changed since the device was made.
		return Explain("Invalid-CSR").refusal(fault.Invalid, Trouble{Message: wrong.Error()})
	}
	if err != nil {
		return err
	}
	return a.move(ctx, device.CSRGenerated, func(s *Step) {
		s.Request = string(request.PEM())
		s.Secrets = []Secret{{purpose, sealed}}
	})
}

// askFirst asks for the certificate that needs the one-time password: the
// compliance certificate, or the renewed one.
func (a *attempt) askFirst(ctx context.Context) error {
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

// askProduction asks for the production certificate, now that the samples have
// passed.
func (a *attempt) askProduction(ctx context.Context) error {
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

// received reads a certificate and makes sure that it is this device's: one of
// another key could sign nothing that anybody would believe.
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
		return nil, &device.Refusal{Code: device.OtherDevice, Message: "it is the certificate of another key"}
	case certificate.Unit.VATNumber != a.owner.VATNumber:
		return nil, &device.Refusal{Code: device.OtherDevice, Message: "it is the certificate of VAT number " + certificate.Unit.VATNumber}
	}
	return certificate, nil
}

// refused tells a refusal, which is kept as a failed state, from silence.
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

// finish puts the new certificate in force: certificate, key and secrets change
// in one transaction, so that no document is signed with a half of each.
func (a *attempt) finish(ctx context.Context, csid device.CSID, certificate *seal.Certificate) error {
	secret, err := a.sealed(ProductionPurpose, []byte(csid.Secret.Reveal()))
	if err != nil {
		return err
	}
	step := Step{Secrets: []Secret{secret}, Issued: &Production{Token: csid.Token, Validity: *validity(certificate)}}
	if a.enrolment.Renewal {
		if err := a.changePlaces(ctx, &step); err != nil {
			return err
		}
	}
	return a.move(ctx, device.PCSIDGenerated, func(s *Step) {
		s.Secrets, s.Issued, s.Validity, s.Forget = step.Secrets, step.Issued, step.Validity, step.Forget
	})
}

// changePlaces seals what the renewal made for its own purposes again, for
// those of the device: a sealed value opens for its purpose only.
func (a *attempt) changePlaces(ctx context.Context, s *Step) error {
	purposes := []string{KeyPurpose}
	if a.enrolment.Token != "" {
		purposes = append(purposes, CompliancePurpose)
		certificate, err := seal.ParseCertificate([]byte(a.enrolment.Token))
		if err != nil {
			return fmt.Errorf("read the kept compliance certificate: %w", err)
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
