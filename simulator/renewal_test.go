package simulator_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/seal"
	"khatm/simulator"
)

// report sends a simplified document and returns only the status.
func (d *device) report(as csid) int {
	d.fixture.t.Helper()
	return d.must(http.MethodPost, "/invoices/reporting/single", as, "", d.seal(sample.Simplified(), as)).status
}

func TestRenewalAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "0100")
	old := d.pcsid
	r := d.must(http.MethodPatch, "/production/csids", old, d.otp(), d.request())
	if r.status != http.StatusOK {
		t.Fatalf("renewal: status %d, want 200: %s", r.status, r.body)
	}
	r.into(t, &d.pcsid)
	if got := d.report(old); got != http.StatusUnauthorized {
		t.Errorf("report with the old certificate: status %d, want 401", got)
	}
	if got := d.report(d.pcsid); got != http.StatusOK {
		t.Errorf("report with the new certificate: status %d, want 200", got)
	}
}

func TestRenewalByChecks(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("production", "1100")
	h.mustControl(http.MethodPut, "/settings", `{"renewal":"checks"}`)
	old := d.pcsid

	key, err := seal.NewKey(sample.Seeded(9_000_001))
	if err != nil {
		t.Fatal(err)
	}
	oldKey := d.key
	d.key = key
	r := d.must(http.MethodPatch, "/production/csids", old, d.otp(), d.request())
	var second csid
	r.into(t, &second)
	if r.status != http.StatusPreconditionRequired || second.Disposition != "NOT_COMPLIANT" || second.TokenType != nil || second.Token == "" {
		t.Fatalf("renewal: status %d, want 428 with a compliance certificate: %s", r.status, r.body)
	}

	// The old certificate stays valid until the device has passed the second
	// round.
	d.key = oldKey
	if got := d.report(old); got != http.StatusOK {
		t.Errorf("report with the old certificate during the renewal: status %d, want 200", got)
	}
	d.key = key
	r = d.must(http.MethodPost, "/production/csids", second, "", map[string]string{"compliance_request_id": second.RequestID.String()})
	if r.status != http.StatusBadRequest || !strings.Contains(string(r.body), "Missing-ComplianceSteps") {
		t.Fatalf("production certificate without the second round: got %d %s, want 400 Missing-ComplianceSteps", r.status, r.body)
	}
	d.pass(second)
	d.produce(second)
	if got := d.report(d.pcsid); got != http.StatusOK {
		t.Errorf("report with the new certificate: status %d, want 200", got)
	}
	d.key = oldKey
	if got := d.report(old); got != http.StatusUnauthorized {
		t.Errorf("report with the old certificate: status %d, want 401", got)
	}
}

func TestRenewalIsRefused(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d, other := h.onboard("simulation", "0100"), h.device("simulation", "0100")
	other.unit.VATNumber = "300000000000003"
	for _, c := range []struct {
		name   string
		as     csid
		otp    string
		body   any
		status int
		says   string
	}{
		{"compliance certificate", d.ccsid, d.otp(), d.request(), 401, "Unauthorized"},
		{"no password", d.pcsid, "", d.request(), 400, "Missing-OTP"},
		{"wrong password", d.pcsid, "000000", d.request(), 400, "Invalid-OTP"},
		{"no request", d.pcsid, d.otp(), map[string]string{}, 400, "Missing-CSR"},
		{"another taxpayer's request", d.pcsid, other.otp(), other.request(), 400, "Invalid-CSR"},
	} {
		r := d.must(http.MethodPatch, "/production/csids", c.as, c.otp, c.body)
		if r.status != c.status || !strings.Contains(string(r.body), c.says) {
			t.Errorf("%s: got %d %s, want %d with %s", c.name, r.status, r.body, c.status, c.says)
		}
	}
	if got := d.report(d.pcsid); got != http.StatusOK {
		t.Errorf("report after refused renewals: status %d, want 200", got)
	}
}
