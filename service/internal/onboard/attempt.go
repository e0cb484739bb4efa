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

// Order is a request to onboard or renew a device.
type Order struct {
	Device uuid.UUID
	OTP    device.Secret       // one-time password; needed only to request a certificate
	Anew   bool                // for a renewal: request a new certificate, because the authority no longer accepts the old one
	Saw    func(device.Status) // called with every new state after it is stored; may be nil
}

// Onboard onboards a device, continuing from its current state, until it has
// its first production certificate. An error says what to do next; the states
// that were reached remain stored.
func (o *Onboarding) Onboard(ctx context.Context, by org.Actor, order Order) (device.Device, error) {
	return o.advance(ctx, by, order, false)
}

// Renew renews the certificate of an active device. The device continues to
// issue with the old certificate until the new one is stored; then they are
// swapped in one transaction, and the chain continues.
func (o *Onboarding) Renew(ctx context.Context, by org.Actor, order Order) (device.Device, error) {
	return o.advance(ctx, by, order, true)
}

// attempt is one run through the steps of an onboarding or a renewal.
type attempt struct {
	*Onboarding
	by        org.Actor
	order     Order
	owner     org.Organisation
	branch    org.Branch // empty if the device has no branch
	device    device.Device
	enrolment Enrolment
	prepared  []sample // samples prepared in this turn
}

var sixDigits = regexp.MustCompile(`^[0-9]{6}$`)

func (o *Onboarding) advance(ctx context.Context, by org.Actor, order Order, renewal bool) (device.Device, error) {
	finish, err := o.Start(ctx, by, order, renewal)
	if err != nil {
		return device.Device{}, err
	}
	return finish(ctx)
}

// Start checks a request to onboard or renew a device and takes the turn. The
// returned function makes the steps.
func (o *Onboarding) Start(ctx context.Context, by org.Actor, order Order, renewal bool) (finish func(context.Context) (device.Device, error), err error) {
	if !order.OTP.IsZero() && !sixDigits.MatchString(order.OTP.Reveal()) {
		return nil, fault.Wrong(fault.Problem{Path: "otp", Message: "must be the 6 digits shown in the authority's portal", MessageAR: "يجب أن يكون رمز التحقق (OTP) 6 أرقام كما يظهر في بوابة فاتورة."})
	}
	a := &attempt{Onboarding: o, by: by, order: order}
	if err := a.load(ctx, renewal); err != nil {
		return nil, err
	}
	if err := a.resume(ctx); err != nil {
		return nil, err
	}
	return a.finishSteps, nil
}

// finishSteps makes the steps until the device has its certificate.
func (a *attempt) finishSteps(ctx context.Context) (device.Device, error) {
	for a.enrolment.Status != device.PCSIDGenerated {
		step, known := steps[a.enrolment.Status]
		if !known {
			return device.Device{}, fault.New(fault.StateConflict, "A device with the status %s cannot be onboarded or renewed.", a.enrolment.Status).
				Arabic("لا يمكن ربط الجهاز بالهيئة أو تجديد شهادته وحالته %s.", a.enrolment.Status)
		}
		if err := step(a, ctx); err != nil {
			return device.Device{}, err
		}
	}
	return a.Keeper.Device(ctx, a.by.Tenant, a.order.Device)
}

// load reads the data of the device and takes the turn. It takes the turn only
// if the request can proceed, because that ends the turn of any other caller.
func (a *attempt) load(ctx context.Context, renewal bool) (err error) {
	if a.device, err = a.Keeper.Device(ctx, a.by.Tenant, a.order.Device); err != nil {
		return err
	}
	switch {
	case a.device.Retired:
		return fault.New(fault.StateConflict, "The device is retired. Create a new one.").Arabic("أُوقف هذا الجهاز نهائيًا.").Advise("Create a new device.", "أنشئ جهازًا جديدًا.")
	case renewal && !a.device.CanIssue():
		return fault.New(fault.StateConflict, "The device has no certificate to renew. Onboard it first.").
			Arabic("ليست للجهاز شهادة ختم تشفيري لتجديدها.").Advise("Onboard the device first.", "اربط الجهاز بالهيئة أولًا.")
	case !renewal && a.device.CanIssue():
		return fault.New(fault.StateConflict, "The device is already active. To replace its certificate, renew it.").
			Arabic("الجهاز مرتبط بالهيئة ونشط.").Advise("To replace its certificate, renew it.", "لاستبدال شهادة الختم التشفيري جدّدها.")
	}
	if a.owner, err = a.Keeper.Organisation(ctx, a.by.Tenant); err != nil {
		return err
	}
	if a.branch, err = a.Onboarding.branch(ctx, a.by.Tenant, a.device.Branch); err != nil {
		return err
	}
	if err := a.requirePassword(ctx, renewal); err != nil {
		return err
	}
	a.enrolment, err = a.Keeper.TakeEnrolment(ctx, a.by, a.device.ID, renewal)
	return err
}

