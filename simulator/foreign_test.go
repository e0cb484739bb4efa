package simulator_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/simulator"
)

// TestForeignCertificates checks the setting certificates: a document that is
// stamped with the certificate of another authority is accepted only with "any",
// which is reported and does not survive a restart.
func TestForeignCertificates(t *testing.T) {
	folder := t.TempDir()
	here, there := open(t, simulator.Config{State: folder}), open(t, simulator.Config{})
	d, foreign := here.onboard("simulation", "1100"), there.onboard("simulation", "1100")
	f := sample.Simplified()
	doc := foreign.seal(f, foreign.pcsid)

	r, s := d.submit(doc, true)
	if r.status == http.StatusOK || s.Results.Status == "PASS" {
		t.Fatalf("foreign certificate: status %d, want an error or a warning: %s", r.status, r.body)
	}
	here.mustControl("PUT", "/settings", `{"certificates":"any"}`)
	r, s = d.submit(doc, true)
	if r.status != http.StatusOK || s.Reporting != "REPORTED" {
		t.Errorf("foreign certificate with the setting any: status %d, want 200: %s", r.status, r.body)
	}
	if reason := r.header.Get("X-Simulator-Reason"); !strings.HasPrefix(reason, "tolerated foreign-certificate: ") {
		t.Errorf("X-Simulator-Reason = %q, want that the certificate was tolerated", reason)
	}
	if r, _ = d.submit(d.seal(f, d.pcsid), true); r.header.Get("X-Simulator-Reason") != "" {
		t.Errorf("own certificate: X-Simulator-Reason = %q, want none", r.header.Get("X-Simulator-Reason"))
	}

	if err := here.simulator.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, simulator.Config{State: folder})
	if text := string(again.mustControl("GET", "/settings", "")); !strings.Contains(text, `"certificates": "own"`) {
		t.Errorf("settings after a restart = %s, want certificates own", text)
	}
}
