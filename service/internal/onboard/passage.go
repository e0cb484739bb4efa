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
	return o.lead(ctx, by, order, false)
}

// Renew gets an active device the certificate that takes the place of its own.
// The old one goes on issuing until the new one is held; then both change places
// in one transaction, and the chain goes on.
func (o *Onboarding) Renew(ctx context.Context, by org.Actor, order Order) (device.Device, error) {
	return o.lead(ctx, by, order, true)
}

// passage is one turn on a device's way.
type passage struct {
	*Onboarding
	by     org.Actor
	order  Order
	owner  org.Organisation
	branch org.Branch // empty without one
	device device.Device
	way    Enrolment
	shown  []sample // made in this turn
}

var sixDigits = regexp.MustCompile(`^[0-9]{6}$`)

func (o *Onboarding) lead(ctx context.Context, by org.Actor, order Order, renewal bool) (device.Device, error) {
	if !order.OTP.IsZero() && !sixDigits.MatchString(order.OTP.Reveal()) {
		return device.Device{}, fault.Wrong(fault.Problem{Path: "otp", Message: "Input should be the 6 digits that the authority's portal shows"})
	}
	p := &passage{Onboarding: o, by: by, order: order}
	if err := p.meet(ctx, renewal); err != nil {
		return device.Device{}, err
	}
	if err := p.takeUp(ctx); err != nil {
		return device.Device{}, err
	}
	for p.way.Status != device.PCSIDGenerated {
		step, known := steps[p.way.Status]
		if !known {
			return device.Device{}, fault.New(fault.Conflict, "A device that is %s cannot be led on.", p.way.Status)
		}
		if err := step(p, ctx); err != nil {
			return device.Device{}, err
		}
	}
	return o.Keeper.Device(ctx, by.Tenant, order.Device)
}

// meet reads everything about the device, and takes the turn if there is
// something that can be done with it: it is taken from whoever has it.
func (p *passage) meet(ctx context.Context, renewal bool) (err error) {
	if p.device, err = p.Keeper.Device(ctx, p.by.Tenant, p.order.Device); err != nil {
		return err
	}
	switch {
	case p.device.Retired:
		return fault.New(fault.Conflict, "The device is retired. Create a new one.")
	case renewal && !p.device.CanIssue():
		return fault.New(fault.Conflict, "The device has no certificate to renew yet; it must be onboarded first.")
	case !renewal && p.device.CanIssue():
		return fault.New(fault.Conflict, "The device is active already. To replace its certificate, renew it.")
	}
	if p.owner, err = p.Keeper.Organisation(ctx, p.by.Tenant); err != nil {
		return err
	}
	if p.branch, err = p.Onboarding.branch(ctx, p.by.Tenant, p.device.Branch); err != nil {
		return err
	}
	if err := p.askForPassword(ctx, renewal); err != nil {
		return err
	}
	p.way, err = p.Keeper.TakeEnrolment(ctx, p.by, p.device.ID, renewal)
	return err
}

// askForPassword refuses an order without a one-time password where the next
// thing to do needs one.
func (p *passage) askForPassword(ctx context.Context, renewal bool) error {
	ways, err := p.Keeper.Enrolments(ctx, p.by.Tenant, p.device.ID)
	if err != nil {
		return err
	}
	p.way = Enrolment{Renewal: renewal, Status: p.device.Status}
	for _, w := range ways {
		if w.Renewal == renewal {
			p.way = w
		}
	}
	if from := p.from(); (from == device.CSRPending || from == device.CSRGenerated) && p.order.OTP.IsZero() {
		return Explain(NoPassword).refusal(fault.Invalid, Trouble{})
	}
	return nil
}

// takeUp goes where the way is taken up.
func (p *passage) takeUp(ctx context.Context) error {
	from := p.from()
	if from == p.way.Status {
		return nil
	}
	return p.move(ctx, from, func(s *Step) {
		if from == device.CSRPending {
			s.Request, s.RequestID, s.Token = "", "", ""
			s.Forget = []string{p.purpose(CompliancePurpose)}
		}
	})
}

// from is the state in which this turn begins.
func (p *passage) from() device.Status {
	switch at := p.way.Status; at {
	case device.PCSIDGenerated: // of an earlier renewal
		return device.CSRPending
	case device.CCSIDPending, device.CCSIDFailed:
		// Nobody knows whether the authority took the request; if it did, its key
		// will not be taken a second time.
		return device.CSRPending
	case device.SamplesFailed, device.SubmissionFailed, device.PCSIDFailed:
		if again := Explain(p.way.Trouble.Code).again; again != device.CSRPending && !p.outdated() {
			return again
		}
		return device.CSRPending
	default:
		if at != device.CSRPending && p.outdated() {
			return device.CSRPending
		}
		return at
	}
}

// outdated says whether organisation or device changed since the certificate
// was requested, so that it would not be theirs.
func (p *passage) outdated() bool {
	request, err := seal.ParseRequest([]byte(p.way.Request))
	return err != nil || request.Unit != unit(p.owner, p.device)
}

// purpose is that of a secret on this way.
func (p *passage) purpose(of string) string {
	if p.way.Renewal {
		return of + Next
	}
	return of
}

// move keeps a step to another state, and only then is there. It does not end
// with the caller: what the authority gave is given once.
func (p *passage) move(ctx context.Context, to device.Status, change func(*Step)) error {
	s := Step{Enrolment: p.way, From: p.way.Status}
	s.Status, s.Trouble = to, Trouble{}
	if change != nil {
		change(&s)
	}
	if err := p.Keeper.KeepStep(context.WithoutCancel(ctx), p.by, s); err != nil {
		return err
	}
	p.way = s.Enrolment
	if p.order.Saw != nil && s.From != to {
		p.order.Saw(to)
	}
	return nil
}

// fail keeps a refusal and explains it.
func (p *passage) fail(ctx context.Context, to device.Status, t Trouble) error {
	if err := p.move(ctx, to, func(s *Step) { s.Trouble = t }); err != nil {
		return err
	}
	return Explain(t.Code).refusal(fault.Invalid, t)
}

// stay keeps why there was no answer. The state is not used up.
func (p *passage) stay(ctx context.Context, why string) error {
	t := Trouble{Code: NoAnswer, Message: why}
	if err := p.move(ctx, p.way.Status, func(s *Step) { s.Trouble = t }); err != nil {
		return err
	}
	return Explain(NoAnswer).refusal(fault.Unavailable, t).With("device_status", string(p.way.Status))
}
