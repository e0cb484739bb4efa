package simulator_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"runtime"
	"testing"

	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/simulator"
)

// TestMemoryIsConstant checks that a simulator with its journal on disk keeps
// at most 100 bytes per document in memory. It sends 2,000 documents in the
// mood "nod", or 100,000 under KHATM_TORTURE=1.
func TestMemoryIsConstant(t *testing.T) {
	documents := testtool.Scale(800, 2_000, 100_000)
	h := open(t, simulator.Config{Mood: "nod", Journal: filepath.Join(t.TempDir(), "journal.jsonl")})
	d := h.onboard("simulation", "1100")
	doc := d.seal(sample.Simplified(), d.pcsid)
	report := func(n int) {
		for range n {
			doc.Hash, doc.UUID = newUUID()+"-hash", newUUID()
			r := d.must(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", doc)
			if r.status != http.StatusOK {
				t.Fatalf("report: status %d, want 200: %s", r.status, r.body)
			}
		}
	}
	report(500)
	before := heap()
	report(documents)
	after := heap()
	// An accepted document uses an entry of about 40 bytes in a map that
	// doubles its size when it grows. Nothing else may stay in memory.
	each := (int64(after) - int64(before)) / int64(documents)
	t.Logf("%d documents: heap %d KiB before, %d KiB after, %d bytes each", documents, before>>10, after>>10, each)
	if int64(after)-int64(before) > 1<<20+int64(documents)*100 {
		t.Errorf("each document keeps %d bytes in memory, want at most 100", each)
	}
	var chain struct{ Records int64 }
	if err := json.Unmarshal(h.mustControl(http.MethodGet, "/chain", ""), &chain); err != nil || chain.Records < int64(documents) {
		t.Errorf("the journal has %d records, want at least one per document (error: %v)", chain.Records, err)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestNod checks that the mood "nod" accepts invalid documents, but still
// records them and detects duplicates.
func TestNod(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{Mood: "nod"})
	d := h.onboard("production", "1100")
	doc := d.seal(sample.Simplified(), d.pcsid)
	doc.UUID = "no UUID"
	if r, s := d.submit(doc, true); r.status != http.StatusOK || s.Reporting != "REPORTED" {
		t.Errorf("report with an invalid UUID: status %d, want 200: %s", r.status, r.body)
	}
	if r, _ := d.submit(doc, true); r.status != http.StatusConflict {
		t.Errorf("same document again: status %d, want 409: %s", r.status, r.body)
	}
	standard := d.seal(sample.Invoice(), d.pcsid)
	r, s := d.submit(standard, false)
	if err := wellAnswered(standard, r, s, false); err != nil {
		t.Errorf("clearance: %v: status %d: %.300s", err, r.status, r.body)
	}
	garbage := document{Hash: "h", UUID: "u", XML: "Z2FyYmFnZQ=="}
	if r, s := d.submit(garbage, false); r.status != http.StatusOK || s.Cleared == nil || *s.Cleared != garbage.XML {
		t.Errorf("clearance of a document that is not XML: status %d, want 200 with the document unchanged: %s", r.status, r.body)
	}
	if r := d.must(http.MethodPost, "/invoices/reporting/single", csid{}, "", doc); r.status != http.StatusUnauthorized {
		t.Errorf("report without credentials: status %d, want 401", r.status)
	}
	var chain struct {
		Devices []struct{ Documents, Accepted, First, Last, Gaps, Mismatches, Unreadable int64 }
	}
	if err := json.Unmarshal(h.mustControl(http.MethodGet, "/chain", ""), &chain); err != nil || len(chain.Devices) != 1 {
		t.Fatalf("GET /chain returned %+v, want one device (error: %v)", chain, err)
	}
	if row := chain.Devices[0]; row.Accepted != 2 || row.Last != 2 || row.Gaps != 0 || row.Mismatches != 0 || row.Unreadable != 1 {
		t.Errorf("chain = %+v, want 2 accepted documents, last counter 2, 1 unreadable document, no gaps or mismatches", row)
	}
}
