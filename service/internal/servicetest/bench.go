package servicetest

import (
	"compress/flate"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"khatm/sample"
)

// CPUTime returns the CPU time used by this process.
func CPUTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// CostOf returns the average CPU time of a call.
func CostOf(t *testing.T, do func()) time.Duration {
	t.Helper()
	do()
	const calls = 100
	before := CPUTime(t)
	for range calls {
		do()
	}
	return (CPUTime(t) - before) / calls
}

// Deflating returns a function that compresses 120 KiB of documents with twenty
// lines each, all with different names.
func Deflating(t *testing.T) func() {
	var all strings.Builder
	for n := 0; all.Len() < 120<<10; n++ {
		facts := sample.Invoice()
		goods := facts.Lines
		facts.Lines = nil
		for i := range 20 {
			line := goods[i%len(goods)]
			line.Name = fmt.Sprintf("صنف%dب%d كود%dx%d | item%dq%d of%dk%d", n, i, i, n, i, n, n, i)
			facts.Lines = append(facts.Lines, line)
		}
		all.WriteString(SealedOf(t, facts))
	}
	text := all.String()[:120<<10]
	return func() {
		w, err := flate.NewWriter(io.Discard, flate.DefaultCompression)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil || w.Close() != nil {
			t.Fatal(err)
		}
	}
}

// ReportScenario logs the result of a scenario for the table of make torture.
func ReportScenario(t *testing.T, name, count string, seed int, figure string) {
	t.Helper()
	t.Logf("scenario | %s | %s | %d | %s", name, count, seed, figure)
}
