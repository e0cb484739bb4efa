package onboard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
)

// cutOff is a store that returns an error after a number of steps were stored:
// the step is in the database, but the caller does not know.
type cutOff struct {
	onboard.Keeper
	left int
}

var errCut = errors.New("cut off")

func (c *cutOff) KeepStep(ctx context.Context, by org.Actor, s onboard.Step) error {
	if err := c.Keeper.KeepStep(ctx, by, s); err != nil {
		return err
	}
	if c.left--; c.left == 0 {
		return errCut
	}
	return nil
}

// TestCutOffAfterEveryStep interrupts an onboarding and a renewal after every
// step and checks that the next attempt completes them.
func TestCutOffAfterEveryStep(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *fixture) {
		for _, renewal := range []bool{false, true} {
			if renewal {
				h.checks()
			}
			for n := 1; n <= len(allStates); n++ {
				t.Run(fmt.Sprintf("renewal %v step %d", renewal, n), func(t *testing.T) {
					h.cutOff(t, n, renewal)
				})
			}
		}
	})
}

func (h *fixture) cutOff(t *testing.T, n int, renewal bool) {
	t.Helper()
	d := h.device(device.SimplifiedOnly)
	lead := (*onboard.Onboarding).Onboard
	if renewal {
		d = h.active(device.SimplifiedOnly)
		lead = (*onboard.Onboarding).Renew
	}
	_, err := lead(h.onboarding(&cutOff{h.store, n}, h.client), h.ctx, h.by, h.order(d, h.otp()))
	if !errors.Is(err, errCut) {
		t.Fatalf("error is %v, want errCut", err)
	}
	if got := h.way(d.ID, renewal).Status; got != allStates[n-1] {
		t.Fatalf("interrupted at %s, want %s", got, allStates[n-1])
	}
	if n == len(allStates) {
		return // nothing was left to do
	}
	led, err := lead(h.onboarding(h.store, h.client), h.ctx, h.by, h.order(d, h.otp()))
	if err != nil {
		t.Fatal(err)
	}
	if renewal {
		h.replaced(d, led)
	}
	h.checkActive(led)
}

// slow is an authority that delays the first compliance certificate.
type slow struct {
	onboard.Authority
	asked, free chan struct{}
	once        atomic.Bool
}

func (s *slow) Compliance(ctx context.Context, csr string, otp device.Secret) (device.CSID, error) {
	csid, err := s.Authority.Compliance(ctx, csr, otp)
	if s.once.CompareAndSwap(false, true) {
		s.asked <- struct{}{}
		<-s.free
	}
	return csid, err
}

// TestWhoLostTheTurnKeepsNothing runs two onboardings of one device. The first
// gets its certificate late and must not store it beside the key of the second.
func TestWhoLostTheTurnKeepsNothing(t *testing.T) {
	each(t, func(t *testing.T, h *fixture) {
		d := h.device(device.SimplifiedOnly)
		late := &slow{Authority: h.client, asked: make(chan struct{}), free: make(chan struct{})}
		first := make(chan error)
		otp := h.otp()
		go func() {
			_, err := h.onboarding(h.store, late).Onboard(h.ctx, h.by, onboard.Order{Device: d.ID, OTP: otp})
			first <- err
		}()
		<-late.asked
		led, err := h.onboard(d, h.otp())
		if err != nil {
			t.Fatal(err)
		}
		close(late.free)
		if err := <-first; fault.KindOf(err) != fault.Conflict {
			t.Errorf("the first onboarding returned %v, want a conflict", err)
		}
		h.checkActive(led)
		if h.kept(d.ID).Token != led.Token {
			t.Error("the first onboarding changed the device")
		}
	})
}