// requirePassword returns an error if the next step needs a one-time password
// and the order has none.
func (a *attempt) requirePassword(ctx context.Context, renewal bool) error {
	ways, err := a.Keeper.Enrolments(ctx, a.by.Tenant, a.device.ID)
	if err != nil {
		return err
	}
	if a.needsPassword(ways, renewal) && a.order.OTP.IsZero() {
		return a.withoutPassword()
	}
	return nil
}

// withoutPassword returns the error for an order without a one-time password. It says
// where the taxpayer creates the password.
func (a *attempt) withoutPassword() error {
	e := Explain(NoPassword)
	if a.device.Environment == device.Simulation {
		e.Next = simulationPassword
	}
	told := e.refusal(fault.OnboardingRefused, Trouble{}).Advise(e.Next.EN, e.Next.AR)
	told.Path = "otp"
	return told
}

// needsPassword reports whether the next step needs a one-time password.
func (a *attempt) needsPassword(ways []Enrolment, renewal bool) bool {
	a.enrolment = Enrolment{Renewal: renewal, Status: a.device.Status}
	for _, w := range ways {
		if w.Renewal == renewal {
			a.enrolment = w
		}
	}
	from := a.from()
	return from == device.CSRPending || from == device.CSRGenerated
}

// NeedsPassword reports whether the next attempt to onboard or renew a device needs
// a one-time password. ways are the enrolments of the device.
func (o *Onboarding) NeedsPassword(ctx context.Context, of org.Tenant, d device.Device, ways []Enrolment) (bool, error) {
	owner, err := o.Keeper.Organisation(ctx, of)
	if err != nil {
		return false, err
	}
	a := &attempt{Onboarding: o, owner: owner, device: d}
	return a.needsPassword(ways, d.CanIssue()), nil
}

// resume moves to the step at which an earlier attempt stopped, and removes the
// problem of that attempt.
func (a *attempt) resume(ctx context.Context) error {
	from := a.from()
	if from == a.enrolment.Status && a.enrolment.Trouble == (Trouble{}) {
		return nil
	}
	return a.move(ctx, from, func(s *Step) {
		if from == device.CSRPending && s.From != from {
			s.Request, s.RequestID, s.Token = "", "", ""
			s.Forget = []string{a.purpose(CompliancePurpose)}
		}
	})
}

// from returns the state in which this turn begins.
func (a *attempt) from() device.Status {
	switch at := a.enrolment.Status; at {
	case device.PCSIDGenerated: // after an earlier renewal
		return device.CSRPending
	case device.CCSIDPending, device.CCSIDFailed:
		// It is not known whether the authority accepted the request. If it
		// did, it will not accept the same key again.
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

// outdated reports whether the organisation or the device changed since the
// certificate was requested, so that the certificate would be wrong.
func (a *attempt) outdated() bool {
	request, err := seal.ParseRequest([]byte(a.enrolment.Request))
	return err != nil || request.Unit != unit(a.owner, a.device)
}

// purpose returns the purpose of a secret in this enrolment.
func (a *attempt) purpose(of string) string {
	if a.enrolment.Renewal {
		return of + Next
	}
	return of
}

// move stores a step and then changes the state. It completes even if the
// caller's context ends, because the authority issues a certificate only once.
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

// fail stores a refusal and returns its explanation.
func (a *attempt) fail(ctx context.Context, to device.Status, t Trouble) error {
	if err := a.move(ctx, to, func(s *Step) { s.Trouble = t }); err != nil {
		return err
	}
	return Explain(t.Code).refusal(fault.OnboardingRefused, t)
}

// stay records why there was no response. The state does not change.
func (a *attempt) stay(ctx context.Context, why string) error {
	t := Trouble{Code: NoAnswer, Message: why}
	if err := a.move(ctx, a.enrolment.Status, func(s *Step) { s.Trouble = t }); err != nil {
		return err
	}
	return Explain(NoAnswer).refusal(fault.AuthorityUnavailable, t).With("device_status", string(a.enrolment.Status))
}
