package simulator_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/simulator"
)

// TestForcedFaults checks each fault through the whole simulator: the response,
// and whether the document was accepted.
func TestForcedFaults(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	for _, c := range []struct {
		knob     string
		standard bool
		status   int // 0 if the connection breaks
		next     int // status of the same document afterwards; 200 if it was not accepted before
	}{
		{"drop_before", false, 0, 200},
		{"drop_after", false, 0, 409},
		{"drop_after", true, 0, 208},
		{"too_many", false, 429, 200},
		{"too_many_silent", true, 429, 200},
		{"unauthorised", false, 401, 200},
		{"too_large", false, 413, 200},
		{"empty_rejection", false, 400, 200},
		{"empty_body", false, 200, 409},
		{"wrong_type", true, 200, 208},
		{"duplicate_first", false, 409, 409},
		{"duplicate_first", true, 208, 208},
		{"info_object", false, 200, 409},
		{"flat_results", true, 200, 208},
		{"unknown_fields", true, 200, 208},
	} {
		facts, path := sample.Simplified(), "/invoices/reporting/single"
		if c.standard {
			facts, path = sample.Invoice(), "/invoices/clearance/single"
		}
		doc := d.seal(facts, d.pcsid)
		h.mustControl(http.MethodPost, "/mood/force", `{"knob":"`+c.knob+`","times":1}`)
		r, err := d.send(http.MethodPost, path, d.pcsid, "", doc)
		if (err != nil) != (c.status == 0) || r.status != c.status {
			t.Errorf("%s: status %d (error: %v), want status %d", c.knob, r.status, err, c.status)
		}
		if r, _ := d.submit(doc, !c.standard); r.status != c.next {
			t.Errorf("same document after %s: status %d, want %d: %.300s", c.knob, r.status, c.next, r.body)
		}
		if !faultRecorded(t, h, doc, c.knob) {
			t.Errorf("the last two records of the journal lack the fault %s", c.knob)
		}
	}
}

// faultRecorded reports whether one of the last two records of the journal has
// the fault. If the operation did not run, its record has no hash.
func faultRecorded(t *testing.T, h *fixture, doc document, knob string) bool {
	t.Helper()
	lines := splitLines(h.mustControl(http.MethodGet, "/journal", ""))
	for _, line := range lines[len(lines)-2:] {
		var record struct{ Hash, Mood string }
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatal(err)
		}
		if record.Mood == knob && (record.Hash == doc.Hash || record.Hash == "") {
			return true
		}
	}
	return false
}

// TestClearanceOffByMood checks that reporting accepts a document after the
// fault clearance_off has referred it there.
func TestClearanceOffByMood(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	doc := d.seal(sample.Invoice(), d.pcsid)
	if r := d.must(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", doc); r.status != http.StatusBadRequest {
		t.Errorf("report of a standard document before the fault: status %d, want 400", r.status)
	}
	h.mustControl(http.MethodPost, "/mood/force", `{"knob":"clearance_off","times":1}`)
	if r, _ := d.submit(doc, false); r.status != http.StatusSeeOther {
		t.Errorf("clearance with the fault: status %d, want 303: %s", r.status, r.body)
	}
	if r := d.must(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", doc); r.status != http.StatusOK || !bytes.Contains(r.body, []byte(`"REPORTED"`)) {
		t.Errorf("report after the fault: status %d, want 200: %s", r.status, r.body)
	}
	// Clearance then recognises the document as a duplicate, but has no stamped
	// copy.
	if r, s := d.submit(doc, false); r.status != http.StatusAlreadyReported || s.Cleared != nil {
		t.Errorf("clearance of the reported document: status %d, want 208 without a document: %s", r.status, r.body)
	}
}

// TestMoodyClient sends each document until the simulator, which injects
// faults, returns a usable response, and checks that every document is accepted
// exactly once.
func TestMoodyClient(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{Mood: `{"base":"moody","latency":0,"server_error":{"rate":"15%","accepted":"50%"},"drop_after":"10%","too_many":"5%","timeout":0}`, Seed: 11})
	h.mustControl(http.MethodPut, "/mood", `{"name":"polite"}`)
	d := h.onboard("simulation", "1100")
	h.mustControl(http.MethodPut, "/mood", `{"base":"moody","latency":0,"server_error":{"rate":"15%","accepted":"50%"},"drop_after":"10%","too_many":"5%"}`)
	sends := 0
	const documents = 60
	for i := range documents {
		facts, path := sample.Simplified(), "/invoices/reporting/single"
		if i%2 == 0 {
			facts, path = sample.Invoice(), "/invoices/clearance/single"
		}
		doc := d.seal(facts, d.pcsid)
		for done := false; !done; {
			sends++
			r, err := d.send(http.MethodPost, path, d.pcsid, "", doc)
			done = err == nil && (r.status == 208 || r.status == 409 || r.status == 200 && json.Valid(r.body) && len(r.body) > 0)
			if r.status == http.StatusBadRequest {
				t.Fatalf("status %d, want no rejection: %s", r.status, r.body)
			}
		}
	}
	chain := string(h.mustControl(http.MethodGet, "/chain", ""))
	for _, want := range []string{`"documents": 60`, `"accepted": 60`, `"repeats": 0`, `"gaps": 0`, `"forks": 0`, `"mismatches": 0`} {
		if !strings.Contains(chain, want) {
			t.Errorf("GET /chain lacks %s: %s", want, chain)
		}
	}
	t.Logf("%d documents took %d requests", documents, sends)
}
