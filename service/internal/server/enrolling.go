package server

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
)

// Maximum numbers of devices that are onboarded or renewed at a time.
const (
	maxEnrolling    = 32
	maxEnrollingOrg = 4
)

// enrolling holds the onboardings and renewals in progress. They belong to the
// server and not to the request that started them, because the authority issues a
// certificate only once.
type enrolling struct {
	calls  context.Context //nolint:containedctx // of all calls; canceled by close
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu     sync.Mutex
	of     map[uuid.UUID]org.Tenant // by device
	closed bool
}

func newEnrolling() *enrolling {
	e := &enrolling{of: map[uuid.UUID]org.Tenant{}}
	e.calls, e.cancel = context.WithCancel(context.Background())
	return e
}

// begin registers a device until end is called.
func (e *enrolling) begin(of org.Tenant, id uuid.UUID) (end func(), err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	own := 0
	for _, owner := range e.of {
		if owner == of {
			own++
		}
	}
	_, twice := e.of[id]
	switch {
	case twice:
		return nil, errEnrolling()
	case own >= maxEnrollingOrg:
		return nil, fault.New(fault.EnrolmentRunning, "%d devices of your organisation are being onboarded or renewed. Wait until one has ended.", maxEnrollingOrg).
			Arabic("عدد أجهزة المنشأة التي يجري ربطها بالهيئة أو تجديد شهاداتها: %d.", maxEnrollingOrg).Advise("Wait until one has ended.", "انتظر حتى ينتهي أحدها.")
	case e.closed || len(e.of) >= maxEnrolling:
		return nil, capacity.Busy(fault.ServerBusy, "The service is busy. Try again in a moment.")
	}
	e.of[id] = of
	e.all.Add(1)
	return func() {
		e.mu.Lock()
		delete(e.of, id)
		e.mu.Unlock()
		e.all.Done()
	}, nil
}

func errEnrolling() error {
	return fault.New(fault.EnrolmentRunning, "The device is being onboarded or renewed. Wait until that has ended; at most two minutes if it was interrupted.")
}

// has reports whether a device is being onboarded or renewed here.
func (e *enrolling) has(id uuid.UUID) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, found := e.of[id]
	return found
}

// close waits up to longest for what is in progress, then cancels it. Every step
// that was made is stored, so it can be continued later.
func (e *enrolling) close(longest time.Duration) {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	late := time.AfterFunc(longest, e.cancel)
	e.all.Wait()
	late.Stop()
	e.cancel()
}

// Enrol starts to onboard or renew a device. It returns once the request is
// accepted; the steps are made in the background.
func (d devices) Enrol(ctx context.Context, by org.Actor, order onboard.Order, renewal bool) error {
	state, err := d.State(ctx, by.Tenant, order.Device)
	switch {
	case err != nil:
		return err
	case state.Running:
		return errEnrolling()
	case d.client() == nil:
		return fault.New(fault.StateConflict, "This server has no connection to the tax authority. Its operator must configure it.").Arabic("هذا الخادم غير متصل بالهيئة.").
			Advise("Ask the operator to configure the connection.", "اطلب من مشغّل الخدمة إعداد الاتصال بالهيئة.")
	}
	end, err := d.enrolling.begin(by.Tenant, order.Device)
	if err != nil {
		return err
	}
	finish, err := d.startEnrolment(ctx, by, order, renewal)
	if err != nil {
		end()
		return err
	}
	go func() {
		defer end()
		d.finishEnrolment(order.Device, finish)
	}()
	return nil
}

// startEnrolment starts an onboarding or a renewal. The simulator has no portal, so
// without a one-time password it takes one from it.
func (d devices) startEnrolment(ctx context.Context, by org.Actor, order onboard.Order, renewal bool) (func(context.Context) (device.Device, error), error) {
	o := d.onboarding()
	finish, err := o.Start(ctx, by, order, renewal)
	var refused *fault.Error
	if !errors.As(err, &refused) || refused.Fields["trouble"] != onboard.NoPassword || !d.hasPasswords() {
		return finish, err
	}
	owner, err := d.store.Organisation(ctx, by.Tenant)
	if err != nil {
		return nil, err
	}
	password, err := d.config.OneTimePassword(ctx, owner.VATNumber)
	if err != nil {
		return nil, fmt.Errorf("get a one-time password of the simulator: %w", err)
	}
	order.OTP = device.NewSecret(password)
	return o.Start(ctx, by, order, renewal)
}

// hasPasswords reports whether the server can get one-time passwords by itself.
func (d devices) hasPasswords() bool {
	return d.Environment() == device.Simulator && d.config.OneTimePassword != nil
}

// finishEnrolment makes the steps of an onboarding or a renewal. Its result is
// stored with the device, so errors are only logged.
func (d devices) finishEnrolment(id uuid.UUID, finish func(context.Context) (device.Device, error)) {
	log := d.config.Log.With("device", id.String())
	defer func() {
		if p := recover(); p != nil {
			log.Error("the enrolment of a device panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	_, err := finish(d.enrolling.calls)
	switch {
	case err == nil:
		log.Info("a device was onboarded or renewed")
	case fault.KindOf(err) == fault.Internal:
		log.Error("cannot enrol a device", "cause", err.Error())
	default:
		log.Warn("a device was not onboarded or renewed", "cause", err.Error())
	}
}
