package pdfa_test

import (
	"compress/flate"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
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

// deflating returns the CPU time, in milliseconds, of deflating 1 MiB.
func deflating(tb testing.TB) float64 {
	var text strings.Builder
	for n := 0; text.Len() < 1<<20; n++ {
		fmt.Fprintf(&text, "%d 0 obj <</Type/Name /N %d>> endobj\n", n, n*7919)
	}
	start := cpuTime(tb)
	w, err := flate.NewWriter(io.Discard, flate.DefaultCompression)
	if err == nil {
		_, err = io.WriteString(w, text.String())
	}
	if err != nil || w.Close() != nil {
		tb.Fatal(err)
	}
	return cpuTime(tb) - start
}

// BenchmarkDraw draws sheets whose words are all cached, or all new.
func BenchmarkDraw(b *testing.B) {
	for _, c := range []struct {
		name  string
		lines int
		fresh bool
	}{{"20 lines", 20, false}, {"20 lines all new", 20, true}, {"200 lines", 200, false}} {
		b.Run(c.name, func(b *testing.B) {
			f := testFonts(b)
			known := sampleSheet(c.lines)
			known.draw(b, f)
			b.ReportAllocs()
			size := 0
			before := cpuTime(b)
			for n := 0; b.Loop(); n++ {
				s := known
				if c.fresh {
					s = freshSheet(c.lines, n)
				}
				size = len(s.draw(b, f))
			}
			b.ReportMetric((cpuTime(b)-before)/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(size), "bytes/pdf")
		})
	}
}

// BenchmarkDrawParallel draws in several goroutines, for comparison with one.
func BenchmarkDrawParallel(b *testing.B) {
	f := testFonts(b)
	s := sampleSheet(20)
	s.draw(b, f)
	before := cpuTime(b)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			s.draw(b, f)
		}
	})
	b.ReportMetric((cpuTime(b)-before)/float64(b.N), "cpu-ms/op")
}

// freshSheet returns a sheet with item names that no other sheet has.
func freshSheet(lines, n int) sheet {
	s := sampleSheet(lines)
	for i := range s.items {
		for j := range s.items[i] {
			var fresh string
			for k, w := range []rune(s.items[i][j]) {
				fresh += string(w)
				if w == ' ' {
					fresh += fmt.Sprintf("%c%c", 'ا'+rune((n+k)%8), 'ت'+rune(n/8%12)) + fmt.Sprint(n%977)
				}
			}
			s.items[i][j] = fresh
		}
	}
	s.seller, s.buyer = fmt.Sprint(s.seller, " ب", n), fmt.Sprint(s.buyer, " ن", n)
	return s
}
