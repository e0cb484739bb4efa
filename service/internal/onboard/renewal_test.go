package onboard_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
)

// checks makes the simulator require the compliance checks for a renewal.
func (h *fixture) checks() { h.command(http.MethodPut, "/settings", `{"renewal":"checks"}`) }

// noNext checks that no secrets of a renewal are left.
func (h *fixture) noNext(d device.Device) {
	h.t.Helper()
	for _, purpose := range []string{onboard.KeyPurpose, onboard.CompliancePurpose} {
		if _, err := h.store.Secret(h.ctx, h.by.Tenant, purpose+onboard.Next, d.ID.String()); fault.KindOf(err) != fault.NotFound {
			h.t.Errorf("%s is still stored: %v", purpose+onboard.Next, err)
		}
	}
}

func TestRenewalAtOnce(t *testing.T) {
	each(t, func(t *testing.T, h *fixture) {
		old := h.active(device.Both)
		renewed, err := h.renew(old, h.otp())
		if err != nil {
			t.Fatal(err)
		}
		if want := []device.Status{device.CSRGenerated, device.CCSIDPending, device.PCSIDGenerated}; !slices.Equal(h.saw, want) {
			t.Errorf("states are %v, want %v", h.saw, want)
		}
		h.replaced(old, renewed)
	})
}

func TestRenewalByChecks(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *fixture) {
		old := h.active(device.Both)
		h.checks()
		before := h.journal("/compliance/invoices")
		renewed, err := h.renew(old, h.otp())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(h.saw, allStates) {
			t.Errorf("states are %v, want %v", h.saw, allStates)
		}
		if got := h.journal("/compliance/invoices") - before; got != 6 {
			t.Errorf("%d samples were submitted again, want 6", got)
		}
		h.replaced(old, renewed)
		again, err := h.renew(renewed, h.otp())
		if err != nil {
			t.Fatalf("second renewal: %v", err)
		}
		h.replaced(renewed, again)
	})
}

// replaced checks that a device has a new certificate and key and otherwise the
// same data, including its chain.
func (h *fixture) replaced(old, renewed device.Device) {
	h.t.Helper()
	h.checkActive(renewed)
	h.noNext(renewed)
	before, err := seal.ParseCertificate([]byte(old.Token))
	if err != nil {
		h.t.Fatal(err)
	}
	after, err := seal.ParseCertificate([]byte(renewed.Token))
	if err != nil {
		h.t.Fatal(err)
	}
	if string(before.PublicKey) == string(after.PublicKey) || before.SerialNumber == after.SerialNumber {
		h.t.Error("the renewed certificate has the old key or serial number")
	}
	if renewed.Counter != old.Counter || renewed.LastHash != old.LastHash || !renewed.LastIssuedAt.Equal(old.LastIssuedAt) || renewed.SerialNumber != old.SerialNumber {
		h.t.Errorf("the chain or serial number changed from %d %s to %d %s", old.Counter, old.LastHash, renewed.Counter, renewed.LastHash)
	}
}

// TestTheOldCertificateGoesOnWhileARenewalIsUnderWay checks that the old
// certificate stays complete and valid until the new one is stored.
func TestTheOldCertificateGoesOnWhileARenewalIsUnderWay(t *testing.T) {
	for _, c := range []struct {
		name, operation string
		status          int
		body            string
		kind            fault.Kind
		code            string
		state           device.Status
		password        bool
	}{
		{"refused", askRenewal, 400, `{"errors":[{"code":"Invalid-OTP","message":"no"}]}`, fault.Invalid, "Invalid-OTP", device.CCSIDFailed, true},
		{"silent", askRenewal, 503, ``, fault.Unavailable, onboard.NoAnswer, device.CCSIDPending, true},
		{"unauthorised", askRenewal, 401, ``, fault.Invalid, device.NotAuthorised, device.CCSIDFailed, true},
		{"a sample refused", askSample, 400, `{"validationResults":{"errorMessages":[{"code":"BR-KSA-37","message":"x"}]},"reportingStatus":"NOT_REPORTED"}`, fault.Invalid, "BR-KSA-37", device.SamplesFailed, false},
		{"no response to a sample", askSample, 503, ``, fault.Unavailable, onboard.NoAnswer, device.SubmissionPending, false},
		{"no response to the production request", askProduction, 504, ``, fault.Unavailable, onboard.NoAnswer, device.PCSIDPending, false},
		{"production refused", askProduction, 400, `{"code":"Missing-ComplianceSteps"}`, fault.Invalid, "Missing-ComplianceSteps", device.SubmissionFailed, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := lite(t)
			old := h.active(device.SimplifiedOnly)
			h.checks()
			s, authority := h.spoil()
			for range 3 {
				s.say(c.operation, c.status, c.body)
			}
			o := h.onboarding(h.store, authority)
			_, err := o.Renew(h.ctx, h.by, h.order(old, h.otp()))
			explained(t, err, c.kind, c.code)
			s.clear()
			now := h.kept(old.ID)
			if now.Token != old.Token || now.Status != device.PCSIDGenerated || !now.Production.NotAfter.Equal(old.Production.NotAfter) {
				t.Fatalf("the device changed during the renewal: %+v", now)
			}
			h.checkActive(now)
			if w := h.way(old.ID, true); w.Status != c.state || w.Trouble.Code != c.code {
				t.Errorf("the renewal has status %s with code %q, want %s with %q", w.Status, w.Trouble.Code, c.state, c.code)
			}
			otp := device.Secret{}
			if c.password {
				otp = h.otp()
			}
			renewed, err := o.Renew(h.ctx, h.by, h.order(old, otp))
			if err != nil {
				t.Fatal(err)
			}
			h.replaced(old, renewed)
		})
	}
}

// TestARenewalWhoseAnswerWasLostBeginsAnew checks that a device whose old
// certificate was revoked by a renewal with a lost response can be renewed with
// Anew.
func TestARenewalWhoseAnswerWasLostBeginsAnew(t *testing.T) {
	h := lite(t)
	old := h.active(device.SimplifiedOnly)
	h.force("drop_after", 1)
	_, err := h.renew(old, h.otp())
	explained(t, err, fault.Unavailable, onboard.NoAnswer)
	_, err = h.renew(old, h.otp())
	also := explained(t, err, fault.Invalid, device.NotAuthorised)
	if next := also("next"); !strings.Contains(next, "(anew)") {
		t.Errorf("the next step does not name (anew): %q", next)
	}
	order := h.order(old, h.otp())
	order.Anew = true
	renewed, err := h.onboarding(h.store, h.client).Renew(h.ctx, h.by, order)
	if err != nil {
		t.Fatal(err)
	}
	h.replaced(old, renewed)
}
