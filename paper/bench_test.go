package paper_test

import (
	"fmt"
	"syscall"
	"testing"

	"khatm/paper"
)

// cpuTime returns the CPU time of this process in milliseconds, which is meaningful
// even on a busy machine.
func cpuTime(tb testing.TB) float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		tb.Fatal(err)
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e6
}

// BenchmarkDraw draws invoices whose words are all cached, or all new.
func BenchmarkDraw(b *testing.B) {
	for _, c := range []struct {
		lines int
		fresh bool
		paper paper.Paper
	}{{20, false, paper.A4}, {20, true, paper.A4}, {200, false, paper.A4}, {20, false, paper.Roll80}} {
		b.Run(fmt.Sprintf("lines=%d/new=%t/%s", c.lines, c.fresh, c.paper), func(b *testing.B) {
			p := press(b)
			documents := [][]byte{sealed(b, long(c.lines, 0)).XML}
			for i := 1; c.fresh && i < 200; i++ {
				documents = append(documents, sealed(b, long(c.lines, i)).XML)
			}
			size := 0
			b.ReportAllocs()
			before := cpuTime(b)
			for n := 0; b.Loop(); n++ {
				pdf, err := p.Draw(documents[n%len(documents)], paper.Options{Paper: c.paper})
				if err != nil {
					b.Fatal(err)
				}
				size = len(pdf)
			}
			b.ReportMetric((cpuTime(b)-before)/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(size), "bytes/pdf")
		})
	}
}

// BenchmarkDrawParallel draws in several goroutines, for comparison with one.
func BenchmarkDrawParallel(b *testing.B) {
	p := press(b)
	document := sealed(b, long(20, 0)).XML
	before := cpuTime(b)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := p.Draw(document, paper.Options{}); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric((cpuTime(b)-before)/float64(b.N), "cpu-ms/op")
}
