package simulator_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"khatm/sample"
	"khatm/simulator"
)

const reportedBefore = `{"validationResults":{"infoMessages":[],"warningMessages":[],"errorMessages":[{"type":"ERROR","code":"Invoice-Errors","category":"Duplicate-Invoice","message":"Invoice was already Reported successfully earlier.","status":"ERROR"}],"status":"ERROR"},"reportingStatus":"NOT_REPORTED"}`

func TestDuplicates(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	standard, simplified := d.seal(sample.Invoice(), d.pcsid), d.seal(sample.Simplified(), d.pcsid)
	_, first := d.submit(standard, false)
	d.submit(simplified, true)

	r, again := d.submit(standard, false)
	if r.status != http.StatusAlreadyReported || again.Clearance != "CLEARED" || again.Cleared == nil || *again.Cleared != *first.Cleared {
		t.Errorf("clearance: %d %.500s", r.status, r.body)
	}
	if r, _ := d.submit(simplified, true); r.status != http.StatusConflict || string(r.body) != reportedBefore {
		t.Errorf("reporting: %d %s", r.status, r.body)
	}

	// A document that was refused is not remembered.
	wrong := d.seal(sample.Simplified(), d.pcsid)
	wrong.UUID = newUUID()
	for range 2 {
		if r, _ := d.submit(wrong, true); r.status != http.StatusBadRequest {
			t.Errorf("a refused document: %d %s", r.status, r.body)
		}
	}
}

// TestDuplicateOfAStandardReport: what reporting took while clearance was off
// is known to it afterwards; what it did not take it still refuses.
func TestDuplicateOfAStandardReport(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	doc, other, cleared := d.seal(sample.Invoice(), d.pcsid), d.seal(sample.Invoice(), d.pcsid), d.seal(sample.Invoice(), d.pcsid)
	d.submit(cleared, false)
	h.order(http.MethodPut, "/settings", `{"clearance":"off"}`)
	if r, _ := d.submit(doc, true); r.status != http.StatusOK {
		t.Errorf("while clearance is off: %d %s", r.status, r.body)
	}
	h.order(http.MethodPut, "/settings", `{"clearance":"on"}`)
	if r, _ := d.submit(doc, true); r.status != http.StatusConflict || string(r.body) != reportedBefore {
		t.Errorf("again: %d %s", r.status, r.body)
	}
	wrong := doc
	wrong.UUID = newUUID()
	for name, doc := range map[string]document{"another": other, "one that was cleared": cleared, "one with another fault": wrong} {
		if r, s := d.submit(doc, true); r.status != http.StatusBadRequest || s.Results.Errors[0].Code != "XML-INVOICE-ERROR" {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	h.now.move(24 * time.Hour)
	if r, _ := d.submit(doc, true); r.status != http.StatusBadRequest {
		t.Errorf("after 24 hours: %d %s", r.status, r.body)
	}
}

// TestDuplicatesAtTheEdges: 24 hours are kept to the second, and the developer
// portal keeps nothing, unless it is set to.
func TestDuplicatesAtTheEdges(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("production", "1100")
	doc := d.seal(sample.Invoice(), d.pcsid)
	want := func(name string, status int) {
		t.Helper()
		if r, _ := d.submit(doc, false); r.status != status {
			t.Errorf("%s: %d, not %d: %.500s", name, r.status, status, r.body)
		}
	}
	want("first", 200)
	h.now.move(24*time.Hour - time.Second)
	want("a second before 24 hours", 208)
	h.now.move(time.Second)
	want("after 24 hours", 200)
	want("and again", 208)

	d = h.onboard("sandbox", "1100")
	doc = d.seal(sample.Invoice(), d.pcsid)
	want("sandbox", 200)
	want("sandbox again", 200)
	h.order(http.MethodPut, "/settings", `{"sandbox":"strict"}`)
	want("strict sandbox", 208)
}

// TestLateSimplifiedDocument is accepted with the warning of BR-KSA-98.
func TestLateSimplifiedDocument(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "0100")
	doc := d.seal(sample.Simplified(), d.pcsid)
	h.now.move(25 * time.Hour)
	r, s := d.submit(doc, true)
	if r.status != http.StatusAccepted || s.Reporting != "REPORTED" || len(s.Results.Warnings) != 1 || s.Results.Warnings[0].Code != "BR-KSA-98" {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// TestConcurrentDuplicates sends one document many times at once: one
// acceptance is new, whatever the others are answered.
func TestConcurrentDuplicates(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	for _, simplified := range []bool{false, true} {
		facts, path := sample.Invoice(), "/invoices/clearance/single"
		if simplified {
			facts, path = sample.Simplified(), "/invoices/reporting/single"
		}
		doc := d.seal(facts, d.pcsid)
		statuses := map[int]int{}
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				r, err := d.send(http.MethodPost, path, d.pcsid, "", doc)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				statuses[r.status]++
			})
		}
		all.Wait()
		if statuses[200] != 1 || statuses[208]+statuses[409] != 15 {
			t.Errorf("simplified %v: %v", simplified, statuses)
		}
	}
	accepted := 0
	for _, line := range splitLines(h.order(http.MethodGet, "/journal", "")) {
		var record struct{ Endpoint, Outcome string }
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatal(err)
		}
		if record.Outcome == "new" {
			accepted++
		}
	}
	if accepted != 2 {
		t.Errorf("%d new acceptances in the journal", accepted)
	}
}