// TestACallerWhoLeavesLosesNoCertificate checks that a certificate is stored
// even if the caller's context ends.
func TestACallerWhoLeavesLosesNoCertificate(t *testing.T) {
	h := lite(t)
	d := h.device(device.SimplifiedOnly)
	ctx, leave := context.WithCancel(h.ctx)
	a := &slow{Authority: h.client, asked: make(chan struct{}, 1), free: make(chan struct{})}
	go func() { <-a.asked; leave(); close(a.free) }()
	if _, err := h.onboarding(h.store, a).Onboard(ctx, h.by, h.order(d, h.otp())); err == nil {
		t.Fatal("the onboarding continued after its context ended")
	}
	if w := h.way(d.ID, false); w.Token == "" {
		t.Errorf("the certificate was lost in state %s", w.Status)
	}
	if _, err := h.onboard(d, device.Secret{}); err != nil {
		t.Error(err)
	}
}

// TestMoodyAuthority checks that repeated attempts succeed although the
// authority fails now and then.
func TestMoodyAuthority(t *testing.T) {
	h := lite(t)
	h.command("PUT", "/mood", `{"base":"moody","latency":0,"server_error":{"rate":"15%","accepted":"50%"},"drop_after":"10%","too_many":"5%","html_body":{"rate":"5%"},"truncated_body":"5%","empty_body":"5%","duplicate_first":0}`)
	tries := 0
	for range 10 {
		d := h.device(device.Both)
		for {
			if tries++; tries > 300 {
				t.Fatal("no success in 300 attempts")
			}
			led, err := h.onboard(d, h.otp())
			if err == nil {
				h.command("PUT", "/mood", `{"name":"polite"}`)
				h.checkActive(led)
				h.command("PUT", "/mood", `{"base":"moody","latency":0,"server_error":{"rate":"15%","accepted":"50%"},"drop_after":"10%","duplicate_first":0}`)
				break
			}
			var told *fault.Error
			if !errors.As(err, &told) || strings.Contains(told.Error(), "panic") || told.Kind() == fault.Internal {
				t.Fatalf("unexpected error %v", err)
			}
		}
	}
	t.Logf("%d attempts for 10 devices", tries)
}

// TestAForgottenPasswordTakesNoTurn checks that a request without a password
// does not take the turn.
func TestAForgottenPasswordTakesNoTurn(t *testing.T) {
	h := lite(t)
	d := h.device(device.SimplifiedOnly)
	_, err := h.onboard(d, device.NewSecret("000000"))
	explained(t, err, fault.Invalid, "Invalid-OTP")
	before := h.way(d.ID, false)
	_, err = h.onboard(d, device.Secret{})
	explained(t, err, fault.Invalid, onboard.NoPassword)
	if after := h.way(d.ID, false); after != before {
		t.Errorf("the enrolment changed from %+v to %+v", before, after)
	}
}

// TestAForgottenPasswordNamesThePortal checks that an order without a password is
// refused at otp, with the portal of the environment.
func TestAForgottenPasswordNamesThePortal(t *testing.T) {
	for environment, want := range map[device.Environment][2]string{
		device.Simulation: {"simulation portal of the authority's Fatoora portal", "بوابة المحاكاة داخل بوابة فاتورة"},
		device.Production: {"in the authority's Fatoora portal", "من بوابة فاتورة"},
	} {
		h := lite(t)
		of := wanted(device.SimplifiedOnly)
		of.Environment = environment
		d, err := h.onboarding(h.store, nil).Create(h.ctx, h.by, of)
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.onboard(d, device.Secret{})
		also := explained(t, err, fault.Invalid, onboard.NoPassword)
		var told *fault.Error
		if !errors.As(err, &told) || told.Path != "otp" {
			t.Fatalf("%s: error is %v, want one at otp", environment, err)
		}
		if told.Fix != also("next") || !strings.Contains(told.Fix, want[0]) || told.FixAR != also("next_ar") || !strings.Contains(told.FixAR, want[1]) {
			t.Errorf("%s: fix is %q and %q, want %q", environment, told.Fix, told.FixAR, want)
		}
	}
}
