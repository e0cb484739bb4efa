package simulator_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"khatm/simulator"
)

// TestBrokenDisk checks that requests return 500 if the state cannot be saved.
// The internal errors of onboarding and renewal have different bodies.
func TestBrokenDisk(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "gone")
	h := open(t, simulator.Config{State: folder})
	d, next := h.onboard("simulation", "0100"), h.device("simulation", "0100")
	otp, second := d.otp(), d.otp()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	r := next.must(http.MethodPost, "/compliance", csid{}, otp, next.request())
	if r.status != http.StatusInternalServerError || string(r.body) != badRequest {
		t.Errorf("compliance certificate: status %d, want 500: %s", r.status, r.body)
	}
	r = d.must(http.MethodPatch, "/production/csids", d.pcsid, second, d.request())
	if r.status != http.StatusInternalServerError || string(r.body) != `{"category":"HTTP-Errors","code":"500","message":"Something went wrong and caused an Internal Server Error."}` {
		t.Errorf("renewal: status %d, want 500: %s", r.status, r.body)
	}
	if status, text := h.callControl(http.MethodPut, "/settings", `{"clearance":"off"}`); status != http.StatusInternalServerError {
		t.Errorf("change of settings: status %d, want 500: %s", status, text)
	}
	h.mustControl(http.MethodGet, "/settings", "")
}
