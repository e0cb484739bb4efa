package onboard

import (
	"context"
	"regexp"

	"github.com/google/uuid"

	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Order says which device is to be led on, and with what.
type Order struct {
	Device uuid.UUID
	OTP    device.Secret       // the one-time password; needed only where a certificate is asked for
	Anew   bool                // of a renewal: the authority does not know the old certificate any more
	Saw    func(device.Status) // told of every state once it is kept; may be nil
}

// Onboard leads a device on to its first certificate, from wherever it is. An
// error says what to do next; the states that were reached stay.
func (o *Onboarding) Onboard(ctx context.Context, by org.Actor, order Order) (device.Device, error) {
	return o.advance(ctx, by, order, false)
}

// Renew gets an active device the certificate that takes the place of its own.
// The old one goes on issuing until the new one is held; then both change places
// in one transaction, and the chain goes on.
func (o *Onboarding) Renew(ctx context.Context, by org.Actor, order Order) (device.Device, error) {
	return o.advance(ctx, by, order, true)
}

// attempt is one run through the steps of a device's onboarding or renewal.
type attempt struct {
	*Onboarding
	by        org.Actor
	order     Order
	owner     org.Organisation
	branch    org.Branch // empty without one
	device    device.Device
	enrolment Enrolment
	shown     []sample // made in this turn
}

var sixDigits = regexp.MustCompile(`^[0-9]{6}$`)

func (o *Onboarding) advance(ctx context.Context, by org.Actor, order Order, renewal bool) (device.Device, error) {
	if !order.OTP.IsZero() && !sixDigits.MatchString(order.OTP.Reveal()) {
		return device.Device{}, fault.Wrong(fault.Problem{Path: "otp", Message: "must be the 6 digits that the authority's portal shows"})
	}
	a := &attempt{Onboarding: o, by: by, order: order}
	if err := a.load(ctx, renewal); err != nil {
		return device.Device{}, err
	}
	if err := a.resume(ctx); err != nil {
		return device.Device{}, err
	}
	for a.enrolment.Status != device.PCSIDGenerated {
		step, known := steps[a.enrolment.Status]
		if !known {
			return device.Device{}, fault.New(fault.Conflict, "A device that is %s cannot be led on.", a.enrolment.Status)
		}
		if err := step(a, ctx); err != nil {
			return device.Device{}, err
		}
	}
	return o.Keeper.Device(ctx, by.Tenant, order.Device)
}

// load reads everything about the device, and takes the turn if there is
// something that can be done with it: it is taken from whoever has it.
func (a *attempt) load(ctx context.Context, renewal bool) (err error) {
	if a.device, err = a.Keeper.Device(ctx, a.by.Tenant, a.order.Device); err != nil {
		return err
	}
	switch {
	case a.device.Retired:
		return fault.New(fault.Conflict, "The device is retired. Create a new one.")
	case renewal && !a.device.CanIssue():
		return fault.New(fault.Conflict, "The device has no certificate to renew yet; it must be onboarded first.")
	case !renewal && a.device.CanIssue():
		return fault.New(fault.Conflict, "The device is active already. To replace its certificate, renew it.")
	}
	if a.owner, err = a.Keeper.Organisation(ctx, a.by.Tenant); err != nil {
		return err
	}
	if a.branch, err = a.Onboarding.branch(ctx, a.by.Tenant, a.device.Branch); err != nil {
		return err
	}
	if err := a.askForPassword(ctx, renewal); err != nil {
		return err
	}
	a.enrolment, err = a.Keeper.TakeEnrolment(ctx, a.by, a.device.ID, renewal)
	return err
}

// askForPassword refuses an order without a one-time password where the next
// thing to do needs one.
func (a *attempt) askForPassword(ctx context.Context, renewal bool) error {
	ways, err := a.Keeper.Enrolments(ctx, a.by.Tenant, a.device.ID)
	if err != nil {
		return err
	}
	a.enrolment = Enrolment{Renewal: renewal, Status: a.device.Status}
	for _, w := range ways {
		if w.Renewal == renewal {
			a.enrolment = w
		}
	}
	if from := a.from(); (from == device.CSRPending || from == device.CSRGenerated) && a.order.OTP.IsZero() {
		return Explain(NoPassword).refusal(fault.Invalid, Trouble{})
	}
	return nil
}

// resume goes to the step at which an earlier attempt stopped.
func (a *attempt) resume(ctx context.Context) error {
	from := a.from()
	if from == a.enrolment.Status {
		return nil
	}
	return a.move(ctx, from, func(s *Step) {
		if from == device.CSRPending {
			s.Request, s.RequestID, s.Token = "", "", ""
			s.Forget = []string{a.purpose(CompliancePurpose)}
		}
	})
}

// from is the state in which this turn begins.
func (a *attempt) from() device.Status {
	switch at := a.enrolment.Status; at {
	case device.PCSIDGenerated: // of an earlier renewal
		return device.CSRPending
	case device.CCSIDPending, device.CCSIDFailed:
		// Nobody knows whether the authority took the request; if it did, its key
		// will not be taken a second time.
		return device.CSRPending
	case device.SamplesFailed, device.SubmissionFailed, device.PCSIDFailed:
		if again := Explain(a.enrolment.Trouble.Code).again; again != device.CSRPending && !a.outdated() {
			return again
		}
		return device.CSRPending
	default:
		if at != device.CSRPending && a.outdated() {
			return device.CSRPending
		}
		return at
	}
}

// outdated says whether organisation or device changed since the certificate
// was requested, so that it would not be theirs.
func (a *attempt) outdated() bool {
	request, err := seal.ParseRequest([]byte(a.enrolment.Request))
	return err != nil || request.Unit != unit(a.owner, a.device)
}

// purpose is that of a secret on this way.
func (a *attempt) purpose(of string) string {
	if a.enrolment.Renewal {
		return of + Next
	}
	return of
}

// move keeps a step to another state, and only then is there. It does not end
// with the caller: what the authority gave is given once.
func (a *attempt) move(ctx context.Context, to device.Status, change func(*Step)) error {
	s := Step{Enrolment: a.enrolment, From: a.enrolment.Status}
	s.Status, s.Trouble = to, Trouble{}
	if change != nil {
		change(&s)
	}
	if err := a.Keeper.KeepStep(context.WithoutCancel(ctx), a.by, s); err != nil {
		return err
	}
	a.enrolment = s.Enrolment
	if a.order.Saw != nil && s.From != to {
		a.order.Saw(to)
	}
	return nil
}

// fail keeps a refusal and explains it.
func (a *attempt) fail(ctx context.Context, to device.Status, t Trouble) error {
	if err := a.move(ctx, to, func(s *Step) { s.Trouble = t }); err != nil {
		return err
	}
	return Explain(t.Code).refusal(fault.Invalid, t)
}

// stay keeps why there was no answer. The state is not used up.
func (a *attempt) stay(ctx context.Context, why string) error {
	t := Trouble{Code: NoAnswer, Message: why}
	if err := a.move(ctx, a.enrolment.Status, func(s *Step) { s.Trouble = t }); err != nil {
		return err
	}
	return Explain(NoAnswer).refusal(fault.Unavailable, t).With("device_status", string(a.enrolment.Status))
}
