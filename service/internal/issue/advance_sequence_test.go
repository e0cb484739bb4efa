package issue_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"
)

// sequenceSteps is the number of steps of a random sequence.
const sequenceSteps = 14

// TestAdvanceSequences checks random sequences of advances, deductions, credit
// notes and rejections: after every step, what is left of each advance is not
// negative and equals a computation from the signed documents, and each invoice
// deducts what that computation expects.
func TestAdvanceSequences(t *testing.T) {
	t.Parallel()
	sequences := 100
	if testtool.Torture() {
		sequences = 5_000
	}
	documents, refusals := 0, map[string]int{}
	for n := range sequences {
		m := newAdvanceModel(t, uint64(n))
		for range sequenceSteps {
			m.step()
			m.check()
		}
		documents += len(m.book.entries)
		for name, times := range m.refusals {
			refusals[name] += times
		}
	}
	t.Logf("%d sequences, %d documents, refusals %v", sequences, documents, refusals)
	servicetest.ReportScenario(t, "random sequences of advances, deductions, credit notes and rejections", fmt.Sprint(sequences, " sequences"), 0, fmt.Sprint(documents, " documents, nothing negative"))
	for _, name := range []string{"advance spent", "advance not needed", "credit of an advance by category"} {
		if refusals[name] == 0 {
			t.Errorf("no request was refused for %q, want some", name)
		}
	}
}

// TestConformanceAdvances checks 500 documents of random sequences with the
// authority's own rule sheets. With KHATM_DOCUMENTS set to a folder it only
// writes them there.
func TestConformanceAdvances(t *testing.T) {
	t.Parallel()
	oracle, folder := os.Getenv("KHATM_ORACLE"), os.Getenv("KHATM_DOCUMENTS")
	if oracle == "" && folder == "" {
		t.Skip("set KHATM_ORACLE to a program that checks XML with the official rule sheets")
	}
	write := folder != ""
	if !write {
		folder = t.TempDir()
	}
	const documents = 500
	written := 0
	for seed := uint64(1_000_000); written < documents; seed++ {
		m := newAdvanceModel(t, seed)
		for range sequenceSteps {
			m.step()
		}
		for _, e := range m.book.entries {
			if len(e.Deductions) == 0 && len(e.Credits) == 0 || written == documents {
				continue // 386 alone shows nothing
			}
			name := filepath.Join(folder, fmt.Sprintf("advance-%03d-%d.xml", written, e.Invoice.Kind))
			if err := os.WriteFile(name, e.XML, 0o600); err != nil {
				t.Fatal(err)
			}
			written++
		}
	}
	if write {
		t.Logf("%d documents, dated %s, are in %s", written, morning.Format("2006-01-02T15:04:05Z07:00"), folder)
		return
	}
	judged(t, oracle, folder, morning, documents)
}
