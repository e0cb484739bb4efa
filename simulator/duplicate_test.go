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
		t.Errorf("duplicate clearance: status %d, want 208: %.500s", r.status, r.body)
	}
	if r, _ := d.submit(simplified, true); r.status != http.StatusConflict || string(r.body) != reportedBefore {
		t.Errorf("duplicate report: status %d, want 409: %s", r.status, r.body)
	}

	// A rejected document is not a duplicate when it is sent again.
	wrong := d.seal(sample.Simplified(), d.pcsid)
	wrong.UUID = newUUID()
	for range 2 {
		if r, _ := d.submit(wrong, true); r.status != http.StatusBadRequest {
			t.Errorf("rejected document: status %d, want 400: %s", r.status, r.body)
		}
	}
}

// TestDuplicateOfAStandardReport checks that a standard document reported while
// clearance was off is a duplicate afterwards, and that other standard
// documents are still refused.
func TestDuplicateOfAStandardReport(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	doc, other, cleared := d.seal(sample.Invoice(), d.pcsid), d.seal(sample.Invoice(), d.pcsid), d.seal(sample.Invoice(), d.pcsid)
	d.submit(cleared, false)
	h.mustControl(http.MethodPut, "/settings", `{"clearance":"off"}`)
	if r, _ := d.submit(doc, true); r.status != http.StatusOK {
		t.Errorf("report while clearance is off: status %d, want 200: %s", r.status, r.body)
	}
	h.mustControl(http.MethodPut, "/settings", `{"clearance":"on"}`)
	if r, _ := d.submit(doc, true); r.status != http.StatusConflict || string(r.body) != reportedBefore {
		t.Errorf("same report with clearance on: status %d, want 409: %s", r.status, r.body)
	}
	wrong := doc
	wrong.UUID = newUUID()
	for name, doc := range map[string]document{"document never sent": other, "cleared document": cleared, "document with a wrong UUID": wrong} {
		if r, s := d.submit(doc, true); r.status != http.StatusBadRequest || s.Results.Errors[0].Code != "XML-INVOICE-ERROR" {
			t.Errorf("report of a %s: status %d, want 400: %s", name, r.status, r.body)
		}
	}
	h.now.Advance(24 * time.Hour)
	if r, _ := d.submit(doc, true); r.status != http.StatusBadRequest {
		t.Errorf("report after 24 hours: status %d, want 400: %s", r.status, r.body)
	}
}

// TestDuplicatesAtTheEdges checks that duplicates are detected for exactly 24
// hours, and that the developer portal detects them only with the setting
// "strict".
func TestDuplicatesAtTheEdges(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("production", "1100")
	doc := d.seal(sample.Invoice(), d.pcsid)
	want := func(name string, status int) {
		t.Helper()
		if r, _ := d.submit(doc, false); r.status != status {
			t.Errorf("%s: status %d, want %d: %.500s", name, r.status, status, r.body)
		}
	}
	want("first", 200)
	h.now.Advance(24*time.Hour - time.Second)
	want("a second before 24 hours", 208)
	h.now.Advance(time.Second)
	want("after 24 hours", 200)
	want("again after 24 hours", 208)

	d = h.onboard("sandbox", "1100")
	doc = d.seal(sample.Invoice(), d.pcsid)
	want("sandbox", 200)
	want("sandbox again", 200)
	h.mustControl(http.MethodPut, "/settings", `{"sandbox":"strict"}`)
	want("strict sandbox", 208)
}

// TestLateSimplifiedDocument checks that a document older than 24 hours is
// accepted with the warning BR-KSA-98.
func TestLateSimplifiedDocument(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "0100")
	doc := d.seal(sample.Simplified(), d.pcsid)
	h.now.Advance(25 * time.Hour)
	r, s := d.submit(doc, true)
	if r.status != http.StatusAccepted || s.Reporting != "REPORTED" || len(s.Results.Warnings) != 1 || s.Results.Warnings[0].Code != "BR-KSA-98" {
		t.Errorf("status %d, want 202 with the warning BR-KSA-98: %s", r.status, r.body)
	}
}

// TestConcurrentDuplicates sends one document many times at once and checks
// that it is accepted as new exactly once.
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
			t.Errorf("simplified %v: statuses %v, want one 200 and 15 duplicates", simplified, statuses)
		}
	}
	accepted := 0
	for _, line := range splitLines(h.mustControl(http.MethodGet, "/journal", "")) {
		var record struct{ Endpoint, Outcome string }
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatal(err)
		}
		if record.Outcome == "new" {
			accepted++
		}
	}
	if accepted != 2 {
		t.Errorf("the journal has %d new documents, want 2", accepted)
	}
}
