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

// cutOff is a store whose caller dies after so many steps were kept: the step
// is in the database and nobody learns of it.
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

// Cut off after every step, of a first certificate and of a renewal, a device
// is led on by whoever comes next.
func TestCutOffAfterEveryStep(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *fixture) {
		for _, renewal := range []bool{false, true} {
			if renewal {
				h.checks()
			}
			for n := 1; n <= len(wholeWay); n++ {
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
		t.Fatalf("got %v", err)
	}
	if got := h.way(d.ID, renewal).Status; got != wholeWay[n-1] {
		t.Fatalf("cut off at %s, want %s", got, wholeWay[n-1])
	}
	if n == len(wholeWay) {
		return // it was done
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

// slow is an authority that waits before it lets a certificate through.
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

// Two lead one device. The one who came first gets its certificate late, and
// must not put it beside the other's key.
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
			t.Errorf("the first got %v", err)
		}
		h.checkActive(led)
		if h.kept(d.ID).Token != led.Token {
			t.Error("the first has changed the device")
		}
	})
}

// A caller who leaves while the authority answers loses nothing.
func TestACallerWhoLeavesLosesNoCertificate(t *testing.T) {
	h := lite(t)
	d := h.device(device.SimplifiedOnly)
	ctx, leave := context.WithCancel(h.ctx)
	a := &slow{Authority: h.client, asked: make(chan struct{}, 1), free: make(chan struct{})}
	go func() { <-a.asked; leave(); close(a.free) }()
	if _, err := h.onboarding(h.store, a).Onboard(ctx, h.by, h.order(d, h.otp())); err == nil {
		t.Fatal("it went on without its caller")
	}
	if w := h.way(d.ID, false); w.Token == "" {
		t.Errorf("the certificate was lost at %s", w.Status)
	}
	if _, err := h.onboard(d, device.Secret{}); err != nil {
		t.Error(err)
	}
}

// On ordinary days the authority errs now and then. Whoever tries again gets
// there.
func TestMoodyAuthority(t *testing.T) {
	h := lite(t)
	h.command("PUT", "/mood", `{"base":"moody","latency":0,"server_error":{"rate":"15%","accepted":"50%"},"drop_after":"10%","too_many":"5%","html_body":{"rate":"5%"},"truncated_body":"5%","empty_body":"5%","duplicate_first":0}`)
	tries := 0
	for range 10 {
		d := h.device(device.Both)
		for {
			if tries++; tries > 300 {
				t.Fatal("nobody gets through")
			}
			led, err := h.onboard(d, h.otp())
			if err == nil {
				h.command("PUT", "/mood", `{"name":"polite"}`)
				h.checkActive(led)
				h.command("PUT", "/mood", `{"base":"moody","latency":0,"server_error":{"rate":"15%","accepted":"50%"},"drop_after":"10%","duplicate_first":0}`)
				break
			}
			var told *fault.Error
			if !errors.As(err, &told) || strings.Contains(told.Error(), "panic") || told.Kind == fault.Internal {
				t.Fatalf("got %v", err)
			}
		}
	}
	t.Logf("%d turns for 10 devices", tries)
}

// Who forgot the password takes the turn from nobody.
func TestAForgottenPasswordTakesNoTurn(t *testing.T) {
	h := lite(t)
	d := h.device(device.SimplifiedOnly)
	_, err := h.onboard(d, device.NewSecret("000000"))
	explained(t, err, fault.Invalid, "Invalid-OTP")
	before := h.way(d.ID, false)
	_, err = h.onboard(d, device.Secret{})
	explained(t, err, fault.Invalid, onboard.NoPassword)
	if after := h.way(d.ID, false); after != before {
		t.Errorf("the way was %+v, is %+v", before, after)
	}
}
