package simulator_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/simulator"
)

func splitLines(text []byte) [][]byte {
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

// TestRestart restarts the simulator during an onboarding and checks that it
// continues with the same state.
func TestRestart(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "authority")
	cfg := simulator.Config{State: folder}
	h := open(t, cfg)
	d, half := h.onboard("simulation", "1100"), h.device("production", "0100")
	standard, simplified := d.seal(sample.Invoice(), d.pcsid), d.seal(sample.Simplified(), d.pcsid)
	_, first := d.submit(standard, false)
	d.submit(simplified, true)
	half.comply()
	documents := checks("0100")
	half.must(http.MethodPost, "/compliance/invoices", half.ccsid, "", half.seal(documents[0], half.ccsid))
	otp := half.otp()
	h.mustControl(http.MethodPut, "/settings", `{"renewal":"checks"}`)
	if _, err := simulator.New(cfg); err == nil {
		t.Error("New with a folder that is in use succeeded, want an error")
	}
	if err := h.simulator.Close(); err != nil {
		t.Fatal(err)
	}
	if r := d.must(http.MethodPost, "/compliance", csid{}, "1", d.request()); r.status != http.StatusServiceUnavailable {
		t.Errorf("request after Close: status %d, want 503: %s", r.status, r.body)
	}

	again := open(t, cfg)
	d.fixture, half.fixture = again, again
	if r, s := d.submit(standard, false); r.status != 208 || s.Cleared == nil || *s.Cleared != *first.Cleared {
		t.Errorf("duplicate clearance after the restart: status %d, want 208: %.300s", r.status, r.body)
	}
	if r, _ := d.submit(simplified, true); r.status != 409 {
		t.Errorf("duplicate report after the restart: status %d, want 409: %s", r.status, r.body)
	}
	for _, f := range documents[1:] {
		half.must(http.MethodPost, "/compliance/invoices", half.ccsid, "", half.seal(f, half.ccsid))
	}
	half.produce(half.ccsid)
	r := half.must(http.MethodPatch, "/production/csids", half.pcsid, otp, half.request())
	if r.status != http.StatusPreconditionRequired {
		t.Errorf("renewal with an earlier password and setting: status %d, want 428: %s", r.status, r.body)
	}
	if info, err := os.Stat(filepath.Join(folder, "authority.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("authority.json has mode %v, want 0600 (error: %v)", info.Mode(), err)
	}
}

// TestOneJournal checks that only one simulator can open a journal, however its
// path is configured.
func TestOneJournal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "journal.jsonl")
	for _, c := range []struct{ first, second simulator.Config }{
		{simulator.Config{Journal: path}, simulator.Config{Journal: path}},
		{simulator.Config{Journal: path}, simulator.Config{State: t.TempDir(), Journal: path}},
		{simulator.Config{State: folder}, simulator.Config{Journal: path}},
	} {
		h := open(t, c.first)
		if sim, err := simulator.New(c.second); err == nil {
			t.Errorf("New(%+v) succeeded while %+v is open, want an error", c.second, c.first)
			_ = sim.Close()
		} else if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "another simulator") {
			t.Errorf("error is %q, want the path and \"another simulator\"", err)
		}
		h.mustControl(http.MethodPost, "/reset", "")
		if sim, err := simulator.New(c.second); err == nil {
			t.Errorf("after a reset: New(%+v) succeeded while %+v is open, want an error", c.second, c.first)
			_ = sim.Close()
		}
		if err := h.simulator.Close(); err != nil {
			t.Fatal(err)
		}
		sim, err := simulator.New(c.second)
		if err != nil {
			t.Fatalf("open after the first simulator was closed: %v", err)
		}
		if err := sim.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReset checks that a reset removes everything, in memory and in the
// folder.
func TestReset(t *testing.T) {
	t.Parallel()
	for _, cfg := range []simulator.Config{{}, {State: t.TempDir()}} {
		h := open(t, cfg)
		d := h.onboard("simulation", "0100")
		otp := d.otp()
		h.mustControl(http.MethodPut, "/settings", `{"clearance":"off"}`)
		h.mustControl(http.MethodPut, "/mood", `{"name":"nod"}`)
		h.mustControl(http.MethodPost, "/reset", "")
		if got := d.report(d.pcsid); got != http.StatusUnauthorized {
			t.Errorf("report with a certificate from before the reset: status %d, want 401", got)
		}
		if r := d.must(http.MethodPost, "/compliance", csid{}, otp, d.request()); r.status != http.StatusBadRequest {
			t.Errorf("onboarding with a password from before the reset: status %d, want 400", r.status)
		}
		d.comply() // the key may be used again
		d.pass(d.ccsid)
		d.produce(d.ccsid)
		if got := d.report(d.pcsid); got != http.StatusOK {
			t.Errorf("report after onboarding again: status %d, want 200", got)
		}
		if mood := h.mustControl(http.MethodGet, "/mood", ""); !bytes.Contains(mood, []byte(`"name": "polite"`)) {
			t.Errorf("mood after the reset is %s, want polite", mood)
		}
	}
}

func TestDamagedState(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"authority.json", "office.json", "journal.jsonl"} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, name), []byte("{not JSON}\n{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the first error must not leave the folder locked
			sim, err := simulator.New(simulator.Config{State: folder})
			if err == nil {
				t.Errorf("New with a damaged %s succeeded, want an error", name)
				_ = sim.Close()
			}
		}
	}
}
