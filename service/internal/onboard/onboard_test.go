package onboard_test

import (
	"slices"
	"strings"
	"testing"

	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
)

// allStates lists the states of an undisturbed onboarding.
var allStates = []device.Status{
	device.CSRGenerated, device.CCSIDPending, device.CCSIDGenerated, device.SamplesPending, device.SamplesGenerated,
	device.SubmissionPending, device.SubmissionCompleted, device.PCSIDPending, device.PCSIDGenerated,
}

func TestInterface_3_2_ADeviceIsOnboarded(t *testing.T) {
	each(t, func(t *testing.T, h *fixture) {
		for kind, samples := range map[string]int{device.StandardOnly: 3, device.SimplifiedOnly: 3, device.Both: 6} {
			made := h.device(kind)
			before := h.journal("/compliance/invoices")
			d, err := h.onboard(made, h.otp())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(h.saw, allStates) {
				t.Errorf("states are %v, want %v", h.saw, allStates)
			}
			if got := h.journal("/compliance/invoices") - before; got != samples {
				t.Errorf("%s: %d samples were submitted, want %d", kind, got, samples)
			}
			h.checkActive(d)
		}
	})
}

// checkActive checks that a device has everything it needs to issue.
func (h *fixture) checkActive(d device.Device) {
	h.t.Helper()
	if d.Token != h.kept(d.ID).Token {
		h.t.Error("the returned device differs from the stored one")
	}
	if d.Status != device.PCSIDGenerated || d.Compliance == nil || d.Production == nil {
		h.t.Fatalf("device = %+v, want one that can issue invoices", d)
	}
	certificate, err := seal.ParseCertificate([]byte(d.Token))
	if err != nil {
		h.t.Fatal(err)
	}
	if !certificate.NotAfter.Equal(d.Production.NotAfter) || !certificate.NotBefore.Equal(d.Production.NotBefore) {
		h.t.Errorf("certificate is valid from %s to %s, want the same as the device: %v", certificate.NotBefore, certificate.NotAfter, d.Production)
	}
	owner := d.ID.String()
	sealed, err := h.store.Secret(h.ctx, h.by.Tenant, onboard.KeyPurpose, owner)
	if err != nil {
		h.t.Fatal(err)
	}
	signer, err := h.vault.Signer(onboard.KeyPurpose, owner, sealed)
	if err != nil {
		h.t.Fatal(err)
	}
	if !certificate.Belongs(signer) {
		h.t.Error("the stored key does not match the certificate")
	}
	if d.Counter == 0 && d.LastHash != seal.GenesisHash {
		h.t.Errorf("the chain begins with %s, want the genesis hash", d.LastHash)
	}
	if w := h.way(d.ID, false); w.Trouble != (onboard.Trouble{}) {
		h.t.Errorf("the enrolment still has the problem %v", w.Trouble)
	}
	h.signIn(d)
}

// signIn checks that the authority accepts the device's credentials.
func (h *fixture) signIn(d device.Device) {
	h.t.Helper()
	sealed, err := h.store.Secret(h.ctx, h.by.Tenant, onboard.ProductionPurpose, d.ID.String())
	if err != nil {
		h.t.Fatal(err)
	}
	secret, err := h.vault.Open(onboard.ProductionPurpose, d.ID.String(), sealed)
	if err != nil {
		h.t.Fatal(err)
	}
	// A call that cannot succeed distinguishes valid credentials (400) from
	// invalid ones (401).
	_, err = h.client.Renew(h.ctx, device.Credentials{Token: d.Token, Secret: device.NewSecret(string(secret))}, "", device.NewSecret("000000"))
	if err == nil || strings.Contains(err.Error(), device.NotAuthorised) {
		h.t.Errorf("the authority does not accept the device's credentials: %v", err)
	}
}

// journal counts the requests of an endpoint that the simulator received.
func (h *fixture) journal(endpoint string) int {
	h.t.Helper()
	return strings.Count(string(h.command("GET", "/journal", "")), `"endpoint":"`+endpoint+`"`)
}

func TestAnActiveDeviceIsNotOnboardedAgain(t *testing.T) {
	h := lite(t)
	d := h.active(device.SimplifiedOnly)
	_, err := h.onboard(d, h.otp())
	if fault.KindOf(err) != fault.Conflict {
		t.Errorf("onboarding an active device returned %v, want a conflict", err)
	}
	_, err = h.renew(h.device(device.SimplifiedOnly), h.otp())
	if fault.KindOf(err) != fault.Conflict {
		t.Errorf("renewing a device without a certificate returned %v, want a conflict", err)
	}
}

// TestDecisions_SamplesAreNotChained checks that samples are not part of the
// device's chain.
func TestDecisions_SamplesAreNotChained(t *testing.T) {
	h := lite(t)
	d := h.active(device.Both)
	if d.Counter != 0 || !d.LastIssuedAt.IsZero() {
		t.Errorf("counter is %d, last issued %s; want none", d.Counter, d.LastIssuedAt)
	}
	if chain := string(h.command("GET", "/chain", "")); strings.Contains(chain, d.SerialNumber) {
		t.Errorf("the simulator has a chain for the sample documents: %s", chain)
	}
}

func TestEveryStepIsInTheAuditTrail(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *fixture) {
		d := h.active(device.SimplifiedOnly)
		events, err := h.store.Events(h.ctx, h.by.Tenant, 99)
		if err != nil {
			t.Fatal(err)
		}
		var steps []string
		for _, e := range slices.Backward(events) {
			if e.Action == "device.onboard" && e.Subject == d.ID.String() {
				steps = append(steps, e.Details)
			}
		}
		if len(steps) != 1+len(allStates) {
			t.Fatalf("%d entries in the audit trail: %v, want %d", len(steps), steps, 1+len(allStates))
		}
		for i, want := range allStates {
			if !strings.Contains(steps[i+1], `"to":"`+string(want)+`"`) {
				t.Errorf("entry %d is %s, want %s", i+1, steps[i+1], want)
			}
		}
	})
}
